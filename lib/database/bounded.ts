import { type Kysely, sql } from 'kysely'
import type { Database } from './tables.ts'

/**
 * Bounds the locks of a transaction: it waits 4 s at most for a row, and ends after 5 s without a statement. Otherwise a
 * process that stops in the middle would keep rows locked that other calls wait for.
 */
export async function boundLocks(trx: Kysely<Database>): Promise<void> {
  await sql`select gateway_bounded()`.execute(trx)
}
