import { hash, randomBytes } from 'node:crypto'
import type { Actor } from '../../lib/audit/audit.ts'
import { forOrg, type OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { readPage } from '../../lib/pages/pages.ts'
import type { Role } from '../../schemas/organizations/member.ts'
import { isId } from '../../schemas/primitives/ids.ts'
import type { PageRequest } from '../../schemas/primitives/page.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { requireAuthority } from './authority.ts'
import { changeIn } from './change.ts'
import { parseEmail } from './user-emails.ts'

/** How long an invitation can be accepted. */
const LIFETIME_MS = 7 * 24 * 3_600_000
/** The maximum number of listed invitations of an organization, for members. The operator has no limit. */
const MAX_INVITATIONS = 1_000

/** An invitation that was neither accepted nor revoked. */
interface Invitation {
  id: string
  email: string
  role: Role
  status: 'open' | 'expired'
  /** The user who invited; null for the operator. */
  invitedBy: string | null
  createdAt: Date
  expiresAt: Date
}

/** The invitations of organizations. Throws admin_required for a user who may not give the role. */
export interface Invitations {
  /**
   * Invites an address for 7 days, and revokes an earlier invitation of the address. The token is not stored and works
   * once. Throws invalid_request for text that is not an email, if a member has the email, and above 1,000 listed ones.
   */
  create(invitation: { orgId: string; email: string; role: Role; by: Actor }): Promise<Invitation & { token: string }>
  /** Revokes an invitation. Throws not_found unless it is in the list. */
  revoke(invitation: { orgId: string; id: string; by: Actor }): Promise<void>
  /** A page of the invitations that were neither accepted nor revoked, newest first. */
  page(orgId: string, page: PageRequest): Promise<{ rows: Invitation[]; nextCursor: string | null }>
}

export function createInvitations({
  db,
  clock,
  ids,
  audit,
}: Pick<Infrastructure, 'db' | 'clock' | 'ids' | 'audit'>): Invitations {
  function withStatus<Row extends { expiresAt: Date }>(row: Row): Row & Pick<Invitation, 'status'> {
    return { ...row, status: row.expiresAt.getTime() > clock.now() ? 'open' : 'expired' }
  }

  /** Revokes an invitation that a query may have found. Returns whether it did. */
  async function revokeOne(
    org: OrgDatabase,
    found: { id: string; role: Role; email: string } | undefined,
    { by, because }: { by: Actor; because?: string },
  ): Promise<boolean> {
    if (found === undefined) return false
    const { id, role, email } = found
    await requireAuthority(org, by, [role])
    await org
      .updateTable('invitations')
      .where('id', '=', id)
      .set({ revoked_at: new Date(clock.now()) })
      .execute()
    const detail = { email, role, ...(because !== undefined && { because }) }
    await audit.record(org, { by, action: 'invitation.revoke', target: id, detail })
    return true
  }

  return {
    async create({ orgId, email: text, role, by }) {
      const email = parseEmail(text)
      const key = addressKey(email)
      const token = createInvitationToken()
      const id = ids('inv')
      const createdAt = new Date(clock.now())
      const expiresAt = new Date(clock.now() + LIFETIME_MS)
      const invitedBy = typeof by === 'string' ? null : by.userId
      await changeIn(db, { orgId, by }, async org => {
        await requireAuthority(org, by, [role])
        await rejectMember(org, key)
        const earlier = await pending(org).where('email_key', '=', key).executeTakeFirst()
        await revokeOne(org, earlier, { by, because: 'invitation.create' })
        if (typeof by !== 'string') await requireRoom(org)
        await org
          .insertInto('invitations', {
            id,
            email,
            email_key: key,
            role,
            token_hash: invitationTokenHash(token) ?? '',
            invited_by: invitedBy,
            created_at: createdAt,
            expires_at: expiresAt,
          })
          .execute()
        await audit.record(org, { by, action: 'invitation.create', target: id, detail: { email, role } })
      })
      return withStatus({ id, email, role, invitedBy, createdAt, expiresAt, token })
    },

    async revoke({ orgId, id, by }) {
      await changeIn(db, { orgId, by }, async org => {
        const found = isId('inv', id) ? await pending(org).where('id', '=', id).executeTakeFirst() : undefined
        if (!(await revokeOne(org, found, { by })))
          throw new GatewayError('not_found', `There is no invitation ${id} that can be revoked.`)
      })
    },

    async page(orgId, page) {
      const query = pending(forOrg(db, orgId)).select([
        'invited_by as invitedBy',
        'created_at as createdAt',
        'expires_at as expiresAt',
      ])
      const { rows, nextCursor } = await readPage(query, { list: 'invitations', at: 'created_at', id: 'id' }, page)
      return { rows: rows.map(withStatus), nextCursor }
    },
  }
}

function pending(org: OrgDatabase) {
  return org
    .selectFrom('invitations')
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .select(['id', 'email', 'role'])
}

async function requireRoom(org: OrgDatabase): Promise<void> {
  const { count } = await org
    .selectFrom('invitations')
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count >= MAX_INVITATIONS)
    throw new GatewayError(
      'invalid_request',
      `An organization can have at most ${MAX_INVITATIONS} invitations that were not accepted. Revoke those that are no longer needed.`,
    )
}

/** Throws invalid_request if a member has the email. */
async function rejectMember(org: OrgDatabase, key: string): Promise<void> {
  const members = await org
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .where('memberships.revoked_at', 'is', null)
    .where('users.email', 'is not', null)
    .select(['users.id', 'users.email'])
    .execute()
  const same = members.find(({ email }) => email !== null && addressKey(email) === key)
  if (same !== undefined)
    throw new GatewayError('invalid_request', `${same.id} (${same.email}) is already a member with this email.`)
}

const PREFIX = 'cgw_invite_'
const TOKEN = /^cgw_invite_[0-9a-f]{64}$/

/** Creates the token of an invitation, with 256 random bits. Logs redact texts of this form. */
function createInvitationToken(): string {
  return PREFIX + randomBytes(32).toString('hex')
}

/** How the database has a token; undefined for text that is no token. */
export function invitationTokenHash(token: string): string | undefined {
  return TOKEN.test(token) ? hash('sha256', token, 'base64url') : undefined
}

/**
 * The form in which the address of an invitation is compared. Only ASCII letters lose their case: other rules, and
 * Unicode normalization, would make one address of two (the Kelvin sign becomes a `k`).
 */
export function addressKey(email: string): string {
  return email.replaceAll(/[A-Z]/g, letter => letter.toLowerCase())
}
