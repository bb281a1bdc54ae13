import { sql } from 'kysely'
import { acrossOrgs, forOrg, type OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { hasHidden } from '../../lib/sanitize-text.ts'
import { isEmail } from '../../schemas/primitives/email.ts'
import { isId } from '../../schemas/primitives/ids.ts'
import type { SignIn } from '../identity/identity.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import { organizationsOf, unknownUser } from './sign-ins.ts'
import { signInsOf } from './users.ts'

/**
 * Throws invalid_request if another member of the organization has this email: they are probably one person with two
 * sign-ins. The advice is to link `signIn` to that member; `move` if it belongs to this user now. The caller holds the
 * lock of the organization (changeIn), so that two concurrent additions cannot both pass.
 */
export async function requireUniqueEmail(
  org: OrgDatabase,
  { id, email }: { id: string; email: string | null },
  {
    signIn = { issuer: 'ISSUER', subject: 'SUBJECT' },
    move,
    commands,
  }: { signIn: SignIn | undefined; move: boolean; commands: Pick<OperatorCommands, 'linkSignIn'> },
): Promise<void> {
  if (email === null) return
  // Compared here, because lower() of PostgreSQL depends on the locale of the database.
  const members = await org
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .where('memberships.revoked_at', 'is', null)
    .where('users.email', 'is not', null)
    .orderBy('memberships.created_at')
    .select(['users.id', 'users.email'])
    .execute()
  const same = members.find(member => member.id !== id && emailKey(member.email ?? '') === emailKey(email))
  if (same === undefined) return
  throw new GatewayError(
    'invalid_request',
    `${same.id} (${same.email}) is already a member of ${org.orgId} with this email. For a second user with this email, ` +
      'repeat the command with --force. If you are certain that both are the same person (an issuer may not verify ' +
      'emails), let the existing user sign in this way too: ' +
      commands.linkSignIn({ userId: same.id, ...signIn }, { move }),
  )
}

/** Trims an email. Throws invalid_request for text that is not in the form of one. */
export function parseEmail(text: string): string {
  const email = text.trim()
  if (isEmail(email) && !hasHidden(email)) return email
  throw new GatewayError('invalid_request', 'The email must have the form name@example.com.')
}

/** The form in which emails are compared. */
function emailKey(email: string): string {
  return email.normalize('NFC').trim().toLowerCase()
}

interface EmailChange {
  userId: string
  email: string
  /** Whether another member may have the email. */
  force?: boolean
  by: 'operator'
}

/** The emails of users, by which admins recognize them. */
export interface UserEmails {
  /**
   * Changes the email of a user; false if the user has it already. It is audited in each organization of the user. Throws
   * invalid_request for an unknown user, for text that is not an email, and without `force` if another member of one of
   * the organizations has the email.
   */
  set(change: EmailChange): Promise<boolean>
}

interface UserEmailsOptions extends Pick<Infrastructure, 'db' | 'audit'> {
  commands: Pick<OperatorCommands, 'linkSignIn' | 'listMembers'>
}

export function createUserEmails({ db, audit, commands }: UserEmailsOptions): UserEmails {
  return {
    async set({ userId, email: text, force = false, by }) {
      const email = parseEmail(text)
      return db.transaction().execute(async trx => {
        if (!isId('usr', userId)) throw unknownUser(userId, commands)
        const orgIds = await organizationsOf(trx, userId)
        // Before the user, and in the order of changeIn: a member is added under the lock of the organization.
        if (orgIds.length > 0)
          await trx
            .selectFrom('organizations')
            .where('id', 'in', orgIds)
            .orderBy('id')
            .select('id')
            .forNoKeyUpdate()
            .execute()
        const found = trx.selectFrom('users').where('id', '=', userId).select('email as before').forUpdate()
        const user = await found.executeTakeFirst()
        if (user === undefined) throw unknownUser(userId, commands)
        const { before } = user
        if (before === email) return false
        if ((await organizationsOf(trx, userId)).some(orgId => !orgIds.includes(orgId)))
          throw new GatewayError(
            'invalid_request',
            `${userId} was just added to another organization. Repeat the command.`,
          )
        const [signIn] = await signInsOf(trx, [userId])
        for (const orgId of orgIds) {
          const org = forOrg(trx, orgId)
          if (!force)
            await requireUniqueEmail(org, { id: userId, email }, { signIn, move: signIn !== undefined, commands })
          await audit.record(org, { by, action: 'user.email', target: userId, detail: { email, before } })
        }
        await trx.updateTable('users').where('id', '=', userId).set({ email }).execute()
        return true
      })
    },
  }
}

/** The users that the operator's commands name. */
export interface UserLookup {
  /**
   * Returns the ID of the user with an email; other text is an ID already. If several users have the email, it is the
   * member of the organization, or without a named one, the one who is a member of any: a member of another one may have
   * the email of someone else. Throws invalid_request if there is no such user, or no single one.
   */
  idOf(user: string, orgId?: string): Promise<string>
}

interface UserLookupOptions extends Pick<Infrastructure, 'db'> {
  commands: Pick<OperatorCommands, 'listMembers'>
}

interface Found {
  id: string
  /** The organizations of which the user is an active member. */
  orgIds: readonly string[]
}

export function createUserLookup({ db, commands }: UserLookupOptions): UserLookup {
  async function withEmail(email: string): Promise<Found[]> {
    const key = emailKey(email)
    const users = await db
      .selectFrom('users')
      .where(eb => eb.or([eb('email', '=', email), eb(sql<string>`lower(trim(email))`, '=', key)]))
      .orderBy('created_at')
      .select('id')
      .execute()
    if (users.length === 0) return []
    const ids = users.map(({ id }) => id)
    const memberships = await acrossOrgs(db)
      .selectFrom('memberships')
      .where('user_id', 'in', ids)
      .where('revoked_at', 'is', null)
      .orderBy('created_at')
      .select(['user_id', 'org_id'])
      .execute()
    return ids.map(id => ({
      id,
      orgIds: memberships.filter(({ user_id }) => user_id === id).map(({ org_id }) => org_id),
    }))
  }

  return {
    async idOf(user, orgId) {
      if (!user.includes('@')) return user
      const found = await withEmail(user.trim())
      const members = found.filter(({ orgIds }) => (orgId === undefined ? orgIds.length > 0 : orgIds.includes(orgId)))
      const [only, ...others] = members.length > 0 ? members : found
      if (only === undefined)
        throw new GatewayError(
          'invalid_request',
          `There is no user with the email ${user}. To see all members, run: ${commands.listMembers(orgId ?? 'ORG')}`,
        )
      if (others.length === 0) return only.id
      const list = [only, ...others].map(
        ({ id, orgIds }) => `${id} (${orgIds.length === 0 ? 'no organization' : orgIds.join(', ')})`,
      )
      throw new GatewayError('invalid_request', `Several users have the email ${user}. Give an ID: ${list.join(', ')}.`)
    },
  }
}
