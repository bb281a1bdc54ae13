import { ReadCache } from '../../lib/database/read-cache.ts'
import type { OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { VaultError } from '../../lib/vault/vault.ts'
import type { Account } from '../accounts/account.ts'
import type { EnqueueRevocation } from '../accounts/account-writes.ts'
import type { GrantConnector } from '../definitions/connector-types.ts'
import type { Infrastructure } from '../infrastructure.ts'
import {
  type Credential,
  credentialVault,
  type IssuedCredential,
  isExpired,
  isRefreshable,
  isRefreshDue,
  renewableTokens,
  type TokenOwner,
} from './credential.ts'
import { createCredentialChanges } from './credential-changes.ts'
import { accountGone, cannotOpen, needsReauth, type Subject, userNeedsReauth } from './credential-errors.ts'
import { createCredentialRows, keyOf, type StoredCredential, storeIssued } from './credential-rows.ts'
import type { OauthClients } from './oauth-clients.ts'
import type { RecordRefusedResource } from './refresh-under-lease.ts'
import { createSingleFlight } from './single-flight.ts'
import type { TokenEndpoint } from './token-endpoint.ts'

/** The result of sending a request with a credential. */
export interface Sent<T> {
  answer: T
  /** Whether the provider rejected the credential (a 401, or its own equivalent). */
  unauthorized: boolean
  /** The owner of the rejected token; `own` if absent. */
  tokenOwner?: TokenOwner
}

/** Credentials of accounts: stored sealed, opened for one call, renewed when they expire. */
export interface Grants {
  /** Stores an issued credential, in the transaction that creates or reauthorizes the account. */
  store(org: OrgDatabase, account: Pick<Account, 'id' | 'connector'>, issued: IssuedCredential): Promise<void>
  /**
   * Sends a request with the account's credential. It renews the credential ahead of its expiry, and once more after
   * the provider rejected it. `clientId` is the OAuth app that the credential was issued to; null for keys and if it is
   * unknown. Throws needs_reauth (after recording it), upstream_unavailable if the token endpoint is unavailable,
   * account_not_found if the account is gone, internal_error if its vault key is missing or a new token cannot be
   * stored, scope_missing if the provider rejects only the authorizing user's token, and what `send` throws.
   */
  send<T>(
    account: Subject['account'] & Pick<Account, 'status'>,
    connector: GrantConnector,
    send: (credential: Credential, clientId: string | null) => Promise<Sent<T>>,
  ): Promise<T>
}

/** Grants with renewals in the background. Close them before the process ends. */
interface RunningGrants extends Grants {
  /** Waits for renewed tokens that are not stored yet. Call it before closing the database. */
  close(): Promise<void>
}

export interface GrantsOptions extends Pick<Infrastructure, 'db' | 'clock' | 'log' | 'vault' | 'commands' | 'events'> {
  clients: Pick<OauthClients, 'ofGrant'>
  tokenEndpoint: Pick<TokenEndpoint, 'refresh'>
  /** Records that a provider rejects an account, with its audit row, in the transaction of the handle. */
  markNeedsReauth(org: OrgDatabase, accountId: string): Promise<void>
  /** Reverts markNeedsReauth if a new token arrives late. */
  markConnected(org: OrgDatabase, accountId: string): Promise<void>
  /** Enqueues the revocation of a new grant if its account was removed during the renewal. */
  enqueueRevocation: EnqueueRevocation
  recordRefusedResource: RecordRefusedResource
  /** The holder of a lease as operators see it: host and process. */
  owner: string
  /** How long a lease lasts: longer than a token request and its storing. 30 s if absent. */
  leaseMs?: number
  /** How long one call waits for a new token; 20 s if absent. */
  waitMs?: number
}

/** Stale entries are harmless: the provider rejects them, then they are read again. */
const FRESH_MS = 60_000
/** A token up to this age counts as freshly renewed if the provider rejects it. */
const JUST_RENEWED_MS = 120_000
/** How often one call retries with a credential that was replaced. */
const MAX_SENDS = 4

export function createGrants(options: GrantsOptions): RunningGrants {
  const { db, events, clock, log, clients, tokenEndpoint, commands, owner } = options
  const { markNeedsReauth, markConnected, enqueueRevocation, recordRefusedResource } = options
  const { leaseMs = 30_000, waitMs = 20_000 } = options
  const vault = credentialVault(options.vault)
  const rows = createCredentialRows({ db, clock, leaseMs, markNeedsReauth, markConnected })
  const credentialChanges = createCredentialChanges(events)
  const singleFlight = createSingleFlight({
    db,
    rows,
    vault,
    clients,
    tokenEndpoint,
    credentialChanges,
    enqueueRevocation,
    recordRefusedResource,
    commands,
    clock,
    log,
    owner,
    waitMs,
  })

  // Entries stay sealed: opened credentials exist only during one call.
  const cache = new ReadCache<StoredCredential>({ clock, max: 50_000, freshMs: FRESH_MS })
  events.on('account_credential', ({ orgId, id }) => {
    if (id === null) cache.recheckAll()
    else cache.recheck(keyOf({ id, orgId }))
  })
  events.onReset(() => cache.recheckAll())

  async function read({ account, connector }: Subject): Promise<StoredCredential> {
    const key = keyOf(account)
    const row = cache.fresh(key) ?? (await cache.read(key, () => rows.find(account)))
    if (row === undefined) throw accountGone(account, connector)
    return row
  }

  function toOpenError({ account, connector }: Subject, error: unknown): unknown {
    if (!(error instanceof VaultError)) return error
    // The row can be out of date: a re-sealed credential notifies nobody.
    cache.recheck(keyOf(account))
    return cannotOpen(commands, account, connector, error)
  }

  function open(subject: Subject, row: StoredCredential): Credential {
    try {
      return vault.open(subject, row)
    } catch (error) {
      throw toOpenError(subject, error)
    }
  }

  async function refresh(subject: Subject, known: StoredCredential) {
    try {
      return await singleFlight.refresh(subject, known)
    } catch (error) {
      throw toOpenError(subject, error)
    } finally {
      cache.recheck(keyOf(subject.account))
    }
  }

  /** Returns an unexpired credential. It renews one that expires soon in the background. */
  async function ready(subject: Subject): Promise<StoredCredential> {
    const row = await read(subject)
    const now = clock.now()
    if (!isRefreshDue(row, now) || !isRefreshable(open(subject, row))) return row
    if (isExpired(row, now)) return refresh(subject, row)
    // The failure is logged there. It affects no call while the token is valid.
    if (row.retryAt === null || row.retryAt <= now) refresh(subject, row).catch(() => {})
    return row
  }

  /**
   * Returns the next credential after a rejection: one that another process stored, else a renewed one. Throws if
   * neither exists.
   */
  async function afterRefusal(
    subject: Subject,
    { refused, tokenOwner, sends }: { refused: StoredCredential; tokenOwner: TokenOwner; sends: number },
  ): Promise<StoredCredential> {
    const row = await singleFlight.current(subject)
    if (row.version !== refused.version) return isExpired(row, clock.now()) ? refresh(subject, row) : row
    // The first token may have expired just now. A new one that replaced it during this call is rejected for good.
    const fresh = sends > 1 && clock.now() < refused.issuedAt + JUST_RENEWED_MS
    const credential = open(subject, refused)
    if (tokenOwner === 'user' && credential.kind === 'oauth2') {
      if (fresh || !renewableTokens(credential).includes('user'))
        throw userNeedsReauth(commands, subject.account, subject.connector)
    }
    return fresh ? singleFlight.requireReauth(subject, refused) : refresh(subject, refused)
  }

  return {
    async store(org, { id, connector }, issued) {
      const place = { account: { id, orgId: org.orgId }, connector: { id: connector } }
      const sealed = vault.seal(place, issued.credential)
      const at = new Date(clock.now())
      await storeIssued(org, id, { ...sealed, client: issued.client, at })
    },

    async send(account, connector, send) {
      const subject = { account, connector }
      if (account.status === 'needs_reauth') throw needsReauth(commands, account, connector)
      let row = await ready(subject)
      for (let sends = 1; ; sends++) {
        const { answer, unauthorized, tokenOwner = 'own' } = await send(open(subject, row), row.clientId)
        if (!unauthorized) return answer
        if (sends === MAX_SENDS) throw tooManyReplacements(subject)
        row = await afterRefusal(subject, { refused: row, tokenOwner, sends })
      }
    },

    close: () => singleFlight.close(),
  }
}

function tooManyReplacements({ account: { alias }, connector: { name } }: Subject): GatewayError {
  return new GatewayError(
    'upstream_unavailable',
    `${name} rejected the tokens of account "${alias}" during their replacement. Retry in 5 s.`,
    { retryAfter: 5 },
  )
}
