import { isUtf8 } from 'node:buffer'

/** Node's header record: names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** A header's value without the white space around it, which is no part of it (RFC 9110, 5.5). */
export function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value.trim() : value?.join(', ').trim()
}

const PREFIX = '=?base64?'
const ENCODED = /^=\?base64\?(.*)\?=$/s
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
/** What a header brings over as it is: printable ASCII without white space at its ends (RFC 9110, 5.5). */
const PLAIN = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/

/** A token (RFC 9110, 5.6.2). */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** Whether a text can be the name of a header, or a part of one. */
export function isHeaderName(text: string): boolean {
  return NAME.test(text)
}

/** A value of a message as a header of 2026-07-28 repeats it: in `=?base64?…?=` where it could not stand by itself. */
export function encodeHeader(value: string): string {
  if (PLAIN.test(value) && !value.startsWith(PREFIX)) return value
  return `${PREFIX}${Buffer.from(value).toString('base64')}?=`
}

/** A header's value, decoded where it stands in `=?base64?…?=`; undefined when that is not base64 of UTF-8. */
export function decodeHeader(value: string): string | undefined {
  const encoded = ENCODED.exec(value)?.[1]
  if (encoded === undefined) return value
  if (!BASE64.test(encoded)) return undefined
  const bytes = Buffer.from(encoded, 'base64')
  return isUtf8(bytes) ? bytes.toString() : undefined
}
