/** A session of a database. `exec` takes several statements. */
export interface Session {
  query(sql: string): Promise<{ rows: unknown[] }>
  exec(sql: string): Promise<unknown>
}

/** How to empty a copy of the template, and how to tell whether it then equals the template again. */
export interface Reuse {
  /** Deletes all rows of tables that are empty in the template, without firing triggers. */
  emptying: string
  /** A fingerprint of everything but these rows, and its value when the copy was new. */
  telling: string
  told: string
}

/** Where definitions start: the first OID that is not PostgreSQL's own is 16384. */
const SCHEMA = [
  'pg_class where oid >= 16384',
  'pg_attribute where attrelid >= 16384',
  'pg_proc where oid >= 16384',
  'pg_type where oid >= 16384',
  'pg_constraint where oid >= 16384',
  'pg_statistic where starelid >= 16384',
  'pg_trigger',
  'pg_namespace',
  'pg_db_role_setting where setdatabase = (select oid from pg_database where datname = current_database())',
  'pg_database where datname = current_database()',
]

/** Reads a new copy. The roles are compared only if no other process of the tests can change them. */
export async function reuseOf(session: Session, roles: 'own' | 'shared'): Promise<Reuse> {
  const { rows: tables } = await session.query(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  )
  const empty: string[] = []
  const filled: string[] = []
  for (const { name } of tables as { name: string }[]) {
    const { rows } = await session.query(`select from ${name} limit 1`)
    const kind = rows.length === 0 ? empty : filled
    kind.push(name)
  }
  const deletes = empty.map(name => `delete from ${name};`).join(' ')
  const emptying = `begin; set local session_replication_role = replica; ${deletes} commit`
  const sources = [...SCHEMA, ...(roles === 'own' ? ['pg_authid'] : []), ...filled]
  const sums = sources.map(rows => `(select count(*) || ' ' || coalesce(max(xmin::text::bigint), 0) from ${rows})`)
  const telling = `select concat_ws(', ', ${sums.join()}) as told`
  return { emptying, telling, told: await tell(session, telling) }
}

// The real timers, even if a test replaces the clock.
const { setTimeout, clearTimeout } = globalThis

/** How long an unused copy waits for the next test. While it waits, its timer keeps the process running. */
const PATIENCE_MS = 300

/** Unused copies of this process, each identical to the template until a timer discards it. */
export function idleCopies<Copy>(discard: (copy: Copy) => Promise<unknown>) {
  const idle = new Map<Copy, NodeJS.Timeout>()
  return {
    /** A copy that fits; undefined if none waits. */
    take(fits: (copy: Copy) => boolean = () => true): Copy | undefined {
      for (const [copy, timer] of idle) {
        if (!fits(copy)) continue
        clearTimeout(timer)
        idle.delete(copy)
        return copy
      }
      return undefined
    },

    /** Keeps a copy for the next test if `restore` made it equal the template again, else discards it. */
    async giveBack(copy: Copy, restore: () => Promise<boolean>): Promise<void> {
      // A copy can be changed so much that it cannot be emptied.
      if (!(await restore().catch(() => false))) {
        await discard(copy)
        return
      }
      const giveUp = () => {
        idle.delete(copy)
        void discard(copy)
      }
      idle.set(copy, setTimeout(giveUp, PATIENCE_MS))
    },
  }
}

/** Empties a copy. Whether it equals the template again. */
export async function empty(session: Session, { emptying, telling, told }: Reuse): Promise<boolean> {
  await session.exec(emptying)
  return (await tell(session, telling)) === told
}

async function tell(session: Session, telling: string): Promise<string> {
  const { rows } = await session.query(telling)
  return (rows as { told: string }[])[0]?.told ?? ''
}
