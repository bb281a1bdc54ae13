import { isDeepStrictEqual } from 'node:util'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type Column, columnsOf, copyTable, fingerprint, prepareCopy } from '../../lib/database/copy-table.ts'
import { isDatabaseUnavailable } from '../../lib/database/database-errors.ts'
import { unknownMigrations } from '../../lib/database/migrate.ts'
import type { OpenDatabase } from '../../lib/database/open-database.ts'
import type { Database } from '../../lib/database/tables.ts'
import { UsageError } from '../../lib/errors/errors.ts'
import { counted, joined } from '../../lib/wording.ts'
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
    ? joined(tables, 'and')
    : joined([...tables.slice(0, NAMED_TABLES), counted(others, 'other table')], 'and')
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
