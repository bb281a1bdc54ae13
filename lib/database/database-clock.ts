import { type RawBuilder, sql } from 'kysely'

/**
 * The time of the database, as an expression of its queries. Leases begin and end by it, because the clocks of two
 * processes can differ by more than a lease.
 */
export type DatabaseClock = () => RawBuilder<Date>

export const databaseClock: DatabaseClock = () => sql<Date>`now()`

/** The end of a lease that begins now, in whole milliseconds, so that a Date has its exact value. */
export function leaseEnd(now: DatabaseClock, leaseMs: number): RawBuilder<Date> {
  return sql<Date>`date_trunc('milliseconds', ${now()}) + ${leaseMs} * interval '1 millisecond'`
}
