import { isDeepStrictEqual } from 'node:util'
import Link from 'http-link-header'
import { parse } from 'secure-json-parse'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { isJsonObject } from '../../../lib/http/json.ts'
import { redactedJson } from '../../../lib/redaction/redactor.ts'
import type { Pagination } from '../../definitions/http-tool-types.ts'
import { compilePointer } from '../../definitions/placeholders.ts'
import type { ProviderAnswer } from './answer/provider-answer.ts'

/** The values of `{limit}` and `{cursor}` for one page. */
export interface PageRequest {
  readonly limit: number | undefined
  readonly cursor: Position | undefined
}

/** The start of a page in the provider's own terms: a cursor, a page, an offset, an ID, or parameters of a URL. */
type Position = string | number | Readonly<Record<string, string>>

/** The compiled pagination of a tool. */
export interface Pager {
  /** Whether an answer without a list is an empty page. */
  readonly omitsEmpty: boolean
  /** Returns the page to request. Throws invalid_request for a cursor of another tool. */
  ask(args: { readonly limit?: unknown; readonly cursor?: unknown }): PageRequest
  /** Returns the cursor of the next page; undefined after the last page. */
  next(answer: Page, asked: PageRequest): string | undefined
}

type Page = Pick<ProviderAnswer, 'headers' | 'json' | 'redact'>
type Follow = (answer: Page, asked: PageRequest) => Position | undefined

/** The maximum length of a `Link` header: its parser takes quadratic time. */
const MAX_LINK = 4096

/** Compiles the pagination of a tool; `tool` is its wire name, to which cursors are bound. */
export function compilePager(pagination: Pagination, tool: string): Pager {
  const follow = compileFollow(pagination)
  const counted = pagination.style === 'page' || pagination.style === 'offset'
  // Another limit would shift the pages: some items would appear twice, others never.
  const keepsLimit = counted || pagination.style === 'link'
  const first = pagination.style === 'page' ? (pagination.first ?? 1) : pagination.style === 'offset' ? 0 : undefined

  const parameters = 'parameters' in pagination ? pagination.parameters : undefined
  const isPosition = (at: Position) => {
    if (counted) return typeof at === 'number' && at >= 0
    return parameters === undefined
      ? typeof at !== 'object'
      : typeof at === 'object' && Object.keys(at).every(name => parameters.includes(name))
  }

  return {
    omitsEmpty: pagination.omitsEmpty === true,
    ask({ limit, cursor }) {
      const wanted = typeof limit === 'number' ? limit : undefined
      if (typeof cursor !== 'string') return { limit: wanted, cursor: first }
      const { at, limit: kept } = readCursor(tool, cursor)
      if (!isPosition(at)) throw invalidCursor(tool)
      return { limit: kept ?? wanted, cursor: at }
    },
    next(answer, asked) {
      const at = follow(answer, asked)
      if (at === undefined || at === '' || isDeepStrictEqual(at, asked.cursor)) return undefined
      // Callers can read the contents of a cursor.
      const clean = redactedJson(at, answer.redact) as Position
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
  const listOf = (json: unknown): readonly unknown[] => {
    const list = items(json)
    return Array.isArray(list) ? list : []
  }
  const flag = compileFlag(pagination)
  /** Without a flag, a page that is not full is the last one; without a limit, an empty one. */
  const goesOn = (json: unknown, { limit = 1 }: PageRequest) => flag(json) ?? listOf(json).length >= limit
  switch (pagination.style) {
    case 'cursor': {
      const next = compilePointer(pagination.next)
      return ({ json }) => (flag(json) === false ? undefined : positionOf(next(json)))
    }
    case 'last-id': {
      const id = compilePointer(pagination.id)
      return ({ json }, asked) => {
        const list = listOf(json)
        return list.length > 0 && goesOn(json, asked) ? positionOf(id(list.at(-1))) : undefined
      }
    }
    case 'page': {
      const pages = pagination.pages === undefined ? undefined : compilePointer(pagination.pages)
      return ({ json }, asked) => {
        const further =
          pages === undefined ? listOf(json).length > 0 && goesOn(json, asked) : isBefore(asked, pages(json))
        return further ? Number(asked.cursor) + 1 : undefined
      }
    }
    case 'offset': {
      const total = pagination.total === undefined ? undefined : compilePointer(pagination.total)
      return ({ json }, asked) => {
        const count = listOf(json).length
        const behind = Number(asked.cursor) + count
        const all = total?.(json)
        const further = typeof all === 'number' ? behind < all : goesOn(json, asked)
        return count > 0 && further ? behind : undefined
      }
    }
    case 'link':
      return ({ headers, json }) =>
        flag(json) === false ? undefined : nextLinkParameter(headers.link, pagination.parameter ?? 'page')
    case 'next-url': {
      const next = compilePointer(pagination.next)
      const take =
        'parameters' in pagination
          ? (url: URL) => parametersOf(url, pagination.parameters)
          : (url: URL) => lastSegment(url)
      return ({ json }) => {
        const url = next(json)
        const parsed = typeof url === 'string' && url !== '' ? URL.parse(url, 'http://base.invalid') : null
        return parsed === null || flag(json) === false ? undefined : take(parsed)
      }
    }
  }
}

/** Whether a page is before the last one, whose number some providers give as text. */
function isBefore({ cursor }: PageRequest, last: unknown): boolean {
  return (typeof last === 'number' || typeof last === 'string') && Number(cursor) < Number(last)
}

/** Compiles the flag of an answer that says whether another page follows. The result is undefined without a flag. */
function compileFlag({ more, last }: Pagination): (json: unknown) => boolean | undefined {
  const pointer = more ?? last
  if (pointer === undefined) return () => undefined
  const read = compilePointer(pointer)
  return json => (read(json) === true) === (more !== undefined)
}

function parametersOf({ searchParams }: URL, names: readonly string[]): Record<string, string> | undefined {
  const found = names.flatMap(name => {
    const value = searchParams.get(name)
    return value === null ? [] : [[name, value]]
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

function lastSegment({ pathname }: URL): string | undefined {
  try {
    return decodeURIComponent(pathname.split('/').at(-1) ?? '')
  } catch {
    return undefined
  }
}

function positionOf(value: unknown): string | number | undefined {
  return typeof value === 'string' || Number.isSafeInteger(value) ? (value as string | number) : undefined
}

/** Returns a parameter of the link to the next page; undefined if there is none or the header is invalid. */
function nextLinkParameter(header: string | undefined, parameter: string): string | undefined {
  if (header === undefined) return undefined
  try {
    const next = Link.parse(header.slice(0, MAX_LINK)).rel('next')[0]
    // Some providers always link to a next page, and say whether it has results.
    if (next?.results === 'false') return undefined
    // A relative reference belongs to the same API. Only its query is read.
    return next === undefined
      ? undefined
      : (new URL(next.uri, 'http://base.invalid').searchParams.get(parameter) ?? undefined)
  } catch {
    return undefined
  }
}

const VERSION = 1

interface PagePosition {
  readonly at: Position
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
export function invalidCursor(tool: string): GatewayError {
  return new GatewayError(
    'invalid_request',
    `This cursor does not belong to ${tool}. Send next_cursor unchanged, or omit cursor for the first page.`,
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
  if (typeof p !== 'string' && !Number.isSafeInteger(p) && !isTexts(p)) return undefined
  if (l !== undefined && !(Number.isSafeInteger(l) && Number(l) > 0)) return undefined
  return { at: p as Position, ...(l !== undefined && { limit: l as number }) }
}

function isTexts(value: unknown): boolean {
  return isJsonObject(value) && Object.values(value).every(member => typeof member === 'string')
}
