import { isJsonObject } from '../../../../lib/http/json.ts'
import { hasHidden, sanitizeText } from '../../../../lib/sanitize-text.ts'
import { SERVER_INFO_KEY } from '../../../mcp/protocol.ts'
import { OWN_META } from '../../published-meta.ts'
import type { PinnedMeta } from '../../snapshot.ts'
import { isDeeper } from './schema-rejections.ts'

const MAX_BYTES = 8_192
const MAX_DEPTH = 8
const MAX_TEXT = 4_096
const MAX_KEY = 256

/**
 * The `_meta` of a listed item, sanitized and without the members that only the answering server may set. Undefined if
 * nothing is left, or if it is too large or too deep: clients work without it.
 */
export function pinMeta(sent: unknown): PinnedMeta | undefined {
  if (!isJsonObject(sent) || isDeeper([sent], MAX_DEPTH)) return undefined
  if (Buffer.byteLength(JSON.stringify(sent)) > MAX_BYTES) return undefined
  const kept = Object.entries(sent).filter(([name]) => name !== SERVER_INFO_KEY && !name.startsWith(OWN_META))
  const meta = cleaned(Object.fromEntries(kept)) as PinnedMeta
  return Object.keys(meta).length === 0 ? undefined : meta
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return sanitizeText(value, MAX_TEXT)
  if (Array.isArray(value)) return value.map(cleaned)
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).filter(
    ([name]) => name !== '__proto__' && name.length <= MAX_KEY && !hasHidden(name),
  )
  return Object.fromEntries(members.map(([name, member]) => [name, cleaned(member)]))
}
