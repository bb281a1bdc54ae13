import type { RequestId, RpcMessage } from '../../schemas/mcp.ts'
import { after } from './after.ts'
import type { Answer, McpDeps, ToolRequest } from './contract.ts'
import type { Headers } from './headers.ts'
import { isRequest, RPC_CODES, rpcErrorAnswer, rpcResultAnswer } from './json-rpc.ts'
import { type BadRequest, refuseEnvelope, refuseName, refuseParams } from './modern-headers.ts'
import { CACHE_TTL_MS, MODERN_VERSIONS, SERVER_INFO_KEY } from './protocol.ts'
import { readToolRequest } from './read-tool-request.ts'

/** Answers a message of the stateless revision 2026-07-28. */
export function dispatchModern(headers: Headers, message: RpcMessage, deps: McpDeps): Answer | Promise<Answer> {
  if (!isRequest(message)) return { status: 202, body: undefined }
  const { id, params } = message
  const refusal = refuseEnvelope(headers, message)
  if (refusal !== undefined) return refused(id, refusal)

  switch (message.method) {
    case 'tools/call': {
      const request = readToolRequest(params, headers)
      if (typeof request === 'string')
        return { status: 200, body: rpcErrorAnswer(id, RPC_CODES.invalidParams, request) }
      return callTool(id, request, deps)
    }
    case 'tools/list':
      return after(deps.tools.list(), list => ({ status: 200, body: { list, era: 'modern', id } }))
    case 'server/discover':
      return { status: 200, body: rpcResultAnswer(id, discover(deps)) }
    default:
      return { status: 404, body: rpcErrorAnswer(id, RPC_CODES.methodNotFound, 'Method not found') }
  }
}

function callTool(id: RequestId, request: ToolRequest, { tools, serverInfo }: McpDeps): Answer | Promise<Answer> {
  const { name, headers } = request
  const misnamed = refuseName(headers, name)
  if (misnamed !== undefined) return refused(id, misnamed)
  return after(tools.inputSchema(name), schema => {
    const refusal = schema === undefined ? undefined : refuseParams(headers, schema, request.arguments)
    if (refusal !== undefined) return refused(id, refusal)
    return after(tools.call(request), result => {
      // The answer is this server's, whoever was asked for it: what a proxied result says of these two does not hold.
      const _meta = { ...result._meta, [SERVER_INFO_KEY]: serverInfo }
      return { status: 200, body: rpcResultAnswer(id, JSON.stringify({ ...result, resultType: 'complete', _meta })) }
    })
  })
}

function discover({ serverInfo, instructions }: McpDeps): string {
  return JSON.stringify({
    resultType: 'complete',
    supportedVersions: MODERN_VERSIONS,
    capabilities: { tools: {} },
    instructions,
    ttlMs: CACHE_TTL_MS,
    cacheScope: 'public',
    _meta: { [SERVER_INFO_KEY]: serverInfo },
  })
}

function refused(id: RequestId, { code, message, data }: BadRequest): Answer {
  return { status: 400, body: rpcErrorAnswer(id, code, message, data) }
}
