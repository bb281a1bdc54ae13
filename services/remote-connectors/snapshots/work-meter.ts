/** The maximum cost of one validation. A unit is about 50 ns, or up to 200 ns with errors. */
const BUDGET = 400_000

/**
 * Limits the cost of a validation, so that neither a schema nor the arguments can block the event loop for long. References and
 * alternatives multiply, and patterns run over long texts.
 */
export interface WorkMeter {
  /** Starts a validation. */
  reset(): void
  /** Throws OutOfWork if the budget is exceeded. */
  spend(units: number): void
  /** The cost of an assertion that reads the whole value. */
  sizeOf(value: unknown): number
}

/** A validation exceeded its budget. */
export class OutOfWork extends Error {
  override readonly name = 'OutOfWork'
}

export function createWorkMeter(): WorkMeter {
  let left = BUDGET
  return {
    reset() {
      left = BUDGET
    },
    spend(units) {
      left -= units
      if (left < 0) throw new OutOfWork()
    },
    sizeOf(value) {
      if (typeof value === 'string') return value.length >> 4
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return 0
      return Object.keys(value).length
    },
  }
}
