import type { IncomingMessage } from 'node:http'
import { parse } from 'content-type'

/**
 * Whether a request has a header more than once; the name is given in lower case. Node shows only the first value of
 * some headers (Host, Authorization, Content-Type) and joins the values of others.
 */
export function isRepeated(name: string, rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const raw = rawHeaders[i]
    if (raw?.length === name.length && (raw === name || raw.toLowerCase() === name)) count++
  }
  return count > 1
}

/** The headers of MCP and of this gateway that have one value. */
const SINGLE = /^(?:mcp-.+|x-mcp-.+|idempotency-key)$/

/**
 * Turns every repeated MCP header and idempotency key into an array. Node joins the values with commas, and the result
 * may look like one value.
 */
export function listRepeated({ headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): void {
  // As many names as lines means that no header is repeated.
  if (Object.keys(headers).length * 2 === rawHeaders.length) return
  const values = new Map<string, string[]>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? ''
    if (!SINGLE.test(name)) continue
    const list = values.get(name) ?? []
    list.push(rawHeaders[i + 1] ?? '')
    values.set(name, list)
  }
  for (const [name, list] of values) if (list.length > 1) headers[name] = list
}

/** JSON is UTF-8 (RFC 8259, section 8.1). An absent or empty charset means the same. */
const UTF8 = new Set([undefined, '', 'utf-8', 'utf8'])

/** The values that nearly every client sends. */
const COMMON = new Set(['application/json', 'application/json; charset=utf-8', 'application/json;charset=utf-8'])

/**
 * Whether a Content-Type is JSON, with any parameters, malformed ones too. A comma outside of quotes joins several values,
 * of which none counts.
 */
export function isJson(contentType: string | undefined): boolean {
  if (contentType === undefined) return false
  const { type, index } = parse(contentType, { comma: true })
  return type === 'application/json' && index === contentType.length
}

/** Whether a request has exactly one Content-Type, of JSON in UTF-8. */
export function declaresJson({ headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): boolean {
  const type = headers['content-type']
  if (type === undefined || isRepeated('content-type', rawHeaders)) return false
  return COMMON.has(type) || (isJson(type) && UTF8.has(parse(type).parameters.charset?.toLowerCase()))
}

/**
 * Whether an `Accept-Encoding` accepts a coding, by name or by `*`, with a weight above 0 (RFC 9110, 12.5.3). gzip is also
 * named x-gzip.
 */
export function acceptsEncoding(header: string | undefined, coding: 'br' | 'gzip'): boolean {
  if (header === undefined) return false
  let any = false
  for (const item of header.toLowerCase().split(',')) {
    const [name = '', weight = ''] = item.split(';', 2)
    const accepted = !/^\s*q\s*=\s*0(\.0*)?\s*$/.test(weight)
    const named = name.trim()
    if (named === coding || (named === 'x-gzip' && coding === 'gzip')) return accepted
    if (named === '*') any = accepted
  }
  return any
}

/** `Retry-After` in seconds, from its number or its date (RFC 9110, 10.2.3): negative for one that has passed. */
export function retryAfter(header: string | null | undefined, now: number): number | undefined {
  if (header === null || header === undefined) return undefined
  return numberOf(header) ?? secondsUntil(header, now)
}

/** A number as headers have it, with a fraction where a provider is that exact; undefined for anything else. */
export function numberOf(text: string): number | undefined {
  return /^\s*\d{1,16}(?:\.\d{1,9})?\s*$/.test(text) ? Number(text) : undefined
}

/** Seconds until an HTTP date; undefined if the text is not a date. */
export function secondsUntil(date: string, now: number): number | undefined {
  const time = Date.parse(date)
  return Number.isNaN(time) ? undefined : (time - now) / 1_000
}

/**
 * Whether an answer rejects the access token: 401, or the `invalid_token` of RFC 6750 under another status, which some
 * servers send for an expired token.
 */
export function rejectsToken(status: number, headers: Readonly<Record<string, string>>): boolean {
  if (status === 401) return true
  return (
    (status === 400 || status === 403) && /\berror\s*=\s*"?invalid_token\b/i.test(headers['www-authenticate'] ?? '')
  )
}
