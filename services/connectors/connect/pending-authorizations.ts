import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { parse } from 'secure-json-parse'
import type { Database } from '../../../lib/database/tables.ts'
import { forOrg } from '../../../lib/database/tenant.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { type Place, type Vault, VaultError } from '../../../lib/vault/vault.ts'
import type { Clock } from '../../../schemas/time.ts'
import type { ConnectTarget, Member } from './connect-request.ts'

/** How long a person has to agree at the provider. */
const AUTHORIZATION_MS = 10 * 60_000

/** What an authorization that was begun must know again when it comes back; sealed for at most ten minutes. */
export type PendingAuthorization = PendingAccountAuthorization | PendingRemoteAuthorization

/** That of an account. */
export interface PendingAccountAuthorization {
  readonly v: 1
  readonly kind: 'account'
  readonly connector: string
  readonly target: ConnectTarget
  readonly redirectUri: string
  /** The OAuth app that it was begun with. */
  readonly clientId: string
  readonly ceremony:
    | { readonly kind: 'oauth2'; readonly verifier?: string }
    | { readonly kind: 'oauth1a'; readonly tokenSecret: string }
}

/** That of a registered upstream. */
export interface PendingRemoteAuthorization {
  readonly v: 1
  readonly kind: 'remote'
  /** `org__<slug>` */
  readonly connector: string
  readonly slug: string
  readonly remoteId: string
  /** Whom the code will be of: it is sent to no other server, whatever the registration says by then. */
  readonly issuer: string
  readonly clientId: string
  readonly redirectUri: string
  readonly verifier: string
}

/** Authorizations under way: sealed, single use, each its member's alone. */
export interface PendingAuthorizations {
  /**
   * Keeps a pending authorization under what the provider will hand back: the `state`, or the request token. Throws connect_failed for
   * a request token that the provider has handed out before.
   */
  begin(member: Member, handle: string, pending: PendingAuthorization): Promise<void>
  /**
   * Takes the authorization away for good; throws connect_failed when there is none, when it is too old, and when it is of
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
}: {
  db: Kysely<Database>
  clock: Clock
  vault: Vault
}): PendingAuthorizations {
  function opened(member: Member, id: string, sealed: string): PendingAuthorization {
    try {
      // Those that were begun before there were two kinds say none.
      return { kind: 'account', ...parse(vault.open(placeOf(member, id), sealed)) }
    } catch (cause) {
      if (!(cause instanceof VaultError)) throw cause
      throw new GatewayError(
        'connect_failed',
        'This authorization was begun under a vault key that is not there any more, or was altered. Begin again.',
        { cause },
      )
    }
  }

  return {
    async begin(member, handle, pending) {
      const { orgId, userId } = member
      const id = hashed(handle)
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
          `${connector} has handed out the same request token twice. Begin again; if it happens again, tell the provider.`,
        )
    },

    async take<K extends PendingAuthorization['kind']>(member: Member, handle: string, kind: K) {
      const { orgId, userId } = member
      const id = hashed(handle)
      // Not another member's: who is made to open somebody else's callback neither connects with it nor uses it up.
      const found = await forOrg(db, orgId)
        .deleteFrom('connect_attempts')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .returning(['sealed', 'expires_at'])
        .executeTakeFirst()
      if (found === undefined || found.expires_at.getTime() <= clock.now())
        throw new GatewayError(
          'connect_failed',
          'This authorization is not under way: it was finished, took longer than ten minutes, or was begun by another member. Begin again.',
        )
      const pending = opened(member, id, found.sealed)
      if (isOfKind(pending, kind)) return pending
      throw new GatewayError('connect_failed', 'This is the answer to an authorization of something else. Begin again.')
    },
  }
}

function isOfKind<K extends PendingAuthorization['kind']>(
  pending: PendingAuthorization,
  kind: K,
): pending is Extract<PendingAuthorization, { kind: K }> {
  return pending.kind === kind
}

function hashed(handle: string): string {
  return createHash('sha256').update(handle).digest('base64url')
}

function placeOf({ orgId, userId }: Member, id: string): Place {
  return { table: 'connect_attempts', column: 'sealed', orgId, id, of: userId }
}
