import type { Clock } from '../../../schemas/time.ts'

/** How many consecutive failures open the breaker. */
const FAILURES = 5
const OPEN_MS = 15_000
/** How long to wait if another call is the trial. */
const TRIAL_MS = 1_000

/**
 * Stops calls to an upstream after consecutive failures, and later lets one trial call through. Not Cockatiel's breaker: that
 * one uses its own clock, makes other calls wait for the trial, and closes if the trial is aborted.
 */
export class Breaker {
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

  /** Records that the upstream answered. */
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
