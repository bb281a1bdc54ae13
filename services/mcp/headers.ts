import { isUtf8 } from 'node:buffer'

/** Node's header record: names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The value of a header without leading and trailing white space, which is not part of it (RFC 9110, 5.5). */
export function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value.trim() : value?.join(', ').trim()
}

const PREFIX = '=?base64?'
const ENCODED = /^=\?base64\?(.*)\?=$/s
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
/** Values that a header carries unchanged: printable ASCII without white space at the ends (RFC 9110, 5.5). */
const PLAIN = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/

/** A token (RFC 9110, 5.6.2). */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** Whether text can be a header name, or part of one. */
export function isHeaderName(text: string): boolean {
  return NAME.test(text)
}

/** Encodes a value of a message for a header of 2026-07-28: as `=?base64?…?=` if the header cannot carry it unchanged. */
export function encodeHeader(value: string): string {
  if (PLAIN.test(value) && !value.startsWith(PREFIX)) return value
  return `${PREFIX}${Buffer.from(value).toString('base64')}?=`
}

/** Decodes a header value in `=?base64?…?=` and returns others unchanged; undefined if it is not base64 of UTF-8. */
export function decodeHeader(value: string): string | undefined {
  const encoded = ENCODED.exec(value)?.[1]
  if (encoded === undefined) return value
  if (!BASE64.test(encoded)) return undefined
  const bytes = Buffer.from(encoded, 'base64')
  return isUtf8(bytes) ? bytes.toString() : undefined
}
