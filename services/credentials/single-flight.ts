import { randomUUID } from 'node:crypto'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { EnqueueRevocation } from '../accounts/account-writes.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { type CredentialVault, isExpired, isRefreshable } from './credential.ts'
import type { CredentialChanges } from './credential-changes.ts'
import { appGone, needsReauth, notRenewedYet, renewalTakesLong, type Subject } from './credential-errors.ts'
import { type CredentialRows, keyOf, type StoredCredential } from './credential-rows.ts'
import type { OauthClient, OauthClients } from './oauth-clients.ts'
import { createRefreshUnderLease, type RecordRefusedResource } from './refresh-under-lease.ts'
import { createRenewedTokens } from './store-renewed.ts'
import type { TokenEndpoint } from './token-endpoint.ts'

const FIRST_POLL_MS = 50
const LONGEST_POLL_MS = 1_000
/** How long closing waits for tokens that are not stored yet. */
const LAST_WAIT_MS = 10_000

interface SingleFlightOptions extends Pick<Infrastructure, 'db' | 'clock' | 'log' | 'commands'> {
  rows: CredentialRows
  vault: CredentialVault
  clients: Pick<OauthClients, 'ofGrant'>
  tokenEndpoint: Pick<TokenEndpoint, 'refresh'>
  credentialChanges: CredentialChanges
  /** Enqueues the revocation of a new grant if its account was removed during the renewal. */
  enqueueRevocation: EnqueueRevocation
  recordRefusedResource: RecordRefusedResource
  /** The holder of a lease as operators see it: host and process. */
  owner: string
  /** How long one call waits for a new token. */
  waitMs: number
}

/** Renews credentials, one renewal per account at a time. Concurrent callers share it; other processes wait for it. */
interface SingleFlight {
  /** Returns the stored credential. Throws account_not_found. */
  current(subject: Subject): Promise<StoredCredential>
  /**
   * Returns another version than the rejected or expired one: stored by another process, or renewed. Throws
   * needs_reauth (after recording it), upstream_unavailable and account_not_found.
   */
  refresh(subject: Subject, known: StoredCredential): Promise<StoredCredential>
  /**
   * Records that the provider rejects this credential, and throws needs_reauth. Returns the current version if it has
   * changed.
   */
  requireReauth(subject: Subject, known: StoredCredential): Promise<StoredCredential>
  /** Waits for renewals in flight. Tokens that the database has not stored by then are lost. */
  close(): Promise<void>
}

export function createSingleFlight({ clients, owner, waitMs, ...options }: SingleFlightOptions): SingleFlight {
  const { rows, vault, credentialChanges, commands, clock, log } = options
  const closing = new AbortController()
  const renewedTokens = createRenewedTokens({ ...options, signal: closing.signal })
  const underLease = createRefreshUnderLease({ ...options, renewedTokens })
  const flights = new Map<string, Promise<StoredCredential>>()

  /** Starts or joins the renewal of an account. It continues if the call that started it stops waiting. */
  function refreshOnce(subject: Subject, known: StoredCredential): Promise<StoredCredential> {
    const key = keyOf(subject.account)
    const existing = flights.get(key)
    if (existing !== undefined) return existing
    const flight = run(subject, known).finally(() => flights.delete(key))
    flights.set(key, flight)
    flight.catch(error => {
      if (!(error instanceof GatewayError))
        log.warn({ err: error, account: subject.account.id }, 'the renewal of a token failed')
    })
    return flight
  }

  /** Waits until this process holds the lease, or until its holder has stored a new version. */
  async function run(subject: Subject, known: StoredCredential): Promise<StoredCredential> {
    const { account, connector } = subject
    const until = performance.now() + waitMs
    const subscription = credentialChanges.subscribe(account)
    try {
      for (let pause = FIRST_POLL_MS; ; pause = Math.min(pause * 2, LONGEST_POLL_MS)) {
        const row = await underLease.current(subject)
        if (row.version !== known.version) {
          if (!isExpired(row, clock.now())) return row
          known = row
        }
        const held = renewedTokens.pendingError(subject, row.version)
        if (held !== undefined) throw held
        if ((await rows.status(account)) === 'needs_reauth') throw needsReauth(commands, account, connector)
        requireDue(subject, row)
        if (!isRefreshable(vault.open(subject, row))) return await underLease.giveUp(subject, row)
        const client = await clientOf(subject, row)
        const lease = { owner: `${owner} ${randomUUID()}`, client, tookOver: row.refreshOwner !== null }
        const leased = await rows.lease(account, row.version, lease.owner)
        if (leased !== undefined) return await underLease.refresh(subject, leased, lease)
        if (closing.signal.aborted || performance.now() >= until) throw renewalTakesLong(account, connector)
        await subscription.nextChange(pause)
      }
    } finally {
      subscription.stop()
    }
  }

  function requireDue({ account, connector }: Subject, { retryAt }: StoredCredential): void {
    const wait = (retryAt ?? 0) - clock.now()
    if (wait > 0) throw notRenewedYet(account, connector, { seconds: Math.ceil(wait / 1_000) })
  }

  /** Returns the app that the grant was issued to. No other app can renew it. */
  async function clientOf({ account, connector }: Subject, { clientId }: StoredCredential): Promise<OauthClient> {
    const client = await clients.ofGrant(account.orgId, connector.id, clientId)
    if (client === undefined) throw appGone(commands, account, connector, clientId)
    return client
  }

  return {
    current: underLease.current,
    requireReauth: underLease.giveUp,

    async refresh(subject, known) {
      const late = Promise.withResolvers<never>()
      const timer = setTimeout(() => late.reject(renewalTakesLong(subject.account, subject.connector)), waitMs)
      try {
        for (;;) {
          const row = await Promise.race([refreshOnce(subject, known), late.promise])
          // A renewal that was already in flight may have returned the version that is known to be invalid.
          if (row.version !== known.version) return row
        }
      } finally {
        clearTimeout(timer)
      }
    },

    async close() {
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, LAST_WAIT_MS)
      await Promise.race([Promise.allSettled(flights.values()), late.promise])
      clearTimeout(timer)
      closing.abort()
      await renewedTokens.settled()
    },
  }
}
