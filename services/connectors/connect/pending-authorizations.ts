import { createHash } from 'node:crypto'
import { parse } from 'secure-json-parse'
import { forOrg } from '../../../lib/database/tenant.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { type Place, VaultError } from '../../../lib/vault/vault.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import type { ConnectTarget, Member } from './connect-request.ts'

/** How long a person has to authorize the access at the provider. */
const AUTHORIZATION_MS = 10 * 60_000

/** The state of an authorization until its callback arrives. It is stored sealed for at most ten minutes. */
export type PendingAuthorization = PendingAccountAuthorization | PendingRemoteAuthorization

/** A pending authorization for an account. */
export interface PendingAccountAuthorization {
  readonly v: 1
  readonly kind: 'account'
  readonly connector: string
  readonly target: ConnectTarget
  readonly redirectUri: string
  /** The OAuth app that began the authorization. */
  readonly clientId: string
  /** The OAuth version and the secret of the authorization. Stored under this name. */
  readonly ceremony:
    | { readonly kind: 'oauth2'; readonly verifier?: string }
    | { readonly kind: 'oauth1a'; readonly tokenSecret: string }
}

/** A pending authorization for a remote connector. */
export interface PendingRemoteAuthorization {
  readonly v: 1
  readonly kind: 'remote'
  /** `org__<slug>` */
  readonly connector: string
  readonly slug: string
  readonly remoteId: string
  /** The issuer that the code must come from. The code goes to no other server, even if the registration changes. */
  readonly issuer: string
  readonly clientId: string
  readonly redirectUri: string
  readonly verifier: string
}

/** Pending authorizations: sealed, single-use, each bound to its member. */
export interface PendingAuthorizations {
  /**
   * Stores a pending authorization under the identifier that its callback carries: the `state`, or the request token.
   * Throws connect_failed if the provider issued this request token before.
   */
  begin(member: Member, handle: string, pending: PendingAuthorization): Promise<void>
  /**
   * Removes and returns a pending authorization. Throws connect_failed if it does not exist, has expired, or is of
   * another kind.
   */
  take<K extends PendingAuthorization['kind']>(
    member: Member,
    handle: string,
    kind: K,
  ): Promise<Extract<PendingAuthorization, { kind: K }>>
}

export function createPendingAuthorizations({
  db,
  clock,
  vault,
}: Pick<Infrastructure, 'db' | 'clock' | 'vault'>): PendingAuthorizations {
  function open(member: Member, id: string, sealed: string): PendingAuthorization {
    try {
      // Rows from before remote connectors have no kind.
      return { kind: 'account', ...parse(vault.open(placeOf(member, id), sealed)) }
    } catch (cause) {
      if (!(cause instanceof VaultError)) throw cause
      throw new GatewayError(
        'connect_failed',
        'The vault key of this authorization is missing, or the stored authorization was altered. Begin again.',
        { cause },
      )
    }
  }

  return {
    async begin(member, handle, pending) {
      const { orgId, userId } = member
      const id = hashOf(handle)
      const { sealed, keyId } = vault.seal(placeOf(member, id), JSON.stringify(pending))
      const { connector } = pending
      const expiresAt = new Date(clock.now() + AUTHORIZATION_MS)
      const kept = await forOrg(db, orgId)
        .insertInto('connect_attempts', {
          id,
          user_id: userId,
          connector,
          sealed,
          key_id: keyId,
          expires_at: expiresAt,
        })
        .onConflict(conflict => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (kept === undefined)
        throw new GatewayError(
          'connect_failed',
          `${connector} issued the same request token twice. Begin again. If it happens again, report it to the provider.`,
        )
    },

    async take<K extends PendingAuthorization['kind']>(member: Member, handle: string, kind: K) {
      const { orgId, userId } = member
      const id = hashOf(handle)
      // Bound to the member: opening another member's callback neither connects the account nor uses the authorization
      // up.
      const found = await forOrg(db, orgId)
        .deleteFrom('connect_attempts')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .returning(['sealed', 'expires_at'])
        .executeTakeFirst()
      if (found === undefined || found.expires_at.getTime() <= clock.now())
        throw new GatewayError(
          'connect_failed',
          'This authorization is not pending: it was finished, took longer than ten minutes, or was begun by another member. Begin again.',
        )
      const pending = open(member, id, found.sealed)
      if (isOfKind(pending, kind)) return pending
      throw new GatewayError(
        'connect_failed',
        'This callback belongs to an authorization of another kind. Begin again.',
      )
    },
  }
}

function isOfKind<K extends PendingAuthorization['kind']>(
  pending: PendingAuthorization,
  kind: K,
): pending is Extract<PendingAuthorization, { kind: K }> {
  return pending.kind === kind
}

function hashOf(handle: string): string {
  return createHash('sha256').update(handle).digest('base64url')
}

function placeOf({ orgId, userId }: Member, id: string): Place {
  return { table: 'connect_attempts', column: 'sealed', orgId, id, of: userId }
}
