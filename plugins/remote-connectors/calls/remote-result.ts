import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { InputRequiredResult } from '../../../schemas/mcp.ts'
import { withoutPrivateAddresses } from '../../connectors/engine/answer/private-addresses.ts'
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
  const content = result.isError === true ? result.content.map(withoutAddresses) : result.content
  return { ...result, content, ...(_meta !== undefined && { _meta }) }
}

/** An error for the model to read is an upstream's text about itself; a result is what the member asked for, and stays. */
function withoutAddresses(item: CallToolResult['content'][number]): CallToolResult['content'][number] {
  return item.type === 'text' ? { ...item, text: withoutPrivateAddresses(item.text) } : item
}

/** The same of its `_meta` alone. */
export function passedOnMeta(meta: ToolResult['_meta']): Record<string, unknown> | undefined {
  if (meta === undefined) return undefined
  return Object.fromEntries(Object.entries(meta).filter(([name]) => name !== SERVER_INFO_KEY && !name.startsWith(OWN)))
}
