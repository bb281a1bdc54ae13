import type { IncomingMessage } from 'node:http'
import { isJsonContentType } from '@modelcontextprotocol/sdk/shared/mediaType.js'
import { parse } from 'content-type'
import { isRepeated } from './repeated-headers.ts'

/** JSON is UTF-8 (RFC 8259, section 8.1); no charset, or an empty one, says nothing else. */
const UTF8 = new Set([undefined, '', 'utf-8', 'utf8'])

/** What nearly every client sends. */
const COMMON = new Set(['application/json', 'application/json; charset=utf-8', 'application/json;charset=utf-8'])

/**
 * Whether a request says that its body is JSON in UTF-8, by one Content-Type. The media type is read as the official
 * SDK reads it, which tolerates malformed parameters.
 */
export function declaresJson({ headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): boolean {
  const type = headers['content-type']
  if (type === undefined || isRepeated('content-type', rawHeaders)) return false
  return COMMON.has(type) || (isJsonContentType(type) && UTF8.has(parse(type).parameters.charset?.toLowerCase()))
}
