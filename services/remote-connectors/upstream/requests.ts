import type { Trace } from '../../../schemas/tools/mcp.ts'
import { encodeHeader, isHeaderName } from '../../mcp/headers.ts'
import { markedArguments } from '../../mcp/modern-headers.ts'
import {
  CAPABILITIES_KEY,
  CLIENT_INFO_KEY,
  FIRST_MODERN_VERSION,
  LEGACY_VERSIONS,
  VERSION_KEY,
} from '../../mcp/protocol.ts'
import type { ServerInfo } from '../../mcp/tool-list.ts'
import { DECLARED_CAPABILITIES } from '../snapshot.ts'
import type { LegacyProtocol, Protocol, UpstreamCall, UpstreamPrompt, UpstreamRead } from './upstream.ts'

/** A serialized request. */
export interface UpstreamRequest {
  readonly id: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  /** Undefined for the requests of the handshake. */
  readonly protocol: Protocol | undefined
  /** Whether the request may have effects, as a call does. */
  readonly runs: boolean
}

/** Creates the requests to upstreams. */
export interface Requests {
  discover(): UpstreamRequest
  /** With the newest revision if none is named. */
  initialize(protocolVersion?: string): UpstreamRequest
  /** A page of a list. */
  list(method: ListMethod, protocol: Protocol, cursor: string | undefined): UpstreamRequest
  callTool(protocol: Protocol, call: UpstreamCall): UpstreamRequest
  readResource(protocol: Protocol, read: UpstreamRead): UpstreamRequest
  getPrompt(protocol: Protocol, prompt: UpstreamPrompt): UpstreamRequest
}

export type ListMethod = 'tools/list' | 'resources/list' | 'resources/templates/list' | 'prompts/list'

const NOTHING = {}

/** Uses its own request IDs, so that no ID of a caller reaches an upstream. */
export function createRequests({ clientInfo }: { clientInfo: ServerInfo }): Requests {
  let lastId = 0

  function request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    headers: Readonly<Record<string, string>>,
    protocol?: Protocol,
  ): UpstreamRequest {
    lastId += 1
    const body = JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params })
    return { id: lastId, body, headers, protocol, runs: method === 'tools/call' }
  }

  function modernMeta(version: string, capabilities: object = NOTHING, trace: Trace = NOTHING) {
    const declared = { ...capabilities, ...DECLARED_CAPABILITIES }
    const own = { [VERSION_KEY]: version, [CLIENT_INFO_KEY]: clientInfo, [CAPABILITIES_KEY]: declared }
    return isEmpty(trace) ? own : { ...traceOf(trace), ...own }
  }

  /** A request of something that one of its parameters names. Modern upstreams get the name as a header, too. */
  function named(
    method: string,
    name: string,
    params: Readonly<Record<string, unknown>>,
    trace: Trace,
    protocol: Protocol,
  ): UpstreamRequest {
    if (protocol.generation === 'legacy') {
      const sent = isEmpty(trace) ? params : { ...params, _meta: traceOf(trace) }
      return request(method, sent, legacyHeaders(protocol), protocol)
    }
    const { version } = protocol
    const headers = { ...modernHeaders(version, method), 'mcp-name': encodeHeader(name) }
    return request(method, { ...params, _meta: modernMeta(version, NOTHING, trace) }, headers, protocol)
  }

  return {
    discover() {
      const method = 'server/discover'
      const params = { _meta: modernMeta(FIRST_MODERN_VERSION) }
      return request(method, params, modernHeaders(FIRST_MODERN_VERSION, method))
    },

    initialize(protocolVersion = LEGACY_VERSIONS[0]) {
      const params = { protocolVersion, capabilities: DECLARED_CAPABILITIES, clientInfo }
      return request('initialize', params, jsonHeaders())
    },

    list(method, protocol, cursor) {
      const page = cursor === undefined ? NOTHING : { cursor }
      if (protocol.generation === 'legacy') return request(method, page, legacyHeaders(protocol), protocol)
      const { version } = protocol
      return request(method, { ...page, _meta: modernMeta(version) }, modernHeaders(version, method), protocol)
    },

    callTool(protocol, call) {
      const method = 'tools/call'
      const { name, arguments: args, trace, inputSchema, inputResponses, requestState } = call
      if (protocol.generation === 'legacy') {
        const params = isEmpty(trace) ? { name, arguments: args } : { name, arguments: args, _meta: traceOf(trace) }
        return request(method, params, legacyHeaders(protocol), protocol)
      }
      const headers = modernHeaders(protocol.version, method)
      headers['mcp-name'] = encodeHeader(name)
      for (const [mark, value] of markedArguments(inputSchema, args))
        if (isHeaderName(mark) && isRepeatable(value)) headers[`mcp-param-${mark}`] = encodeHeader(String(value))
      const _meta = modernMeta(protocol.version, call.clientCapabilities, trace)
      const params = {
        name,
        arguments: args,
        ...(inputResponses !== undefined && { inputResponses }),
        ...(requestState !== undefined && { requestState }),
        _meta,
      }
      return request(method, params, headers, protocol)
    },

    readResource: (protocol, { uri, trace }) => named('resources/read', uri, { uri }, trace, protocol),

    getPrompt(protocol, { name, arguments: args, trace }) {
      const params = { name, ...(Object.keys(args).length > 0 && { arguments: args }) }
      return named('prompts/get', name, params, trace, protocol)
    },
  }
}

/** The headers of notifications and of responses to an upstream's requests. */
export function legacyHeaders(protocol: LegacyProtocol): Record<string, string> {
  return { ...jsonHeaders(), ...sessionHeaders(protocol) }
}

/** The headers of every request after the handshake. */
export function sessionHeaders({ version, sessionId }: LegacyProtocol): Record<string, string> {
  return { 'mcp-protocol-version': version, ...(sessionId !== undefined && { 'mcp-session-id': sessionId }) }
}

function modernHeaders(version: string, method: string): Record<string, string> {
  const headers = jsonHeaders()
  headers['mcp-protocol-version'] = version
  headers['mcp-method'] = method
  return headers
}

function jsonHeaders(): Record<string, string> {
  return { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
}

/** An unsafe integer gets no header, because programs format it differently. */
function isRepeatable(value: string | number | boolean): boolean {
  return (
    typeof value !== 'number' || (Number.isFinite(value) && !(Number.isInteger(value) && !Number.isSafeInteger(value)))
  )
}

function isEmpty({ traceparent, tracestate, baggage }: Trace): boolean {
  return traceparent === undefined && tracestate === undefined && baggage === undefined
}

function traceOf({ traceparent, tracestate, baggage }: Trace): Trace {
  return {
    ...(traceparent !== undefined && { traceparent }),
    ...(tracestate !== undefined && { tracestate }),
    ...(baggage !== undefined && { baggage }),
  }
}
