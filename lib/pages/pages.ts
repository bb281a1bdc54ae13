import { Readable } from 'node:stream'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { PageRequest } from '../../schemas/primitives/page.ts'
import { GatewayError } from '../errors/errors.ts'

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

/** The position after which a page starts: the time and the ID of the last row before it. */
interface Position {
  /** With microseconds, as the database has them: `2026-11-23T04:05:06.123456Z`. */
  at: string
  id: string
}

const AT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const ID = /^[\w.-]{1,128}$/

/** Writes a position as an opaque text. `list` names the list, so that no other one accepts it. */
export function writeCursor(list: string, { at, id }: Position): string {
  return Buffer.from(JSON.stringify([list, at, id])).toString('base64url')
}

/** Reads the cursor of a list. Throws invalid_request if the text is not a cursor of this list. */
export function readCursor(list: string, cursor: string): Position {
  const [name, at, id] = partsOf(cursor)
  if (name !== list || !isTime(at) || !ID.test(id))
    throw new GatewayError(
      'invalid_request',
      'cursor is not a cursor of this list. Send the next_cursor of its previous page, or omit cursor for the first page.',
    )
  return { at, id }
}

/** Whether the database knows the time. Date.parse alone would take 30 February for 2 March, and knows a year 0. */
function isTime(at: string): boolean {
  if (!AT.test(at) || at.startsWith('0000')) return false
  const time = new Date(at)
  return !Number.isNaN(time.getTime()) && time.toISOString().slice(0, 19) === at.slice(0, 19)
}

function partsOf(cursor: string): readonly [name: unknown, at: string, id: string] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parts) ? [parts[0], String(parts[1]), String(parts[2])] : [undefined, '', '']
  } catch {
    return [undefined, '', '']
  }
}

/** Rows per query of an export. */
const ROWS = 1_000
/** The maximum number of rows of an export. */
const MOST_ROWS = 100_000

/**
 * Streams the rows of all pages as JSON Lines, from the page of a cursor. It holds one page and, between pages, no
 * connection of the database. An export that reaches its maximum ends with a line that has only `next_cursor`.
 */
export function readLines<Row>(
  read: (page: PageRequest) => Promise<Page<Row>>,
  toEntry: (row: Row) => object,
  { cursor, mostRows = MOST_ROWS, rows = ROWS }: { cursor: string | undefined; mostRows?: number; rows?: number },
): Readable {
  async function* lines() {
    let next: string | null | undefined = cursor
    for (let sent = 0; next !== null; ) {
      if (sent >= mostRows) {
        yield `${JSON.stringify({ next_cursor: next })}\n`
        return
      }
      const page: Page<Row> = await read({ limit: Math.min(rows, mostRows - sent), cursor: next })
      yield page.rows.map(row => `${JSON.stringify(toEntry(row))}\n`).join('')
      sent += page.rows.length
      next = page.nextCursor
      // The embedded database never yields to the event loop, which has other work to do.
      await new Promise(setImmediate)
    }
  }
  return Readable.from(lines(), { objectMode: false, highWaterMark: 1 })
}
