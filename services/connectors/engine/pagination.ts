import Link from 'http-link-header'
import { parse } from 'secure-json-parse'
import { GatewayError } from '../../../lib/errors/errors.ts'
import type { Pagination } from '../../definitions/http-tool.ts'
import { compilePointer } from '../../definitions/placeholders.ts'
import type { ProviderAnswer } from './answer/classify-answer.ts'

/** What a page is asked for by: the values of `{limit}` and `{cursor}`. */
export interface PageRequest {
  readonly limit: number | undefined
  readonly cursor: string | number | undefined
}

/** How a tool pages. */
export interface Pager {
  /** What to ask for; throws invalid_request for a cursor that is not this tool's. */
  ask(args: { readonly limit?: unknown; readonly cursor?: unknown }): PageRequest
  /** The cursor of the page behind this answer; undefined behind the last one. */
  next(answer: Page, asked: PageRequest): string | undefined
}

type Page = Pick<ProviderAnswer, 'headers' | 'json' | 'redact'>
type Follow = (answer: Page, asked: PageRequest) => string | number | undefined

/** Characters of a `Link` header that are read: its reader takes the square of the time that a longer one is longer. */
const MAX_LINK = 4096

/** Makes the pager of a tool; `tool` is its wire name, to which cursors are bound. */
export function compilePager(pagination: Pagination, tool: string): Pager {
  const follow = compileFollow(pagination)
  const counted = pagination.style === 'page' || pagination.style === 'offset'
  // Another limit would move what stands on a page: some items would come twice, and some never.
  const keepsLimit = counted || pagination.style === 'link'
  const first = pagination.style === 'page' ? (pagination.first ?? 1) : pagination.style === 'offset' ? 0 : undefined

  return {
    ask({ limit, cursor }) {
      const wanted = typeof limit === 'number' ? limit : undefined
      if (typeof cursor !== 'string') return { limit: wanted, cursor: first }
      const { at, limit: kept } = readCursor(tool, cursor)
      if (counted && !(typeof at === 'number' && at >= 0)) throw foreignCursor(tool)
      return { limit: kept ?? wanted, cursor: at }
    },
    next(answer, asked) {
      const at = follow(answer, asked)
      if (at === undefined || at === '' || at === asked.cursor) return undefined
      // A caller can read what is in a cursor.
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
      return ({ headers }) => linked(headers.link, pagination.parameter ?? 'page')
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

/** A parameter of the link to the next page; undefined without one, or where the header cannot be read. */
function linked(header: string | undefined, parameter: string): string | undefined {
  if (header === undefined) return undefined
  try {
    const next = Link.parse(header.slice(0, MAX_LINK)).rel('next')[0]
    // A relative reference is one to some page of the same API: only its query is read.
    return next === undefined
      ? undefined
      : (new URL(next.uri, 'http://base.invalid').searchParams.get(parameter) ?? undefined)
  } catch {
    return undefined
  }
}

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
  const position = parsePosition(tool, cursor)
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
