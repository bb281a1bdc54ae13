/** Limits the cost of a computation that blocks the event loop. */
export interface WorkMeter {
  /** Starts a computation, with less than the whole budget if `units` says so. */
  reset(units?: number): void
  /** Throws OutOfWork if the budget is exceeded. */
  spend(units: number): void
  /** The cost of an assertion that reads the whole value. */
  sizeOf(value: unknown): number
}

/** A computation exceeded its budget. */
export class OutOfWork extends Error {
  override readonly name = 'OutOfWork'
}

/** The default budget. A unit is about 50 ns, or up to 200 ns with errors. */
const BUDGET = 400_000

export function createWorkMeter(budget = BUDGET): WorkMeter {
  let left = budget
  return {
    reset(units = budget) {
      left = units
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
