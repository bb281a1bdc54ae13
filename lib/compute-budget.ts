/** Limits the cost of a computation that blocks the event loop. */
export interface ComputeBudget {
  /** Starts a computation, with less than the total if `units` says so. */
  reset(units?: number): void
  /** Throws BudgetExceeded if the budget is exceeded. */
  spend(units: number): void
  /** The cost of an assertion that reads the whole value. */
  sizeOf(value: unknown): number
}

/** A computation exceeded its budget. */
export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded'
}

/** The default budget. A unit is about 50 ns, or up to 200 ns with errors. */
const DEFAULT_UNITS = 400_000

export function createComputeBudget(total = DEFAULT_UNITS): ComputeBudget {
  let left = total
  return {
    reset(units = total) {
      left = units
    },
    spend(units) {
      left -= units
      if (left < 0) throw new BudgetExceeded()
    },
    sizeOf(value) {
      if (typeof value === 'string') return value.length >> 4
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return 0
      return Object.keys(value).length
    },
  }
}
