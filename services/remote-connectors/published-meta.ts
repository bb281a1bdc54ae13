import type { ContentBlock } from '@modelcontextprotocol/sdk/types.js'
import { isJsonObject } from '../../lib/http/json.ts'
import { SERVER_INFO_KEY } from '../mcp/protocol.ts'
import { toGatewayUri, toUiUri, UI_SCHEME } from './resource-uri.ts'
import type { PinnedMeta } from './snapshot.ts'

/** The prefix of this gateway's own `_meta` members, which an upstream must not set. */
export const OWN_META = 'connector-gateway/'

/** The `_meta` as clients get it: interfaces (`ui://…`) have the URIs under which this gateway serves them. */
export function publishedMeta(slug: string, meta: PinnedMeta): Record<string, unknown> {
  return mapped(meta, slug) as Record<string, unknown>
}

function mapped(value: unknown, slug: string): unknown {
  if (typeof value === 'string') return value.startsWith(UI_SCHEME) ? toUiUri(slug, value) : value
  if (Array.isArray(value)) return value.map(item => mapped(item, slug))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapped(member, slug)]))
}

/** Whether a `_meta` names an interface. */
export function namesInterface(value: unknown): boolean {
  if (typeof value === 'string') return value.startsWith(UI_SCHEME)
  return typeof value === 'object' && value !== null && Object.values(value).some(namesInterface)
}

/** The `_meta` of a result, without the members that only the answering server may set. */
export function withoutOwnMeta(
  meta: Readonly<Record<string, unknown>> | undefined,
): Record<string, unknown> | undefined {
  if (meta === undefined) return undefined
  const all = Object.entries(meta)
  const left = all.filter(([name]) => name !== SERVER_INFO_KEY && !name.startsWith(OWN_META))
  return left.length === 0 && all.length > 0 ? undefined : Object.fromEntries(left)
}

/** A content block of an upstream, with the URI under which this gateway serves its resource. */
export function publishedBlock(slug: string, block: ContentBlock): ContentBlock {
  if (block.type === 'resource_link') return { ...block, uri: toGatewayUri(slug, block.uri) }
  if (block.type !== 'resource') return block
  return { ...block, resource: { ...block.resource, uri: toGatewayUri(slug, block.resource.uri) } }
}
