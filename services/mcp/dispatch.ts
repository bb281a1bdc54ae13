import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { isJsonObject } from '../../lib/http/json.ts'
import { after } from '../../lib/process/event-loop.ts'
import type { RequestId, RpcMessage, RpcRequest } from '../../schemas/tools/mcp.ts'
import { type Headers, headerOf } from './headers.ts'
import { errorAnswer, isRequest, RPC_ERRORS, resultAnswer } from './json-rpc.ts'
import type { Answer, McpDeps, OfferCapabilities, ToolRequest, ToolResult } from './mcp-types.ts'
import { type BadRequest, validateEnvelope, validateName, validateParams } from './modern-headers.ts'
import { CACHE_TTL_MS, LEGACY_VERSIONS, MODERN_VERSIONS, protocolGenerationOf, SERVER_INFO_KEY } from './protocol.ts'
import { readToolRequest } from './read-tool-request.ts'
import { announcedOffers, answerOffers } from './resources-and-prompts.ts'

/**
 * Answers one valid JSON-RPC message in its protocol generation. Throws and rejects only what its collaborators throw and
 * reject.
 */
export function dispatch(headers: Headers, message: RpcMessage, deps: McpDeps): Answer | Promise<Answer> {
  return protocolGenerationOf(headers, message) === 'modern'
    ? dispatchModern(headers, message, deps)
    : dispatchLegacy(headers, message, deps)
}

/** Answers a message of the revisions that start with `initialize` (2024-11-05 to 2025-11-25). */
function dispatchLegacy(headers: Headers, message: RpcMessage, deps: McpDeps): Answer | Promise<Answer> {
  const version = headerOf(headers, 'mcp-protocol-version')
  const isInitialize = 'method' in message && message.method === 'initialize'
  if (version !== undefined && !isInitialize && !LEGACY_VERSIONS.includes(version)) return unsupported(version)
  if (!isRequest(message)) return { status: 202, outcome: 'ok', body: undefined }

  const { id, params } = message
  switch (message.method) {
    case 'tools/call': {
      const request = readToolRequest(params, headers, 'legacy')
      if (typeof request === 'string') return errorAnswer(200, id, RPC_ERRORS.invalidParams, request)
      return after(deps.tools.call(request), ({ result, outcome }) =>
        resultAnswer(id, JSON.stringify(legacyResult(result)), outcome),
      )
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

/**
 * A result for a client of these revisions, which discards the whole result if its structured content is not an object. The
 * value becomes a text, unless a text already has it.
 */
function legacyResult(result: ToolResult): ToolResult {
  const { structuredContent: value, ...rest } = result
  if (value === undefined || isJsonObject(value)) return result
  const json = JSON.stringify(value)
  const { content = [] } = rest as CallToolResult
  const hasText = content.some(block => block.type === 'text' && isJson(block.text, json))
  return { ...rest, content: hasText ? content : [...content, { type: 'text', text: json }] } as CallToolResult
}

function isJson(text: string, json: string): boolean {
  try {
    return text === json || JSON.stringify(JSON.parse(text)) === json
  } catch {
    return false
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

/** Answers a message of the stateless revision 2026-07-28. */
function dispatchModern(headers: Headers, message: RpcMessage, deps: McpDeps): Answer | Promise<Answer> {
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
