import { isUtf8 } from 'node:buffer'

/** The text of a body; undefined if it is not UTF-8, or has a byte order mark, which JSON must not have (RFC 8259, section 8.1). */
export function decodeBody(body: Buffer): string | undefined {
  return isUtf8(body) && !hasByteOrderMark(body) ? body.toString('utf8') : undefined
}

/** Whether a body begins with the byte order mark of UTF-8. */
export function hasByteOrderMark(body: Buffer): boolean {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf
}
