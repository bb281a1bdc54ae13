import { setFlagsFromString } from 'node:v8'
import type { PGlite } from '@electric-sql/pglite'
import { startPGlite } from '../lib/database/embedded.ts'

// Disables optimized machine code of PostgreSQL: tests end before it pays off, in CPU and in memory. Together these are
// `--liftoff-only`, which works only as a flag of the process.
setFlagsFromString('--no-wasm-tier-up')
setFlagsFromString('--no-wasm-dynamic-tiering')

/** A copy of the template. */
interface Copy {
  pglite: PGlite
  /** Deletes all rows of tables that are empty in the template, without firing triggers. */
  emptying: string
  /** A fingerprint of everything but these rows, and its value when the copy was new. */
  telling: string
  told: string
}

// The real timers, even if a test replaces the clock.
const { setTimeout, clearTimeout } = globalThis

/** Unused copies of this process, each identical to the template until a timer closes it. */
const idle = new Map<Copy, NodeJS.Timeout>()

/** How long a copy waits for the next test. While it waits, its timers keep the process running. */
const PATIENCE_MS = 300

/**
 * An embedded database identical to the template, used by only one test. After it is closed, it accepts no queries; it
 * is emptied and passed to the next test, because creating one takes most of a second. If more than rows changed, it is
 * discarded.
 */
export async function embeddedDatabase(template: () => Promise<Blob>): Promise<PGlite> {
  return lend(takeIdle() ?? (await makeCopy(await template())))
}

function takeIdle(): Copy | undefined {
  const [entry] = idle
  if (entry === undefined) return undefined
  const [copy, timer] = entry
  clearTimeout(timer)
  idle.delete(copy)
  return copy
}

async function makeCopy(template: Blob): Promise<Copy> {
  const pglite = await startPGlite({ loadDataDir: template })
  const { rows: tables } = await pglite.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  )
  const empty: string[] = []
  const filled: string[] = []
  for (const { name } of tables) {
    const { rows } = await pglite.query(`select from ${name} limit 1`)
    const kind = rows.length === 0 ? empty : filled
    kind.push(name)
  }
  const deletes = empty.map(name => `delete from ${name};`).join(' ')
  const emptying = `begin; set local session_replication_role = replica; ${deletes} commit`
  const sums = [...SCHEMA, ...filled].map(rows => `(select count(*) || ' ' || max(xmin::text::bigint) from ${rows})`)
  const telling = `select concat_ws(', ', ${sums.join()}) as told`
  return { pglite, emptying, telling, told: await tell(pglite, telling) }
}

/** Where definitions start: the first OID that is not PostgreSQL's own is 16384. */
const SCHEMA = [
  'pg_class where oid >= 16384',
  'pg_attribute where attrelid >= 16384',
  'pg_proc where oid >= 16384',
  'pg_type where oid >= 16384',
  'pg_constraint where oid >= 16384',
  'pg_trigger',
  'pg_namespace',
  'pg_authid',
  'pg_db_role_setting',
]

async function tell(pglite: PGlite, telling: string): Promise<string> {
  const { rows } = await pglite.query<{ told: string }>(telling)
  return rows[0]?.told ?? ''
}

function lend(copy: Copy): PGlite {
  let returned: Promise<void> | undefined
  return new Proxy(copy.pglite, {
    get(pglite, name) {
      if (name === 'closed') return returned !== undefined
      if (name === 'close') return () => (returned ??= takeBack(copy))
      const value = Reflect.get(pglite, name, pglite)
      if (typeof value !== 'function') return value
      // Queries that a test left running must not see the next test's rows.
      return returned === undefined ? value.bind(pglite) : () => Promise.reject(new Error('PGlite is closed'))
    },
  })
}

/** Waits for running queries and the running transaction, as PGlite does when it is closed. */
async function takeBack(copy: Copy): Promise<void> {
  const { pglite, emptying, telling, told } = copy
  try {
    await pglite.exec('discard all')
    await pglite.exec(emptying)
    if ((await tell(pglite, telling)) === told) {
      const discard = () => {
        idle.delete(copy)
        void pglite.close()
      }
      idle.set(copy, setTimeout(discard, PATIENCE_MS))
      return
    }
  } catch {
    // It may be changed so much that it cannot be emptied.
  }
  await pglite.close()
}
