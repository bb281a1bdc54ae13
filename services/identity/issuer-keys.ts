import { setTimeout as delay } from 'node:timers/promises'
import { createLocalJWKSet, errors, type FlattenedJWSInput, type JSONWebKeySet, type JWSHeaderParameters } from 'jose'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Logger } from '../../schemas/log.ts'
import type { Clock } from '../../schemas/time.ts'

/** How long a set is used without a look at whether the issuer has another. */
const FRESH_MS = 10 * 60_000
/** How long the last good set goes on while the issuer cannot be reached. */
const STALE_MS = 24 * 3_600_000
/** The pause after a first failure; it doubles. Also between two looks for a key that a set does not have. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
/** How long a caller waits for an issuer. */
const PATIENCE_MS = 1_500

type FindKey = ReturnType<typeof createLocalJWKSet>

interface KnownSet {
  find: FindKey
  fetchedAt: number
}

export interface IssuerKeysOptions {
  issuer: string
  /** Fetches the issuer's set; rejects when it cannot be had. */
  fetchSet(): Promise<JSONWebKeySet>
  clock: Clock
  log: Pick<Logger, 'warn' | 'info'>
}

/** The key of the issuer that a token names; throws identity_provider_unavailable when the keys cannot be had. */
export type FindIssuerKey = (header: JWSHeaderParameters, token: FlattenedJWSInput) => ReturnType<FindKey>

/**
 * An issuer's keys: the last good set for up to 24 h, another look at once for a key it does not have, and one attempt a
 * second at most, ever fewer while the issuer fails (traps.md has what jose's own remote set does).
 */
export function createIssuerKeys({ issuer, fetchSet, clock, log }: IssuerKeysOptions): FindIssuerKey {
  let known: KnownSet | undefined
  let inFlight: Promise<KnownSet> | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  /** When the attempt under way began, by a clock that no test moves: its caller's time is real. */
  let begunAt = 0
  let failures = 0

  /** When the issuer may be asked again. */
  function nextTryAt(): number {
    return triedAt + Math.min(FIRST_PAUSE_MS * 2 ** Math.max(0, failures - 1), LONGEST_PAUSE_MS)
  }

  async function fetchOnce(): Promise<KnownSet> {
    triedAt = clock.now()
    try {
      const find = createLocalJWKSet(await fetchSet())
      if (failures > 0) log.info({ issuer }, 'the keys of an issuer can be had again')
      failures = 0
      known = { find, fetchedAt: clock.now() }
      return known
    } catch (error) {
      failures++
      triedAt = clock.now()
      log.warn({ err: error, issuer, retryInMs: nextTryAt() - triedAt }, 'the keys of an issuer cannot be had')
      throw error
    }
  }

  /** Asks the issuer, once for all who wait, and not before its time; throws identity_provider_unavailable. */
  async function refresh(): Promise<KnownSet> {
    if (inFlight === undefined) {
      if (clock.now() < nextTryAt()) throw unavailable()
      begunAt = performance.now()
      inFlight = fetchOnce().finally(() => {
        inFlight = undefined
      })
      // Whoever gave up waiting hears nothing of a later failure.
      inFlight.catch(() => {})
    }
    // Patience is had once with each attempt: whoever comes later than that does not wait for it too.
    const patience = PATIENCE_MS - (performance.now() - begunAt)
    if (patience <= 0) throw unavailable()
    const fetched = await Promise.race([inFlight.catch(() => undefined), delay(patience, undefined, { ref: false })])
    if (fetched === undefined) throw unavailable()
    return fetched
  }

  function unavailable(): GatewayError {
    const retryAfter = Math.max(1, Math.ceil((nextTryAt() - clock.now()) / 1000))
    return new GatewayError(
      'identity_provider_unavailable',
      'The keys of the issuer of this token cannot be had right now. Retry with backoff; the token is not refused.',
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
      // Of a set that was fetched within the last second it is no key; any other set may have been rotated since.
      if (clock.now() < set.fetchedAt + FIRST_PAUSE_MS) throw error
      const newer = await refresh()
      return await newer.find(header, token)
    }
  }
}
