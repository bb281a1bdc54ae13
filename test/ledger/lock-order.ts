import { type Kysely, sql } from 'kysely'
import type { Test } from 'tap'
import type { Database } from '../../lib/database/tables.ts'
import { until } from '../fixtures/until.ts'
import { ledgerDatabase } from './ledger-fixture.ts'
import { due, expired, payer } from './payer.ts'

/**
 * A ledger whose calls wait for a lock as long as it takes. On a busy machine, a call could otherwise reach its limit
 * before the test sees that it waits.
 */
export async function patientLedger(t: Test): Promise<Kysely<Database>> {
  const db = await ledgerDatabase(t)
  await sql`create or replace function gateway_bounded() returns void language sql as ''`.execute(db)
  return db
}

/**
 * Runs each function of the ledger while another transaction has the month of its key. Rejects if the function has
 * locked the wallet before it waits: two of them could then wait for each other.
 */
export async function checkLockOrder(db: Kysely<Database>): Promise<void> {
  const { orgId, ledger, hold } = await payer(db)
  const [captured, released, late] = [await hold(1, 'one'), await hold(1, 'one'), await hold(1, 'one')]
  await due(db, late)
  const functions: Record<string, () => Promise<unknown>> = {
    hold: () => hold(1, 'one'),
    capture: () => ledger.capture(db, captured, 1),
    release: () => ledger.release(db, released),
    expiry: () => expired(db, orgId),
  }
  for (const [name, run] of Object.entries(functions)) {
    const running = await db.transaction().execute(async trx => {
      await sql`select from key_months where org_id = ${orgId} for update`.execute(trx)
      const work = Promise.allSettled([run()])
      await until(() => isWaitedFor(trx))
      await sql`select from wallets where org_id = ${orgId} for no key update nowait`.execute(trx).catch(cause => {
        throw new Error(`${name} locks the wallet before the month of the key`, { cause })
      })
      return { work }
    })
    const [result] = await running.work
    if (result.status === 'rejected') throw result.reason
  }
}

/**
 * Whether another session waits for a lock of this one. Reads pg_locks: a transaction sees pg_stat_activity as it was at
 * the first read, without the sessions that connected later.
 */
export async function isWaitedFor(trx: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ waited: boolean }>`
    select exists (select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))) as waited`.execute(
    trx,
  )
  return rows[0]?.waited === true
}
