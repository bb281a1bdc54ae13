import { parse } from 'secure-json-parse'
import { GatewayError } from '../../../../lib/errors/errors.ts'

const VERSION = 1

/** Where a page begins, in the provider's own terms: its cursor, a page, an offset, an id. */
export interface PagePosition {
  readonly at: string | number
  /** How many each page has, where another number would move what stands on it. */
  readonly limit?: number
}

/** The cursor that a caller is given: opaque, of one tool. */
export function writeCursor(tool: string, { at, limit }: PagePosition): string {
  const content = { v: VERSION, t: tool, p: at, ...(limit !== undefined && { l: limit }) }
  return Buffer.from(JSON.stringify(content)).toString('base64url')
}

/** The position a cursor stands for. Throws invalid_request on what `writeCursor` did not make for this tool. */
export function readCursor(tool: string, cursor: string): PagePosition {
  const position = positionOf(tool, cursor)
  // Base64 is read generously: only what comes out the same was written here.
  if (position !== undefined && writeCursor(tool, position) === cursor) return position
  throw foreignCursor(tool)
}

/** The refusal of a cursor that was not given out by this tool. */
export function foreignCursor(tool: string): GatewayError {
  return new GatewayError(
    'invalid_request',
    `This cursor is not one of ${tool}. Send next_cursor unchanged, or no cursor for the first page.`,
  )
}

function positionOf(tool: string, cursor: string): PagePosition | undefined {
  let content: unknown
  try {
    content = parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
  if (typeof content !== 'object' || content === null) return undefined
  const { v, t, p, l } = content as Partial<Record<'v' | 't' | 'p' | 'l', unknown>>
  if (v !== VERSION || t !== tool) return undefined
  if (typeof p !== 'string' && !Number.isSafeInteger(p)) return undefined
  if (l !== undefined && !(Number.isSafeInteger(l) && Number(l) > 0)) return undefined
  return { at: p as string | number, ...(l !== undefined && { limit: l as number }) }
}
