import { after } from '../../lib/process/event-loop.ts'
import type { RpcMessage, RpcRequest } from '../../schemas/mcp.ts'
import type { Answer, McpDeps } from './contract.ts'
import { type Headers, headerOf } from './headers.ts'
import { errorAnswer, isRequest, RPC_ERRORS, resultAnswer } from './json-rpc.ts'
import { announcedOffers, answerOffers } from './offers.ts'
import { LEGACY_VERSIONS } from './protocol.ts'
import { readToolRequest } from './read-tool-request.ts'

/** Answers a message of the revisions that start with `initialize` (2024-11-05 to 2025-11-25). */
export function dispatchLegacy(headers: Headers, message: RpcMessage, deps: McpDeps): Answer | Promise<Answer> {
  const version = headerOf(headers, 'mcp-protocol-version')
  const isInitialize = 'method' in message && message.method === 'initialize'
  if (version !== undefined && !isInitialize && !LEGACY_VERSIONS.includes(version)) return unsupported(version)
  if (!isRequest(message)) return { status: 202, outcome: 'ok', body: undefined }

  const { id, params } = message
  switch (message.method) {
    case 'tools/call': {
      const request = readToolRequest(params, headers, 'legacy')
      if (typeof request === 'string') return errorAnswer(200, id, RPC_ERRORS.invalidParams, request)
      return after(deps.tools.call(request), ({ result, outcome }) => resultAnswer(id, JSON.stringify(result), outcome))
    }
    case 'tools/list':
      return after(deps.tools.list(), list => ({
        status: 200,
        outcome: 'ok',
        body: { list, generation: 'legacy', id },
      }))
    case 'initialize':
      return initialize(message, deps)
    case 'ping':
      return resultAnswer(id, '{}')
    default:
      return (
        answerOffers('legacy', headers, message, deps) ??
        errorAnswer(200, id, RPC_ERRORS.methodNotFound, 'Method not found')
      )
  }
}

function initialize({ id, params }: RpcRequest, deps: McpDeps): Answer | Promise<Answer> {
  const { serverInfo, instructions, introduced } = deps
  const requested = params?.protocolVersion
  if (typeof requested !== 'string') {
    const message = 'Invalid params: initialize needs a protocolVersion, a string.'
    return errorAnswer(200, id, RPC_ERRORS.invalidParams, message)
  }
  introduced?.(params?.clientInfo)
  const protocolVersion = LEGACY_VERSIONS.includes(requested) ? requested : LEGACY_VERSIONS[0]
  return after(announcedOffers(deps), announced => {
    const capabilities = { tools: {}, ...announced }
    return resultAnswer(id, JSON.stringify({ protocolVersion, capabilities, serverInfo, instructions }))
  })
}

/** A rejection by the transport, before the message is read. It does not echo the id. */
function unsupported(version: string): Answer {
  const supported = LEGACY_VERSIONS.join(', ')
  const message = `Bad Request: Unsupported protocol version: ${version} (supported versions: ${supported})`
  return errorAnswer(400, null, RPC_ERRORS.transportVersion, message)
}
