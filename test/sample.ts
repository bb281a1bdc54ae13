import { testDatabaseUrl } from './database.ts'

let turn = 0

/**
 * The cases to try. The embedded database is slow, so a run on it tries only one in `every`, at least one, and others
 * with each call. A run on PostgreSQL tries all of them. The same calls choose the same cases in each run.
 */
export function sample<T>(cases: readonly T[], every = 5): readonly T[] {
  if (testDatabaseUrl !== undefined) return cases
  turn++
  const step = Math.min(every, cases.length)
  return cases.filter((_, i) => (i + turn) % step === 0)
}
