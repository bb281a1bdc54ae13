import type { Kysely, Transaction } from 'kysely'
import type { Actor } from '../../lib/audit/audit.ts'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs, forOrg } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { isId } from '../../schemas/primitives/ids.ts'
import type { SignIn } from '../identity/identity.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import { lockUserSubject } from './lock-subject.ts'

/** A sign-in of a user. The operator decides which ones a user has; the local issuer adds the one that it is itself. */
interface UserSignIn extends SignIn {
  userId: string
  by: Actor
}

interface Linked {
  /** False if the user has the sign-in already. */
  linked: boolean
  /** The users who had the sign-in before; empty unless it was moved. */
  movedFrom: string[]
}

/**
 * The sign-ins of existing users. A sign-in is one subject at all issuers that share their subjects. A change applies to
 * tokens that are already verified within a second, at the latest after 70 s. It is audited in each organization of the
 * user.
 */
export interface SignIns {
  /**
   * Adds a sign-in to a user. With `move`, takes it from a user who is not a member of any organization, such as one that
   * their first token created. Throws invalid_request if it belongs to anyone else, or if the issuer is not a URL.
   */
  link(signIn: UserSignIn & { move: boolean }): Promise<Linked>
  /** Whether tokens of this issuer are accepted now. */
  accepts(issuer: string): boolean
  /** Removes a sign-in from a user. Its next token creates another user. Throws invalid_request if the user lacks it. */
  unlink(signIn: UserSignIn): Promise<SignIn[]>
}

interface SignInsOptions extends Pick<Infrastructure, 'db' | 'clock' | 'audit'> {
  commands: Pick<OperatorCommands, 'linkSignIn' | 'unlinkSignIn' | 'listMembers'>
  /** The issuers that share their subjects. */
  sharedIssuers: readonly string[]
  /** The issuers whose tokens are accepted. */
  issuers: readonly string[]
}

export function createSignIns({ db, clock, audit, commands, sharedIssuers, issuers }: SignInsOptions): SignIns {
  async function record(trx: Transaction<Database>, action: string, { userId, issuer, subject, by }: UserSignIn) {
    for (const org of await organizationsOf(trx, userId))
      await audit.record(forOrg(trx, org), { by, action, target: userId, detail: { issuer, subject } })
  }

  return {
    accepts: issuer => issuers.includes(issuer),

    async link({ move, ...signIn }) {
      const { userId, issuer, subject } = signIn
      requireIssuer(issuer)
      return db.transaction().execute(async trx => {
        const pairs = await lockUserSubject(trx, signIn, sharedIssuers)
        const others = [...new Set(pairs.map(pair => pair.userId))].filter(id => id !== userId)
        const emails = await lockUsers(trx, [userId, ...others])
        if (!emails.has(userId)) throw unknownUser(userId, commands)
        for (const id of others) {
          const organizations = await organizationsOf(trx, id)
          if (!move || organizations.length > 0)
            throw linkedElsewhere(signIn, { id, email: emails.get(id), organizations }, commands)
        }
        if (others.length === 0 && pairs.some(pair => pair.issuer === issuer)) return { linked: false, movedFrom: [] }
        await trx
          .updateTable('user_subjects')
          .where('subject', '=', subject)
          .where('issuer', 'in', [issuer, ...pairs.map(pair => pair.issuer)])
          .where('user_id', '!=', userId)
          .set({ user_id: userId })
          .execute()
        if (!pairs.some(pair => pair.issuer === issuer))
          await trx
            .insertInto('user_subjects')
            .values({ issuer, subject, user_id: userId, created_at: new Date(clock.now()) })
            .execute()
        await record(trx, 'user.link', signIn)
        return { linked: true, movedFrom: others }
      })
    },

    unlink(signIn) {
      const { userId, subject } = signIn
      return db.transaction().execute(async trx => {
        const pairs = await lockUserSubject(trx, signIn, sharedIssuers)
        if (!(await lockUsers(trx, [userId])).has(userId)) throw unknownUser(userId, commands)
        const own = pairs.filter(pair => pair.userId === userId).map(({ issuer }) => ({ issuer, subject }))
        if (own.length === 0)
          throw new GatewayError(
            'invalid_request',
            `${userId} has no such sign-in. To see the sign-ins of all members, run: ${commands.listMembers('ORG')}`,
          )
        await trx
          .deleteFrom('user_subjects')
          .where('subject', '=', subject)
          .where('user_id', '=', userId)
          .where(
            'issuer',
            'in',
            own.map(({ issuer }) => issuer),
          )
          .execute()
        await record(trx, 'user.unlink', signIn)
        return own
      })
    },
  }
}

/** Throws invalid_request for an issuer that is not a URL: no token could have it. */
export function requireIssuer(issuer: string): void {
  if (/^https?:\/\/[^\s]+$/.test(issuer) && URL.canParse(issuer)) return
  throw new GatewayError(
    'invalid_request',
    'The issuer must be a URL, exactly as in the `iss` of its tokens: that of SESSION_ISSUER or MCP_ISSUER.',
  )
}

/**
 * Locks users until the transaction ends, so that none of them becomes a member meanwhile, and returns their emails. An
 * unknown ID is absent.
 */
async function lockUsers(trx: Kysely<Database>, ids: readonly string[]): Promise<Map<string, string | null>> {
  const known = ids.filter(id => isId('usr', id))
  if (known.length === 0) return new Map()
  const query = trx.selectFrom('users').where('id', 'in', known).orderBy('id').select(['id', 'email']).forUpdate()
  return new Map((await query.execute()).map(({ id, email }) => [id, email]))
}

/** The organizations of which a user is an active member. */
export async function organizationsOf(trx: Kysely<Database>, userId: string): Promise<string[]> {
  const memberships = acrossOrgs(trx).selectFrom('memberships').where('user_id', '=', userId)
  const rows = await memberships.where('revoked_at', 'is', null).orderBy('org_id').select('org_id').execute()
  return rows.map(({ org_id }) => org_id)
}

/** The error for a user who does not exist. */
export function unknownUser(userId: string, { listMembers }: Pick<OperatorCommands, 'listMembers'>): GatewayError {
  return new GatewayError('invalid_request', `There is no user ${userId}. To see IDs, run: ${listMembers('ORG')}`)
}

function linkedElsewhere(
  { userId, issuer, subject }: UserSignIn,
  { id, email, organizations }: { id: string; email: string | null | undefined; organizations: readonly string[] },
  { linkSignIn, unlinkSignIn }: Pick<OperatorCommands, 'linkSignIn' | 'unlinkSignIn'>,
): GatewayError {
  const user = typeof email === 'string' ? `${id} (${email})` : id
  const advice =
    organizations.length === 0
      ? `a member of no organization. To take it over, run: ${linkSignIn({ userId, issuer, subject }, { move: true })}`
      : `a member of ${organizations.join(', ')}. To release it first, run: ${unlinkSignIn({ userId: id, issuer, subject })}`
  return new GatewayError('invalid_request', `This issuer and subject belong to user ${user}, ${advice}`)
}
