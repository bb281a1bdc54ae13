import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'

/** A column, and its type as a cast names it. */
export interface Column {
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
