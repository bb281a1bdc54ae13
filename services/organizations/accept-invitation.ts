import type { Kysely, Selectable } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs, type OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Role } from '../../schemas/organizations/member.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { mayGive } from './authority.ts'
import { changeIn } from './change.ts'
import { addressKey, invitationTokenHash } from './invitations.ts'
import { insertMember, lockUser } from './members.ts'
import { roleOf } from './requirements.ts'
import { organizationsOf } from './sign-ins.ts'

interface Acceptance {
  token: string
  userId: string
  /** The email of the user's token; undefined unless its issuer says that it is verified. */
  verifiedEmail: string | undefined
}

/** The organization that an invitation leads to, and the role in it. */
interface Joined {
  orgId: string
  name: string
  role: Role
}

/**
 * Makes a user a member by an invitation of their verified address. It works once; a repetition by the same member gets
 * the same answer. Throws forbidden for another or unverified address, not_found for an unknown or revoked token, and
 * invalid_request for one that expired, was used, is older than the removal of the user, or whose sender may no longer
 * invite. No message names the address or the organization.
 */
export type AcceptInvitation = (acceptance: Acceptance) => Promise<Joined>

export function createAcceptInvitation({
  db,
  clock,
  audit,
}: Pick<Infrastructure, 'db' | 'clock' | 'audit'>): AcceptInvitation {
  async function accept(org: OrgDatabase, id: string, { userId, verifiedEmail = '' }: Acceptance): Promise<Joined> {
    const invitation = await org.selectFrom('invitations').where('id', '=', id).selectAll().executeTakeFirst()
    // Checked again under the lock of the organization.
    if (invitation === undefined || invitation.revoked_at !== null) throw unknown()
    if (invitation.email_key !== addressKey(verifiedEmail)) throw otherAddress()
    const own = await roleOf(org, userId)
    const { name } = await org.db
      .selectFrom('organizations')
      .where('id', '=', org.orgId)
      .select('name')
      .executeTakeFirstOrThrow()
    if (invitation.accepted_by === userId && own !== undefined) return { orgId: org.orgId, name, role: own }
    await requireUsable(org, invitation, { userId, isMember: own !== undefined })

    const { role, invited_by } = invitation
    const at = new Date(clock.now())
    await lockUser(org.db, userId)
    await keepActiveOrganization(org.db, userId, at)
    const by = { userId, orgId: org.orgId }
    await insertMember(org, audit, { userId, role, by, at, detail: { invitation: id, invited_by } })
    // Their first token may have had no email, and admins recognize members by it.
    const unnamed = org.db.updateTable('users').where('id', '=', userId).where('email', 'is', null)
    await unnamed.set({ email: verifiedEmail }).execute()
    await org.updateTable('invitations').where('id', '=', id).set({ accepted_at: at, accepted_by: userId }).execute()
    return { orgId: org.orgId, name, role }
  }

  async function requireUsable(
    org: OrgDatabase,
    { accepted_at, created_at, expires_at, invited_by, role }: Selectable<Database['invitations']>,
    { userId, isMember }: { userId: string; isMember: boolean },
  ): Promise<void> {
    if (accepted_at !== null) throw unusable('was already used')
    if (expires_at.getTime() <= clock.now()) throw unusable('has expired')
    if (invited_by !== null && !mayGive(await roleOf(org, invited_by), [role]))
      throw unusable('is no longer valid, because its sender may no longer invite with this role')
    if (isMember)
      throw new GatewayError('invalid_request', 'You are already a member of the organization of this invitation.')
    if (await removedSince(org, userId, created_at)) throw unusable('is older than your removal from its organization')
  }

  /** Whether the organization removed the user after it had invited them: that removal ends the invitation. */
  async function removedSince(org: OrgDatabase, userId: string, time: Date): Promise<boolean> {
    const removed = org.selectFrom('memberships').where('user_id', '=', userId).where('revoked_at', '>', time)
    return (await removed.select('user_id').executeTakeFirst()) !== undefined
  }

  return async function acceptInvitation(acceptance) {
    const { token, userId, verifiedEmail } = acceptance
    if (verifiedEmail === undefined) throw unverified()
    const hash = invitationTokenHash(token)
    // The token names the organization.
    const found =
      hash === undefined
        ? undefined
        : await acrossOrgs(db)
            .selectFrom('invitations')
            .where('token_hash', '=', hash)
            .select(['org_id as orgId', 'id'])
            .executeTakeFirst()
    if (found === undefined) throw unknown()
    const { orgId, id } = found
    return changeIn(db, { orgId, by: { userId, orgId } }, org => accept(org, id, acceptance))
  }
}

/**
 * Makes the only organization of a user their default choice, unless they have one: with a second membership and no
 * choice, their sessions and clients would act nowhere.
 */
async function keepActiveOrganization(trx: Kysely<Database>, userId: string, at: Date): Promise<void> {
  const [only, ...others] = await organizationsOf(trx, userId)
  if (only === undefined || others.length > 0) return
  await acrossOrgs(trx)
    .insertInto('active_organizations')
    .values({ user_id: userId, client_id: '', org_id: only, chosen_at: at })
    .onConflict(conflict => conflict.columns(['user_id', 'client_id']).doNothing())
    .execute()
}

function unknown(): GatewayError {
  return new GatewayError('not_found', 'This invitation does not exist or was revoked. Ask for a new one.')
}

function unusable(why: string): GatewayError {
  return new GatewayError('invalid_request', `This invitation ${why}. Ask for a new one.`)
}

function unverified(): GatewayError {
  return new GatewayError(
    'forbidden',
    'Your sign-in has no verified email, so no invitation can be accepted with it. Verify your email at your sign-in ' +
      'provider, then sign in again. If it is verified, ask the operator to let the provider issue email and email_verified.',
  )
}

function otherAddress(): GatewayError {
  return new GatewayError(
    'forbidden',
    'This invitation is not for the email of your sign-in. Sign in with the invited email, or ask for a new ' +
      'invitation.',
  )
}
