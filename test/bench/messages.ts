/** What clients of MCP send with each message. */
export const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const MODERN = '2026-07-28'

/** A request by its id. */
export function rpc(method: string, params: object): (id: number) => string {
  return id => JSON.stringify({ jsonrpc: '2.0', id, method, params })
}

/** A call as a client of 2026-07-28 sends it. */
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
