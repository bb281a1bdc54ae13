import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { MAX_ERROR_TEXT, redactPrivateAddresses } from '../../../lib/egress/private-addresses.ts'
import type { InputRequiredResult } from '../../../schemas/mcp.ts'
import type { ToolResult } from '../../mcp/contract.ts'
import { SERVER_INFO_KEY } from '../../mcp/protocol.ts'

/** What this service's own members of `_meta` begin with; from an upstream they would be forged. */
const OWN = 'connector-gateway/'

/** Whether a result asks for input first. */
export function asksForInput(result: ToolResult): result is InputRequiredResult {
  return result.resultType === 'input_required'
}

/** A result as it goes on: all that the upstream has sent, but for what only the server that answers can say of itself. */
export function passedOn({ resultType: _, _meta: meta, ...result }: CallToolResult): CallToolResult {
  const _meta = passedOnMeta(meta)
  return { ...(result.isError === true ? withoutAddresses(result) : result), ...(_meta !== undefined && { _meta }) }
}

/** An error for the model to read is an upstream's text about itself; a result is what the member asked for, and stays. */
function withoutAddresses({ content, structuredContent, ...rest }: CallToolResult): CallToolResult {
  let left = MAX_ERROR_TEXT
  const redact = (text: string) => {
    const redacted = redactPrivateAddresses(text, left)
    left -= Math.min(left, text.length)
    return redacted
  }
  return {
    ...rest,
    content: content.map(item => {
      if (item.type === 'text') return { ...item, text: redact(item.text) }
      if (item.type !== 'resource' || !('text' in item.resource)) return item
      return { ...item, resource: { ...item.resource, text: redact(item.resource.text) } }
    }),
    ...(structuredContent !== undefined && {
      structuredContent: mapTexts(structuredContent, redact) as Record<string, unknown>,
    }),
  }
}

/** JSON with every text in it replaced. */
function mapTexts(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value)
  if (Array.isArray(value)) return value.map(item => mapTexts(item, replace))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, replace)]))
}

/** The same of its `_meta` alone. */
export function passedOnMeta(meta: ToolResult['_meta']): Record<string, unknown> | undefined {
  if (meta === undefined) return undefined
  return Object.fromEntries(Object.entries(meta).filter(([name]) => name !== SERVER_INFO_KEY && !name.startsWith(OWN)))
}
