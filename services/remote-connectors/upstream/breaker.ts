import type { Clock } from '../../../schemas/time.ts'

/** Failures in a row that open it. */
const FAILURES = 5
const OPEN_MS = 15_000
/** What those who come while one tries out whether it can close are told to wait. */
const TRIAL_MS = 1_000

/**
 * Lets calls through to one upstream until it has failed time after time; then one, after a while, to see. Cockatiel's
 * breaker has a time of its own, lets all others wait for that one, and closes when that one is given up.
 */
export class Breaker {
  readonly #clock: Clock
  readonly #opened: () => void
  #failures = 0
  /** When it lets one through again; undefined while it is closed. */
  #until: number | undefined
  #trying = false

  constructor(clock: Clock, opened: () => void) {
    this.#clock = clock
    this.#opened = opened
  }

  /** Milliseconds until it is worth asking again; `trial` for the one that goes through an open breaker. */
  enter(): number | 'trial' | undefined {
    if (this.#until === undefined) return undefined
    const wait = this.#until - this.#clock.now()
    if (wait > 0) return wait
    if (this.#trying) return TRIAL_MS
    this.#trying = true
    return 'trial'
  }

  /** The one that was let through is over, whatever came of it. */
  leave(): void {
    this.#trying = false
  }

  /** The upstream has answered. */
  succeeded(): void {
    this.#failures = 0
    this.#until = undefined
  }

  failed(): void {
    this.#failures += 1
    // What was under way when it opened says nothing new.
    if (this.#failures < FAILURES || (this.#until !== undefined && !this.#trying)) return
    this.#until = this.#clock.now() + OPEN_MS
    this.#opened()
  }
}
