import { setTimeout as delay } from 'node:timers/promises'
import { createLocalJWKSet, errors, type FlattenedJWSInput, type JSONWebKeySet, type JWSHeaderParameters } from 'jose'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Logger } from '../../schemas/gateway/log.ts'
import type { Infrastructure } from '../infrastructure.ts'

/** How long a key set is used before it is fetched again. */
const FRESH_MS = 10 * 60_000
/** How long the last valid set is used while the issuer is unreachable. */
const STALE_MS = 24 * 3_600_000
/** The pause after the first failure, which then doubles. Also the minimum time between two fetches for an unknown key. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
/** How long a caller waits for the issuer. */
const CALLER_WAITS_MS = 1_500

type FindKey = ReturnType<typeof createLocalJWKSet>

interface KnownSet {
  find: FindKey
  fetchedAt: number
}

interface IssuerKeysOptions extends Pick<Infrastructure, 'clock'> {
  issuer: string
  /** Fetches the issuer's key set. Rejects on any failure. */
  fetchSet(): Promise<JSONWebKeySet>
  log: Pick<Logger, 'warn' | 'info'>
}

/** Finds the key that a token names. Throws identity_provider_unavailable if the issuer's keys are unavailable. */
export type FindIssuerKey = (header: JWSHeaderParameters, token: FlattenedJWSInput) => ReturnType<FindKey>

/**
 * Finds the keys of an issuer. Uses the last valid set for up to 24 hours while the issuer fails. A token with an unknown
 * key triggers a fetch at once, at most one per second. After failures, fetches follow an exponential backoff, which
 * jose's own remote set does not have.
 */
export function createIssuerKeys({ issuer, fetchSet, clock, log }: IssuerKeysOptions): FindIssuerKey {
  let known: KnownSet | undefined
  let inFlight: Promise<KnownSet> | undefined
  let attemptedAt = Number.NEGATIVE_INFINITY
  /** When the running attempt began, in real time: callers wait in real time also where a test sets the clock. */
  let startedAt = 0
  let failures = 0

  /** When the next attempt is allowed. */
  function nextAttemptAt(): number {
    return attemptedAt + Math.min(FIRST_PAUSE_MS * 2 ** Math.max(0, failures - 1), LONGEST_PAUSE_MS)
  }

  async function fetchOnce(): Promise<KnownSet> {
    attemptedAt = clock.now()
    try {
      const find = createLocalJWKSet(await fetchSet())
      if (failures > 0) log.info({ issuer }, 'fetched the keys of an issuer again after failures')
      failures = 0
      known = { find, fetchedAt: clock.now() }
      return known
    } catch (error) {
      failures++
      attemptedAt = clock.now()
      const retryInMs = nextAttemptAt() - attemptedAt
      log.warn(
        { err: error, issuer, retryInMs },
        "cannot fetch the issuer's keys: check that this machine can reach its JWKS URL",
      )
      throw error
    }
  }

  /** Fetches the keys, once for all waiting callers. Throws identity_provider_unavailable, also during a backoff pause. */
  async function refresh(): Promise<KnownSet> {
    if (inFlight === undefined) {
      if (clock.now() < nextAttemptAt()) throw unavailable()
      startedAt = performance.now()
      inFlight = fetchOnce().finally(() => {
        inFlight = undefined
      })
      // A failure after all callers gave up must not become an unhandled rejection.
      inFlight.catch(() => {})
    }
    // The wait is limited once per attempt: a caller that arrives later than that does not wait at all.
    const waitMs = CALLER_WAITS_MS - (performance.now() - startedAt)
    if (waitMs <= 0) throw unavailable()
    const fetched = await Promise.race([inFlight.catch(() => undefined), delay(waitMs, undefined, { ref: false })])
    if (fetched === undefined) throw unavailable()
    return fetched
  }

  function unavailable(): GatewayError {
    const retryAfter = Math.max(1, Math.ceil((nextAttemptAt() - clock.now()) / 1000))
    return new GatewayError(
      'identity_provider_unavailable',
      "The signing keys of the token's issuer are unavailable. Retry with backoff. The token was not rejected.",
      { retryAfter },
    )
  }

  async function current(): Promise<KnownSet> {
    if (known !== undefined && clock.now() < known.fetchedAt + FRESH_MS) return known
    try {
      return await refresh()
    } catch (error) {
      if (known !== undefined && clock.now() < known.fetchedAt + STALE_MS) return known
      throw error
    }
  }

  return async function findIssuerKey(header, token) {
    const set = await current()
    try {
      return await set.find(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      // A set that was fetched within the last second is current. An older one may have been rotated since.
      if (clock.now() < set.fetchedAt + FIRST_PAUSE_MS) throw error
      const newer = await refresh()
      return await newer.find(header, token)
    }
  }
}
