import { isDeepStrictEqual } from 'node:util'
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { isDatabaseUnavailable } from '../../lib/database/database-errors.ts'
import { unknownMigrations } from '../../lib/database/migrate.ts'
import type { OpenDatabase } from '../../lib/database/open-database.ts'
import type { Database } from '../../lib/database/tables.ts'
import { UsageError } from '../../lib/errors/errors.ts'
import { formatCount, formatList } from '../../lib/format-text.ts'
import { MOVED_TABLES } from './moved-tables.ts'

/** A table after the copy. */
export interface MovedTable {
  table: string
  rows: number
  how: 'copied' | 'rebuilt'
}

const TABLES = Object.keys(MOVED_TABLES) as (keyof Database)[]

/** The maximum number of tables with rows that the error names. */
const NAMED_TABLES = 3

/**
 * Throws a UsageError if a table of a database has rows that no start creates, or is of a newer version. `known` explains
 * the rows, if an earlier move inserted them.
 */
export async function requireEmpty<DB>(db: Kysely<DB>, known?: string): Promise<void> {
  const filled: string[] = []
  for (const table of TABLES) {
    if ((await columnsOf(db, table)).length === 0) continue
    const moved = MOVED_TABLES[table]
    const where = 'where' in moved && moved.where !== undefined ? sql`where ${moved.where}` : sql``
    const { rows } = await sql`select from ${sql.table(table)} ${where} limit 1`.execute(db)
    if (rows.length > 0) filled.push(table)
  }
  if (filled.length > 0)
    throw new UsageError(
      known ??
        `The database of DATABASE_URL is not empty: it has rows in ${someOf(filled)}. A move copies only into an empty ` +
          'database. Create another one, or drop and recreate this one if nobody needs its data. Nothing was changed.',
    )
  await requireKnown(db, 'The database of DATABASE_URL')
}

function someOf(tables: readonly string[]): string {
  const others = tables.length - NAMED_TABLES
  return others <= 0
    ? formatList(tables, 'and')
    : formatList([...tables.slice(0, NAMED_TABLES), formatCount(others, 'other table')], 'and')
}

/** Throws a UsageError if a newer version migrated a database. */
export async function requireKnown<DB>(db: Kysely<DB>, name: string): Promise<void> {
  const [unknown] = await unknownMigrations(db)
  if (unknown === undefined) return
  throw new UsageError(`${name} was migrated by a newer version (${unknown}). Use that version. Nothing was changed.`)
}

/**
 * Copies all rows in one transaction and compares every table. `finish` runs in the transaction, after the copy. If
 * anything fails, the target stays empty.
 */
export async function copyDatabase<R>(
  source: OpenDatabase,
  target: OpenDatabase,
  finish: (trx: Transaction<Database>) => Promise<R>,
): Promise<{ tables: MovedTable[]; finished: R }> {
  let committing = false
  try {
    return await target.onDirectConnection(
      direct =>
        direct.transaction().execute(async to => {
          await prepareCopy(to)
          // Blocks new organizations and users. All other rows belong to one.
          await sql`lock table organizations, users in share row exclusive mode`.execute(to)
          await requireEmpty(to)
          const tables = await source.db
            .withoutPlugins()
            .transaction()
            .execute(async from => {
              await prepareCopy(from)
              return copyTables(from, to)
            })
          const finished = await finish(to)
          committing = true
          return { tables, finished }
        }),
      new AbortController().signal,
    )
  } catch (error) {
    if (!isDatabaseUnavailable(error) || !(error instanceof Error)) throw error
    throw new UsageError(
      `The connection to the database of DATABASE_URL failed: ${error.message}. ${
        committing
          ? 'The copy was complete and may have been committed. Run this command again: it reports a target with data.'
          : 'The database is still empty. Run this command again.'
      }`,
      { cause: error },
    )
  }
}

async function copyTables(from: Transaction<Database>, to: Transaction<Database>): Promise<MovedTable[]> {
  const moved: MovedTable[] = []
  for (const table of TABLES) {
    const treatment = MOVED_TABLES[table]
    if (treatment.how === 'rebuilt') {
      if (treatment.by !== null) await treatment.by.execute(to)
      moved.push({ table, rows: await countOf(to, table), how: 'rebuilt' })
      continue
    }
    const columns = await sharedColumns(from, to, table)
    const { where } = treatment
    if (treatment.replaced) await sql`delete from ${sql.table(table)}`.execute(to)
    // A schedule of the target stays, and a job of the source never has the ID of one.
    const rows = await copyTable(from, to, { ...treatment, table, columns })
    const [before, after] = [
      await fingerprint(from, { table, columns, where }),
      await fingerprint(to, { table, columns, where }),
    ]
    if (rows !== before.rows || !isDeepStrictEqual(before, after))
      throw new UsageError(
        `The copy of ${table} differs: ${before.rows} rows were read, ${after.rows} arrived` +
          `${before.rows === after.rows ? ', and their content is not the same' : ''}. The target stays empty.`,
      )
    moved.push({ table, rows, how: 'copied' })
  }
  return moved
}

async function sharedColumns(
  from: Transaction<Database>,
  to: Transaction<Database>,
  table: string,
): Promise<readonly Column[]> {
  const [columns, expected] = [await columnsOf(from, table), await columnsOf(to, table)]
  if (isDeepStrictEqual(columns, expected)) return columns
  throw new UsageError(`The columns of ${table} differ between the databases. Run migrate on both with one version.`)
}

async function countOf(db: Transaction<Database>, table: string): Promise<number> {
  const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`.execute(db)
  return rows[0]?.rows ?? 0
}

/** A column, and its type as a cast names it. */
interface Column {
  name: string
  type: string
}

/** The rows of a table that are copied, and how. */
interface TableCopy {
  table: string
  columns: readonly Column[]
  /** Only these rows; all if absent. */
  where?: RawBuilder<unknown> | undefined
  /** The maximum number of rows in memory; a group of `together` can exceed it. */
  rows: number
  /** Rows with the same value of this column are inserted by one statement. */
  together?: string | undefined
}

/** Reads the columns of a table that hold values of their own, ordered by name; none if there is no such table. */
export async function columnsOf<DB>(db: Kysely<DB>, table: string): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped and attgenerated = ''
    order by attname collate "C"
  `.execute(db)
  return rows
}

/**
 * Sets how values are written as text, for the rest of the transaction: the same on both sides, and without loss. Also
 * lifts the time limits of the server, because a large database takes longer to copy.
 */
export async function prepareCopy<DB>(trx: Transaction<DB>): Promise<void> {
  for (const setting of SETTINGS) await sql`set local ${sql.raw(setting)}`.execute(trx)
}

const SETTINGS = [
  `timezone = 'UTC'`,
  `datestyle = 'ISO, YMD'`,
  `intervalstyle = 'postgres'`,
  `bytea_output = 'hex'`,
  'extra_float_digits = 1',
  'statement_timeout = 0',
  'idle_in_transaction_session_timeout = 0',
]

/** Copies rows in their text form, which every type reads back without loss. Returns their number. */
export async function copyTable<A, B>(from: Transaction<A>, to: Transaction<B>, copy: TableCopy): Promise<number> {
  const insert = insertInto(copy)
  let copied = 0
  /** The insert that runs while the next rows are read. */
  let writing: Promise<unknown> = Promise.resolve()
  try {
    for await (const rows of batches(from, copy)) {
      await writing
      writing = insert(rows).execute(to)
      // Awaited above: until then, nobody would handle its failure.
      writing.catch(() => {})
      copied += rows.length
    }
  } finally {
    await writing
  }
  return copied
}

/** Reads the rows as JSON texts in batches. The cursor stays within the transaction. */
async function* batches<A>(from: Transaction<A>, copy: TableCopy): AsyncGenerator<string[]> {
  const { table, where, rows: limit, together } = copy
  const order = together === undefined ? sql`` : sql`order by ${sql.ref(together)}`
  const group = together === undefined ? sql`''` : sql`${sql.ref(together)}::text`
  await sql`
    declare copied_rows no scroll cursor for
    select ${rowText(copy)} as row, ${group} as "group" from ${sql.table(table)} ${matching(where)} ${order}
  `.execute(from)
  let held: { row: string; group: string }[] = []
  for (;;) {
    const { rows } = await sql<{ row: string; group: string }>`
      fetch forward ${sql.lit(limit)} from copied_rows`.execute(from)
    const last = rows.length < limit ? undefined : rows.at(-1)?.group
    const all = [...held, ...rows]
    // The last group of a batch may go on in the next one.
    held = together === undefined || last === undefined ? [] : all.filter(({ group }) => group === last)
    const complete = held.length === 0 ? all : all.filter(({ group }) => group !== last)
    if (complete.length > 0) yield complete.map(({ row }) => row)
    if (rows.length < limit) break
  }
  await sql`close copied_rows`.execute(from)
}

/** Inserts JSON texts of rows. One parameter holds all rows: both drivers pass it on unchanged. */
function insertInto({ table, columns }: TableCopy): (rows: readonly string[]) => RawBuilder<unknown> {
  const names = sql.join(columns.map(({ name }) => sql.ref(name)))
  const values = sql.join(columns.map(({ type }, i) => sql`(r.value ->> ${sql.lit(i)})::${sql.raw(type)}`))
  return rows => sql`
    insert into ${sql.table(table)} (${names})
    select ${values} from jsonb_array_elements(${`[${rows.join()}]`}::text::jsonb) as r (value)`
}

function rowText({ columns }: Pick<TableCopy, 'columns'>): RawBuilder<string> {
  return sql`json_build_array(${sql.join(columns.map(({ name }) => sql`${sql.ref(name)}::text`))})::text`
}

function matching(where: RawBuilder<unknown> | undefined): RawBuilder<unknown> {
  return where === undefined ? sql`` : sql`where ${where}`
}

/** The number of rows and a sum over the hashes of their texts, which is the same in any order of the rows. */
interface Fingerprint {
  rows: number
  sum: string
}

/** Reads the fingerprint of a table. Equal rows have equal ones in every database, after `prepareCopy`. */
export async function fingerprint<DB>(
  trx: Transaction<DB>,
  copy: Pick<TableCopy, 'table' | 'columns' | 'where'>,
): Promise<Fingerprint> {
  const hash = sql`encode(sha256(convert_to(${rowText(copy)}, 'UTF8')), 'hex')`
  const { rows } = await sql<Fingerprint>`
    select count(*) as rows, coalesce(sum(('x' || left(${hash}, 15))::bit(60)::bigint), 0)::text as sum
    from ${sql.table(copy.table)} ${matching(copy.where)}
  `.execute(trx)
  return rows[0] ?? { rows: 0, sum: '0' }
}
