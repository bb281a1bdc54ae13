import { after } from '../../lib/process/event-loop.ts'
import type { RequestId, RpcMessage } from '../../schemas/mcp.ts'
import type { Answer, McpDeps, ToolRequest } from './contract.ts'
import type { Headers } from './headers.ts'
import { errorAnswer, isRequest, RPC_ERRORS, resultAnswer } from './json-rpc.ts'
import { type BadRequest, validateEnvelope, validateName, validateParams } from './modern-headers.ts'
import { announcedOffers, answerOffers } from './offers.ts'
import type { OfferCapabilities } from './offers-contract.ts'
import { CACHE_TTL_MS, MODERN_VERSIONS, SERVER_INFO_KEY } from './protocol.ts'
import { readToolRequest } from './read-tool-request.ts'

/** Answers a message of the stateless revision 2026-07-28. */
export function dispatchModern(headers: Headers, message: RpcMessage, deps: McpDeps): Answer | Promise<Answer> {
  if (!isRequest(message)) return { status: 202, outcome: 'ok', body: undefined }
  const { id, params } = message
  const refusal = validateEnvelope(headers, message)
  if (refusal !== undefined) return refused(id, refusal)

  switch (message.method) {
    case 'tools/call': {
      const request = readToolRequest(params, headers, 'modern')
      if (typeof request === 'string') return errorAnswer(200, id, RPC_ERRORS.invalidParams, request)
      return callTool(id, request, deps)
    }
    case 'tools/list':
      return after(deps.tools.list(), list => ({
        status: 200,
        outcome: 'ok',
        body: { list, generation: 'modern', id },
      }))
    case 'server/discover':
      return after(announcedOffers(deps), announced => resultAnswer(id, discover(deps, announced)))
    default:
      return (
        answerOffers('modern', headers, message, deps) ??
        errorAnswer(404, id, RPC_ERRORS.methodNotFound, 'Method not found')
      )
  }
}

function callTool(id: RequestId, request: ToolRequest, { tools, serverInfo }: McpDeps): Answer | Promise<Answer> {
  const { name, headers } = request
  const misnamed = validateName(headers, name)
  if (misnamed !== undefined) return refused(id, misnamed)
  return after(tools.inputSchema(name), schema => {
    const refusal = schema === undefined ? undefined : validateParams(headers, schema, request.arguments)
    if (refusal !== undefined) return refused(id, refusal)
    return after(tools.call(request), ({ result, outcome }) => {
      // The answer comes from this server, so these two fields of a proxied result are replaced.
      const _meta = { ...result._meta, [SERVER_INFO_KEY]: serverInfo }
      const resultType = result.resultType === 'input_required' ? result.resultType : 'complete'
      return resultAnswer(id, JSON.stringify({ ...result, resultType, _meta }), outcome)
    })
  })
}

function discover({ serverInfo, instructions }: McpDeps, announced: OfferCapabilities): string {
  return JSON.stringify({
    resultType: 'complete',
    supportedVersions: MODERN_VERSIONS,
    capabilities: { tools: {}, ...announced },
    instructions,
    ttlMs: CACHE_TTL_MS,
    // What is announced besides tools depends on the caller.
    cacheScope: Object.keys(announced).length === 0 ? 'public' : 'private',
    _meta: { [SERVER_INFO_KEY]: serverInfo },
  })
}

function refused(id: RequestId, { error, message, data }: BadRequest): Answer {
  return errorAnswer(400, id, error, message, data)
}
