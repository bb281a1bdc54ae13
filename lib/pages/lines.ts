import { Readable } from 'node:stream'
import type { PageRequest } from '../../schemas/page.ts'
import type { Page } from './pages.ts'

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
