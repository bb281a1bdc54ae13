/** The headers that MCP clients send with each message. */
export const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const MODERN = '2026-07-28'

/** Returns a function that makes a request with an ID. */
export function rpc(method: string, params: object): (id: number) => string {
  return id => JSON.stringify({ jsonrpc: '2.0', id, method, params })
}

/** Returns the headers and body of a tool call by a client of 2026-07-28. */
export function asModern(params: { name: string; arguments: object }) {
  return {
    headers: { ...HEADERS, 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': params.name },
    body: rpc('tools/call', {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': MODERN,
        'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    }),
  }
}
