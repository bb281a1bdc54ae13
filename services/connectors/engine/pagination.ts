import Link from 'http-link-header'
import { parse } from 'secure-json-parse'
import { GatewayError } from '../../../lib/errors/errors.ts'
import type { Pagination } from '../../definitions/http-tool.ts'
import { compilePointer } from '../../definitions/placeholders.ts'
import type { ProviderAnswer } from './answer/provider-answer.ts'

/** The values of `{limit}` and `{cursor}` for one page. */
export interface PageRequest {
  readonly limit: number | undefined
  readonly cursor: string | number | undefined
}

/** The compiled pagination of a tool. */
export interface Pager {
  /** Returns the page to request. Throws invalid_request for a cursor of another tool. */
  ask(args: { readonly limit?: unknown; readonly cursor?: unknown }): PageRequest
  /** Returns the cursor of the next page; undefined after the last page. */
  next(answer: Page, asked: PageRequest): string | undefined
}

type Page = Pick<ProviderAnswer, 'headers' | 'json' | 'redact'>
type Follow = (answer: Page, asked: PageRequest) => string | number | undefined

/** The maximum length of a `Link` header: its parser takes quadratic time. */
const MAX_LINK = 4096

/** Compiles the pagination of a tool; `tool` is its wire name, to which cursors are bound. */
export function compilePager(pagination: Pagination, tool: string): Pager {
  const follow = compileFollow(pagination)
  const counted = pagination.style === 'page' || pagination.style === 'offset'
  // Another limit would shift the pages: some items would appear twice, others never.
  const keepsLimit = counted || pagination.style === 'link'
  const first = pagination.style === 'page' ? (pagination.first ?? 1) : pagination.style === 'offset' ? 0 : undefined

  return {
    ask({ limit, cursor }) {
      const wanted = typeof limit === 'number' ? limit : undefined
      if (typeof cursor !== 'string') return { limit: wanted, cursor: first }
      const { at, limit: kept } = readCursor(tool, cursor)
      if (counted && !(typeof at === 'number' && at >= 0)) throw invalidCursor(tool)
      return { limit: kept ?? wanted, cursor: at }
    },
    next(answer, asked) {
      const at = follow(answer, asked)
      if (at === undefined || at === '' || at === asked.cursor) return undefined
      // Callers can read the contents of a cursor.
      const clean = typeof at === 'string' ? answer.redact(at) : at
      const position: PagePosition = {
        at: clean,
        ...(keepsLimit && asked.limit !== undefined && { limit: asked.limit }),
      }
      return writeCursor(tool, position)
    },
  }
}

function compileFollow(pagination: Pagination): Follow {
  const items = compilePointer(pagination.items)
  const countOf = (json: unknown) => {
    const list = items(json)
    return Array.isArray(list) ? list.length : 0
  }
  switch (pagination.style) {
    case 'cursor': {
      const next = compilePointer(pagination.next)
      const more = compileMore(pagination.more)
      return ({ json }) => (more(json) ? positionOf(next(json)) : undefined)
    }
    case 'last-id': {
      const id = compilePointer(pagination.id)
      const more = pagination.more === undefined ? undefined : compileMore(pagination.more)
      return ({ json }, { limit = 1 }) => {
        const list = items(json)
        if (!Array.isArray(list) || list.length === 0) return undefined
        const goesOn = more === undefined ? list.length >= limit : more(json)
        return goesOn ? positionOf(id(list.at(-1))) : undefined
      }
    }
    case 'page':
      return ({ json }, { limit = 1, cursor }) => (countOf(json) >= limit ? Number(cursor) + 1 : undefined)
    case 'offset': {
      const total = pagination.total === undefined ? undefined : compilePointer(pagination.total)
      return ({ json }, { limit = 1, cursor }) => {
        const count = countOf(json)
        const behind = Number(cursor) + count
        const all = total?.(json)
        const goesOn = typeof all === 'number' ? behind < all : count >= limit
        return count > 0 && goesOn ? behind : undefined
      }
    }
    case 'link':
      return ({ headers }) => nextLinkParameter(headers.link, pagination.parameter ?? 'page')
  }
}

function compileMore(pointer: string | undefined): (json: unknown) => boolean {
  if (pointer === undefined) return () => true
  const more = compilePointer(pointer)
  return json => more(json) === true
}

function positionOf(value: unknown): string | number | undefined {
  return typeof value === 'string' || Number.isSafeInteger(value) ? (value as string | number) : undefined
}

/** Returns a parameter of the link to the next page; undefined if there is none or the header is invalid. */
function nextLinkParameter(header: string | undefined, parameter: string): string | undefined {
  if (header === undefined) return undefined
  try {
    const next = Link.parse(header.slice(0, MAX_LINK)).rel('next')[0]
    // A relative reference belongs to the same API. Only its query is read.
    return next === undefined
      ? undefined
      : (new URL(next.uri, 'http://base.invalid').searchParams.get(parameter) ?? undefined)
  } catch {
    return undefined
  }
}

const VERSION = 1

/** The start of a page in the provider's own terms: a cursor, a page, an offset or an ID. */
interface PagePosition {
  readonly at: string | number
  /** The page size, if another size would shift the pages. */
  readonly limit?: number
}

/** Returns the opaque cursor for the caller, bound to one tool. */
export function writeCursor(tool: string, { at, limit }: PagePosition): string {
  const content = { v: VERSION, t: tool, p: at, ...(limit !== undefined && { l: limit }) }
  return Buffer.from(JSON.stringify(content)).toString('base64url')
}

/** Returns the position of a cursor. Throws invalid_request unless `writeCursor` created it for this tool. */
export function readCursor(tool: string, cursor: string): PagePosition {
  const position = parsePosition(tool, cursor)
  // Base64 decoding is lenient: only a cursor that encodes to the same text was created here.
  if (position !== undefined && writeCursor(tool, position) === cursor) return position
  throw invalidCursor(tool)
}

/** The error for a cursor that this tool did not return. */
function invalidCursor(tool: string): GatewayError {
  return new GatewayError(
    'invalid_request',
    `This cursor does not belong to ${tool}. Send next_cursor unchanged, or no cursor for the first page.`,
  )
}

function parsePosition(tool: string, cursor: string): PagePosition | undefined {
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
