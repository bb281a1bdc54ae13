import { acrossOrgs, forOrg, type OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { randomSecret, secretDigest } from '../../lib/random-secret.ts'
import type { Caller } from '../identity/caller.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import { changeIn } from './change.ts'
import type { MemberKey, MemberKeys } from './member-keys.ts'
import { roleOf } from './requirements.ts'

const CLAIM_MS = 10 * 60_000
/** The maximum number of links of a member within that time, used ones included: each is a row, and a model may repeat itself. */
const MAX_CLAIMS = 100

/** What a claim creates: a key, or a new secret of a key. */
type KeyRequest = { create: MemberKey } | { rotate: { id: string; overlapSeconds: number } }

/** What leads to the secret. It contains no secret itself: only the member who asked can redeem it. */
export interface PendingKey {
  /** The page of the dashboard; null without a dashboard. */
  link: string | null
  /** The operator's command, which redeems the claim for the member. */
  command: string
  expiresAt: Date
}

/**
 * Keys that members ask tools for: no tool's result, which a model reads and a client may log, contains a secret. The key
 * is created when the member opens a link, and nothing of it is stored before.
 */
export interface KeyClaims {
  /**
   * Makes a single-use link for 10 minutes. Throws what creating or rotating the key would throw now, and invalid_request
   * above 100 links within 10 minutes.
   */
  request(caller: Caller, request: KeyRequest): Promise<PendingKey>
  /**
   * Creates what was asked for. Only this result contains the secret. Throws not_found for an unknown token, another
   * member's and one for another organization, invalid_request for one that is used or expired, and what creating or
   * rotating the key throws.
   */
  redeem(token: string, by: Caller | 'operator'): Promise<{ id: string; key: string; orgId: string; userId: string }>
}

interface KeyClaimsOptions extends Pick<Infrastructure, 'db' | 'clock' | 'ids' | 'audit'> {
  commands: Pick<OperatorCommands, 'claimKey'>
  dashboardUrl: string | undefined
  memberKeys: Pick<MemberKeys, 'create' | 'rotate' | 'find' | 'requireCreatable'>
}

export function createKeyClaims(options: KeyClaimsOptions): KeyClaims {
  const { db, clock, ids, audit, commands, dashboardUrl, memberKeys } = options

  /** Fails for what the claim would fail for, while the member can still correct it. */
  async function requireValid(caller: Caller, request: KeyRequest): Promise<void> {
    if ('rotate' in request) {
      const { id, revokedAt, expiresAt } = await memberKeys.find(caller, request.rotate.id)
      const expired = expiresAt !== null && expiresAt.getTime() <= clock.now()
      if (revokedAt !== null || expired)
        throw new GatewayError(
          'invalid_request',
          `Key ${id} ${revokedAt === null ? 'has expired' : 'is revoked'}. Create another key.`,
        )
    } else await memberKeys.requireCreatable(caller, request.create)
  }

  async function requireRoom(org: OrgDatabase, userId: string): Promise<void> {
    const { count } = await org
      .selectFrom('key_claims')
      .where('user_id', '=', userId)
      .where('expires_at', '>', new Date(clock.now()))
      .select(eb => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (count >= MAX_CLAIMS)
      throw new GatewayError(
        'invalid_request',
        `You have asked for ${MAX_CLAIMS} links within 10 minutes. Use one of them, or wait until they expire.`,
      )
  }

  /** Uses up the claim and creates the key in one transaction. A failure leaves the claim as it was. */
  async function redeemIn(org: OrgDatabase, claim: Claim, by: Caller | 'operator') {
    const used = await org
      .updateTable('key_claims')
      .where('id', '=', claim.id)
      .where('used_at', 'is', null)
      .set({ used_at: new Date(clock.now()) })
      .executeTakeFirst()
    if (used.numUpdatedRows === 0n) throw spent('was already used')
    const role = await roleOf(org, claim.user_id)
    if (role === undefined) throw new GatewayError('not_found', 'The member who asked for this key has left.')
    const caller = { userId: claim.user_id, orgId: org.orgId, role }
    const request = claim.request as StoredRequest
    const made =
      'rotate' in request
        ? await memberKeys.rotate(caller, request.rotate.id, request.rotate, org.db)
        : await memberKeys.create(caller, fromStored(request.create), org.db)
    await audit.record(org, { by, action: 'key.claim', target: made.id, detail: { claim: claim.id } })
    return { ...made, orgId: org.orgId, userId: claim.user_id }
  }

  return {
    async request(caller, request) {
      await requireValid(caller, request)
      const token = randomSecret()
      const expiresAt = new Date(clock.now() + CLAIM_MS)
      await changeIn(db, { orgId: caller.orgId, by: caller }, async org => {
        await requireRoom(org, caller.userId)
        await org
          .insertInto('key_claims', {
            id: ids('clm'),
            user_id: caller.userId,
            token_hash: secretDigest(token),
            request: JSON.stringify(request),
            created_at: new Date(clock.now()),
            expires_at: expiresAt,
          })
          .execute()
      })
      const link = dashboardUrl === undefined ? null : `${dashboardUrl}/keys/claim#${token}`
      return { link, command: commands.claimKey(token), expiresAt }
    },

    async redeem(token, by) {
      // The token names the organization.
      const claims = acrossOrgs(db).selectFrom('key_claims').where('token_hash', '=', secretDigest(token))
      const claim = await claims
        .select(['org_id', 'id', 'user_id', 'request', 'expires_at', 'used_at'])
        .executeTakeFirst()
      if (claim === undefined || (by !== 'operator' && by.userId !== claim.user_id))
        throw new GatewayError(
          'not_found',
          'This link does not exist, or is for another member. Request the key again.',
        )
      // The client that asked may have chosen another organization than the dashboard has.
      if (by !== 'operator' && by.orgId !== claim.org_id)
        throw new GatewayError(
          'not_found',
          `This link is for a key of your organization ${claim.org_id}. Choose that organization with PATCH /me, then open the link again.`,
        )
      if (claim.used_at !== null) throw spent('was already used')
      if (claim.expires_at.getTime() <= clock.now()) throw spent('has expired')
      return forOrg(db, claim.org_id).transaction(org => redeemIn(org, claim, by))
    },
  }
}

interface Claim {
  id: string
  user_id: string
  request: unknown
}

/** A request as JSON stores it. */
type StoredRequest =
  | { create: Omit<MemberKey, 'expiresAt'> & { expiresAt?: string } }
  | Extract<KeyRequest, { rotate: unknown }>

function fromStored({ expiresAt, ...key }: Extract<StoredRequest, { create: unknown }>['create']): MemberKey {
  return { ...key, ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }) }
}

function spent(why: string): GatewayError {
  return new GatewayError(
    'invalid_request',
    `This link ${why}. Request the key again; a link works once, for 10 minutes.`,
  )
}
