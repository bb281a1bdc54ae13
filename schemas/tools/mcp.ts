import { type Static, type TObject, type TProperties, type TUnsafe, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'

/** An object that may have other members; TypeBox's own type does not show those. */
function open<T extends TProperties>(properties: T): TUnsafe<Static<TObject<T>> & Readonly<Record<string, unknown>>> {
  return Type.Unsafe(Type.Object(properties, { additionalProperties: true }))
}

/** One kind of message, without other members. */
function message<T extends TProperties>(properties: T) {
  return Type.Object({ jsonrpc: Type.Literal('2.0'), ...properties }, { additionalProperties: false })
}

const SafeInteger = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })

/** The ID of a request and its response. MCP does not allow JSON-RPC's null. */
const RequestId = Type.Union([Type.String(), SafeInteger])
export type RequestId = Static<typeof RequestId>

const Meta = open({
  progressToken: Type.Optional(RequestId),
  'io.modelcontextprotocol/related-task': Type.Optional(open({ taskId: Type.String() })),
})
/** The `_meta` of a message: the members that the protocol defines, and any others. */
export type Meta = Static<typeof Meta>

const WithMeta = open({ _meta: Type.Optional(Meta) })
export type Params = Static<typeof WithMeta>

const RpcRequest = message({ id: RequestId, method: Type.String(), params: Type.Optional(WithMeta) })
export type RpcRequest = Static<typeof RpcRequest>

const RpcNotification = message({ method: Type.String(), params: Type.Optional(WithMeta) })

const RpcResponse = message({ id: RequestId, result: WithMeta })

/** A protocol error; has no ID if the request's ID could not be read. */
export const RpcErrorResponse = message({
  id: Type.Optional(RequestId),
  error: open({ code: SafeInteger, message: Type.String(), data: Type.Optional(Type.Unknown()) }),
})

/**
 * The body of POST /mcp: one JSON-RPC 2.0 message, by the rules of the SDK's JSONRPCMessageSchema (a property test
 * compares them). The SDK's own schema is not loaded because it costs 24 MB. A client may post a response, although
 * this server sends no requests.
 */
export const RpcMessage = Type.Union([RpcRequest, RpcNotification, RpcResponse, RpcErrorResponse])
export type RpcMessage = Static<typeof RpcMessage>

const messages = TypeCompiler.Compile(RpcMessage)

/** Whether parsed JSON is one JSON-RPC message. */
export function isRpcMessage(value: unknown): value is RpcMessage {
  return messages.Check(value)
}

/** A tool result that asks the user for input (2026-07-28, InputRequiredResult). */
export interface InputRequiredResult {
  resultType: 'input_required'
  inputRequests?: Readonly<Record<string, unknown>>
  /** Opaque to the client, which returns it unchanged. */
  requestState?: string
  _meta?: Readonly<Record<string, unknown>>
  content?: never
  structuredContent?: never
  isError?: never
}

/** The answer of POST /mcp to a request: a result, or a protocol error. */
export const McpAnswer = Type.Union([RpcResponse, RpcErrorResponse])

/** The trace of a call (W3C Trace Context and Baggage), from the caller's `_meta`. */
export interface Trace {
  readonly traceparent?: string
  readonly tracestate?: string
  readonly baggage?: string
}
