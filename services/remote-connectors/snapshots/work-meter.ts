/** What a check of arguments may cost: a unit is about 50 ns, and up to 200 ns where it ends in an error. */
const BUDGET = 400_000

/**
 * Counts what a check of arguments costs, so that neither a schema nor the arguments decide how long it blocks:
 * references and alternatives multiply, patterns run over long texts.
 */
export interface WorkMeter {
  /** Begins a check. */
  reset(): void
  /** Throws an OutOfWork once the budget is spent. */
  spend(units: number): void
  /** What it costs to look a value over that an assertion reads as a whole. */
  sizeOf(value: unknown): number
}

/** The arguments were not judged: that would have taken too long. */
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
