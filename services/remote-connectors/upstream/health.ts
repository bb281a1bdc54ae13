import { LRUCache } from 'lru-cache'
import { atMost } from '../../../lib/lru.ts'
import type { Logger } from '../../../schemas/gateway/log.ts'
import type { Clock } from '../../../schemas/primitives/time.ts'
import { type UpstreamCredential, UpstreamError, type UpstreamTarget } from './upstream.ts'

/**
 * What the end of a request says. `answered`: the upstream works. `down`: it is unreachable, late, or its proxy says that it is
 * down. `failed`: one request failed (a crash, an invalid answer), which says nothing about others.
 */
export type Outcome = 'answered' | 'down' | 'failed'

/** A request that ended. */
interface Ended {
  readonly credential: UpstreamCredential
  /** Whether it belongs to the handshake, which no tool can make fail. */
  readonly handshake: boolean
}

/** Whether an upstream is called: at all, and with one credential. */
export interface Health {
  /** Lets an exchange begin; the result ends it. Throws an UpstreamError if the upstream is not called for now. */
  enter(credential: UpstreamCredential): () => void
  ended(request: Ended, outcome: Outcome): void
  /** The upstream limits the rate of a credential's calls for this many seconds. */
  limited(credential: UpstreamCredential, seconds: number): void
}

/** How many credentials of one registration are remembered after a failure. */
const MAX_CREDENTIALS = 1_000
/** How long a rate limit is believed without another request. */
const MAX_LIMIT_MS = 60_000

export function createHealth({
  target: { orgId, id },
  host,
  clock,
  log,
}: {
  target: Pick<UpstreamTarget, 'orgId' | 'id'>
  host: string
  clock: Clock
  log: Pick<Logger, 'warn'>
}): Health {
  const server = new Breaker(clock, () =>
    log.warn({ org: orgId, remote: id, host }, 'an upstream failed repeatedly; its breaker is open'),
  )
  const failing = new LRUCache<string, Breaker>(atMost(MAX_CREDENTIALS))
  const limits = new LRUCache<string, number>(atMost(MAX_CREDENTIALS))

  function breakerOf({ key }: UpstreamCredential): Breaker {
    let breaker = failing.get(key)
    if (breaker === undefined) {
      breaker = new Breaker(clock, () =>
        log.warn(
          { org: orgId, remote: id, host },
          'an upstream failed repeatedly with one credential; the breaker of the credential is open',
        ),
      )
      failing.set(key, breaker)
    }
    return breaker
  }

  return {
    enter({ key }) {
      const limit = (limits.get(key) ?? 0) - clock.now()
      if (limit > 0) throw rateLimitedError(host, limit)
      const trials: Breaker[] = []
      const leave = () => {
        for (const breaker of trials) breaker.leave()
      }
      for (const breaker of [server, failing.get(key)]) {
        const entered = breaker?.enter()
        if (typeof entered === 'number') {
          leave()
          throw openBreakerError(host, entered)
        }
        if (breaker !== undefined && entered === 'trial') trials.push(breaker)
      }
      return leave
    },

    ended({ credential, handshake }, outcome) {
      if (outcome === 'down') return server.failed()
      server.succeeded()
      if (outcome === 'answered') failing.get(credential.key)?.succeeded()
      else if (handshake) breakerOf(credential).failed()
    },

    limited({ key }, seconds) {
      if (seconds > 0) limits.set(key, clock.now() + Math.min(seconds * 1_000, MAX_LIMIT_MS))
    },
  }
}

function openBreakerError(host: string, waitMs: number): UpstreamError {
  const retryAfter = Math.ceil(waitMs / 1_000)
  return new UpstreamError('open', `${host} failed repeatedly. The gateway does not call it for ${retryAfter} s.`, {
    retryAfter,
  })
}

function rateLimitedError(host: string, waitMs: number): UpstreamError {
  const retryAfter = Math.ceil(waitMs / 1_000)
  const message = `${host} limits its rate of calls (HTTP 429). The gateway does not call it for ${retryAfter} s.`
  return new UpstreamError('status', message, { status: 429, retryAfter })
}

/** How many consecutive failures open the breaker. */
const FAILURES = 5
const OPEN_MS = 15_000
/** How long to wait if another call is the trial. */
const TRIAL_MS = 1_000

/**
 * Stops calls after consecutive failures, and later lets one trial call through. Not Cockatiel's breaker: that one uses its own
 * clock, makes other calls wait for the trial, and closes if the trial is aborted.
 */
class Breaker {
  readonly #clock: Clock
  readonly #opened: () => void
  #failures = 0
  /** When the breaker lets a trial through; undefined while it is closed. */
  #until: number | undefined
  #trying = false

  constructor(clock: Clock, opened: () => void) {
    this.#clock = clock
    this.#opened = opened
  }

  /** Milliseconds to wait, `trial` for the call that may pass an open breaker, or undefined if the breaker is closed. */
  enter(): number | 'trial' | undefined {
    if (this.#until === undefined) return undefined
    const wait = this.#until - this.#clock.now()
    if (wait > 0) return wait
    if (this.#trying) return TRIAL_MS
    this.#trying = true
    return 'trial'
  }

  /** Ends the trial, whatever its result. */
  leave(): void {
    this.#trying = false
  }

  succeeded(): void {
    this.#failures = 0
    this.#until = undefined
  }

  failed(): void {
    this.#failures += 1
    // Ignore the failures of calls that started before the breaker opened.
    if (this.#failures < FAILURES || (this.#until !== undefined && !this.#trying)) return
    this.#until = this.#clock.now() + OPEN_MS
    this.#opened()
  }
}
