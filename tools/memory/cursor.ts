import { GatewayError } from '../../lib/errors/errors.ts'

const VERSION = '1'

/** The cursor of the page behind a memory. */
export function pageCursor(lastId: string): string {
  return Buffer.from(`${VERSION}:${lastId}`).toString('base64url')
}

/** The id a cursor stands for. Throws invalid_request on what `pageCursor` did not make. */
export function readCursor(cursor: string): string {
  const [, id] = /^1:(mem_[0-9a-f]{32})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (id === undefined || pageCursor(id) !== cursor)
    throw new GatewayError(
      'invalid_request',
      'This cursor is not one of memory__list_memories. Send next_cursor unchanged, or no cursor for the first page.',
    )
  return id
}
