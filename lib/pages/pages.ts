import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { PageRequest } from '../../schemas/page.ts'
import { readCursor, writeCursor } from './cursor.ts'

/** Rows of a list, and the cursor of the next page; null after the last row. */
export interface Page<Row> {
  rows: Row[]
  nextCursor: string | null
}

interface KeysetOf {
  /** The name of the list, which its cursors contain. */
  list: string
  /** The column of the time, which need not be unique; with its table in a join. */
  at: string
  /** The column of the unique ID. */
  id: string
}

/**
 * Reads a page of a query, newest first. A page continues after the last row of the previous one, so rows that are added
 * meanwhile neither move nor repeat others. Throws invalid_request for a cursor of another list.
 *
 * @example const { rows, nextCursor } = await readPage(org.selectFrom('audit').select(['action']), { list: 'audit', at: 'at', id: 'id' }, page)
 */
export async function readPage<DB, TB extends keyof DB, Row extends object>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { list, at, id }: KeysetOf,
  { limit, cursor }: PageRequest,
): Promise<Page<Row>> {
  const [time, key] = [sql.ref(at), sql.ref(id)]
  const position = cursor === undefined ? undefined : readCursor(list, cursor)
  const rows = (await query
    .$if(position !== undefined, from =>
      from.where(sql<boolean>`(${time}, ${key}) < (${position?.at}::timestamptz, ${position?.id})`),
    )
    .orderBy(time, 'desc')
    .orderBy(key, 'desc')
    // One more, to see whether there is a next page.
    .limit(limit + 1)
    .select([inMicroseconds(time).as('page_at'), sql<string>`${key}`.as('page_id')])
    .execute()) as unknown as (Row & { page_at: string; page_id: string })[]
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    rows: page.map(({ page_at: _at, page_id: _id, ...row }) => row as unknown as Row),
    nextCursor: last === undefined ? null : writeCursor(list, { at: last.page_at, id: last.page_id }),
  }
}

/** The time as text. A Date has milliseconds only, and would skip or repeat rows. */
function inMicroseconds(time: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}
