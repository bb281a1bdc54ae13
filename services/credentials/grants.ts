import type { Kysely } from 'kysely'
import type { DatabaseEvents } from '../../lib/database/events.ts'
import { ReadCache } from '../../lib/database/read-cache.ts'
import type { Database } from '../../lib/database/tables.ts'
import type { OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { type Vault, VaultError } from '../../lib/vault/vault.ts'
import type { Logger } from '../../schemas/log.ts'
import type { Clock } from '../../schemas/time.ts'
import type { Account } from '../accounts/account.ts'
import type { EnqueueRevocation } from '../accounts/account-writes.ts'
import type { GrantConnector } from '../definitions/define-connector.ts'
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
import { accountGone, doesNotOpen, needsReauth, type Subject, userNeedsReauth } from './credential-errors.ts'
import { createCredentialRows, keyOf, type StoredCredential, storeIssued } from './credential-rows.ts'
import type { OauthClients } from './oauth-clients.ts'
import { createSingleFlight } from './single-flight.ts'
import type { TokenEndpoint } from './token-endpoint.ts'

/** What came of sending with a credential. */
export interface Sent<T> {
  answer: T
  /** Whether the provider says that the credential is not good (401, or its own way to say so). */
  unauthorized: boolean
  /** The owner of the rejected token; `own` if absent. */
  tokenOwner?: TokenOwner
}

/** Credentials of accounts: stored sealed, opened for one call, refreshed when they end. */
export interface Grants {
  /** Stores what a provider has issued, in the transaction that makes or reauthorizes the account. */
  store(org: OrgDatabase, account: Pick<Account, 'id' | 'connector'>, issued: IssuedCredential): Promise<void>
  /**
   * Sends with the account's credential: refreshed ahead of its expiry, and once more after the provider refused it.
   * Throws needs_reauth (which is written down first), upstream_unavailable when the token endpoint cannot be had,
   * account_not_found when the account is gone by now, internal_error when its vault key is missing or a new token cannot
   * be stored, scope_missing when the provider refuses the authorizing user's token alone, and what `send` throws. `clientId` is the OAuth app that the credential was issued to; null for keys, and where nobody knows.
   */
  send<T>(
    account: Subject['account'] & Pick<Account, 'status'>,
    connector: GrantConnector,
    send: (credential: Credential, clientId: string | null) => Promise<Sent<T>>,
  ): Promise<T>
}

/** Grants that renew by themselves, and are waited for when the process ends. */
export interface RunningGrants extends Grants {
  /** Waits for tokens that are renewed but not stored yet; before the database is closed. */
  close(): Promise<void>
}

export interface GrantsOptions {
  db: Kysely<Database>
  events: DatabaseEvents
  clock: Clock
  log: Logger
  vault: Vault
  clients: Pick<OauthClients, 'ofGrant'>
  tokenEndpoint: Pick<TokenEndpoint, 'refresh'>
  /** Writes down that a provider refuses an account, with its audit row, on the handle that is passed. */
  markNeedsReauth(org: OrgDatabase, accountId: string): Promise<void>
  /** The contrary, where a new token arrives late. */
  markConnected(org: OrgDatabase, accountId: string): Promise<void>
  /** Has the new grant of an account given back that was removed while it was renewed. */
  enqueueRevocation: EnqueueRevocation
  /** What operators see as a lease's holder: a host and process. */
  owner: string
  /** How long a refresh is one process's: longer than a token request and its storing. 30 s when absent. */
  leaseMs?: number
  /** How long one call waits for a new token, 20 s when absent. */
  waitMs?: number
}

/** A stale one does no harm: the provider refuses it, and then it is read again. */
const FRESH_MS = 60_000
/** How old a token may be that counts as freshly refreshed when the provider refuses it. */
const FRESHLY_MS = 120_000
/** How often one call follows a credential that is replaced under it. */
const MAX_SENDS = 4

export function createGrants(options: GrantsOptions): RunningGrants {
  const { db, events, clock, log, clients, tokenEndpoint, owner } = options
  const { markNeedsReauth, markConnected, enqueueRevocation, leaseMs = 30_000, waitMs = 20_000 } = options
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
    clock,
    log,
    owner,
    waitMs,
  })

  // Sealed as they are stored: what is opened lives within one call.
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

  function open(subject: Subject, row: StoredCredential): Credential {
    try {
      return vault.open(subject, row)
    } catch (error) {
      throw unopened(subject, error)
    }
  }

  async function refresh(subject: Subject, known: StoredCredential) {
    try {
      return await singleFlight.refresh(subject, known)
    } catch (error) {
      throw unopened(subject, error)
    } finally {
      cache.recheck(keyOf(subject.account))
    }
  }

  /** A credential that has not ended: one that will soon is renewed beside the call. */
  async function ready(subject: Subject): Promise<StoredCredential> {
    const row = await read(subject)
    const now = clock.now()
    if (!isRefreshDue(row, now) || !isRefreshable(open(subject, row))) return row
    if (isExpired(row, now)) return refresh(subject, row)
    // What fails is logged where it fails, and is nobody's answer while the token is good.
    if (row.retryAt === null || row.retryAt <= now) refresh(subject, row).catch(() => {})
    return row
  }

  /** What to try after a refusal: what another has stored, then what a refresh brings, then nothing. */
  async function afterRefusal(
    subject: Subject,
    { refused, tokenOwner, sends }: { refused: StoredCredential; tokenOwner: TokenOwner; sends: number },
  ): Promise<StoredCredential> {
    const row = await singleFlight.current(subject)
    if (row.version !== refused.version) return isExpired(row, clock.now()) ? refresh(subject, row) : row
    // The first one may be what was good until now; one that replaced it in this call is refused for good if it is new.
    const fresh = sends > 1 && clock.now() < refused.issuedAt + FRESHLY_MS
    const credential = open(subject, refused)
    if (tokenOwner === 'user' && credential.kind === 'oauth2') {
      if (fresh || !renewableTokens(credential).includes('user'))
        throw userNeedsReauth(subject.account, subject.connector)
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
      if (account.status === 'needs_reauth') throw needsReauth(account, connector)
      let row = await ready(subject)
      for (let sends = 1; ; sends++) {
        const { answer, unauthorized, tokenOwner = 'own' } = await send(open(subject, row), row.clientId)
        if (!unauthorized) return answer
        if (sends === MAX_SENDS) throw replacedAgainAndAgain(subject)
        row = await afterRefusal(subject, { refused: row, tokenOwner, sends })
      }
    },

    close: () => singleFlight.close(),
  }
}

function unopened({ account, connector }: Subject, error: unknown): unknown {
  return error instanceof VaultError ? doesNotOpen(account, connector, error) : error
}

function replacedAgainAndAgain({ account: { alias }, connector: { name } }: Subject): GatewayError {
  return new GatewayError(
    'upstream_unavailable',
    `${name} refused the tokens of account "${alias}" while they were being replaced. Retry in 5 s.`,
    { retryAfter: 5 },
  )
}
