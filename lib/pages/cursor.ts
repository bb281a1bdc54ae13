import { GatewayError } from '../errors/errors.ts'

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

/** Reads the cursor of a list. Throws invalid_request for a text that is none of this list. */
export function readCursor(list: string, cursor: string): Position {
  const [name, at, id] = partsOf(cursor)
  if (name !== list || !isTime(at) || !ID.test(id))
    throw new GatewayError(
      'invalid_request',
      'cursor is not a cursor of this list. Send the next_cursor of its previous page, or none for the first page.',
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
