import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'

/** A result that says the same twice: as data, and as text for clients that read content blocks alone (MCP, structured content). */
export function structured(content: Record<string, unknown>, text = JSON.stringify(content)): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: content }
}
