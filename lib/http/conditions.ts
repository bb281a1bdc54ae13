import type { IncomingHttpHeaders } from 'node:http'

/** The stored form of a resource, whose bytes never change. */
interface Representation {
  /** A strong validator, with its quotes. */
  readonly etag: string
  /** In whole seconds, as the header has it. */
  readonly lastModified: Date
  readonly bytes: number
}

/** How to answer a GET or HEAD request: whole, a range of bytes (both ends included), or without a body. */
type Answer =
  | { readonly status: 200 | 304 | 412 | 416 }
  | { readonly status: 206; readonly range: { readonly start: number; readonly end: number } }

/** Evaluates the conditions and the range of a GET or HEAD request (RFC 9110, sections 13.2.2 and 14.2). */
export function evaluateConditions(headers: IncomingHttpHeaders, representation: Representation): Answer {
  const { etag, lastModified, bytes } = representation
  const modified = Math.floor(lastModified.getTime() / 1000)
  if (headers['if-match'] !== undefined) {
    if (!matches(headers['if-match'], etag)) return { status: 412 }
  } else if ((secondsOf(headers['if-unmodified-since']) ?? modified) < modified) return { status: 412 }
  if (headers['if-none-match'] !== undefined) {
    if (matches(headers['if-none-match'].replaceAll('W/"', '"'), etag)) return { status: 304 }
  } else if ((secondsOf(headers['if-modified-since']) ?? Number.NEGATIVE_INFINITY) >= modified) return { status: 304 }

  const ifRange = headers['if-range']
  if (typeof ifRange === 'string' && ifRange !== etag && secondsOf(ifRange) !== modified) return { status: 200 }
  return rangeOf(headers.range, bytes)
}

function matches(list: string, etag: string): boolean {
  return list.trim() === '*' || list.split(',').some(item => item.trim() === etag)
}

function secondsOf(date: string | undefined): number | undefined {
  const milliseconds = date === undefined ? Number.NaN : Date.parse(date)
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000)
}

/** Several ranges, other units and invalid ranges are ignored, as the RFC allows. */
function rangeOf(header: string | undefined, bytes: number): Answer {
  const [, first, last] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return { status: 200 }
  const suffix = first === ''
  const start = suffix ? Math.max(0, bytes - Number(last)) : Number(first)
  const end = suffix || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  if (!suffix && last !== '' && Number(last) < Number(first)) return { status: 200 }
  return start < bytes ? { status: 206, range: { start, end } } : { status: 416 }
}
