import type { RpcMessage, RpcRequest } from '../../schemas/mcp.ts'
import { after } from './after.ts'
import type { Answer, McpDeps } from './contract.ts'
import { type Headers, headerOf } from './headers.ts'
import { isRequest, RPC_CODES, rpcErrorAnswer, rpcResultAnswer } from './json-rpc.ts'
import { LEGACY_VERSIONS } from './protocol.ts'
import { readToolRequest } from './read-tool-request.ts'

/** Answers a message of the revisions that begin with `initialize` (2024-11-05 to 2025-11-25). */
export function dispatchLegacy(headers: Headers, message: RpcMessage, deps: McpDeps): Answer | Promise<Answer> {
  const version = headerOf(headers, 'mcp-protocol-version')
  const isInitialize = 'method' in message && message.method === 'initialize'
  if (version !== undefined && !isInitialize && !LEGACY_VERSIONS.includes(version)) return unsupported(version)
  if (!isRequest(message)) return { status: 202, body: undefined }

  const { id, params } = message
  switch (message.method) {
    case 'tools/call': {
      const request = readToolRequest(params, headers)
      if (typeof request === 'string')
        return { status: 200, body: rpcErrorAnswer(id, RPC_CODES.invalidParams, request) }
      return after(deps.tools.call(request), result => ({
        status: 200,
        body: rpcResultAnswer(id, JSON.stringify(result)),
      }))
    }
    case 'tools/list':
      return after(deps.tools.list(), list => ({ status: 200, body: { list, era: 'legacy', id } }))
    case 'initialize':
      return { status: 200, body: initialize(message, deps) }
    case 'ping':
      return { status: 200, body: rpcResultAnswer(id, '{}') }
    default:
      return { status: 200, body: rpcErrorAnswer(id, RPC_CODES.methodNotFound, 'Method not found') }
  }
}

function initialize({ id, params }: RpcRequest, { serverInfo, instructions }: McpDeps): string {
  const asked = params?.protocolVersion
  if (typeof asked !== 'string')
    return rpcErrorAnswer(id, RPC_CODES.invalidParams, 'Invalid params: initialize needs a protocolVersion, a string.')
  const protocolVersion = LEGACY_VERSIONS.includes(asked) ? asked : LEGACY_VERSIONS[0]
  return rpcResultAnswer(id, JSON.stringify({ protocolVersion, capabilities: { tools: {} }, serverInfo, instructions }))
}

/** A refusal of the transport, before the message is looked at: it echoes no id. */
function unsupported(version: string): Answer {
  const supported = LEGACY_VERSIONS.join(', ')
  const message = `Bad Request: Unsupported protocol version: ${version} (supported versions: ${supported})`
  return { status: 400, body: rpcErrorAnswer(null, RPC_CODES.transport, message) }
}
