import { type Static, type TObject, type TProperties, type TUnsafe, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'

/** An object with members beside the named ones; TypeBox's own type does not show those. */
function open<T extends TProperties>(properties: T): TUnsafe<Static<TObject<T>> & Readonly<Record<string, unknown>>> {
  return Type.Unsafe(Type.Object(properties, { additionalProperties: true }))
}

/** One kind of message, which has these members and no other. */
function message<T extends TProperties>(properties: T) {
  return Type.Object({ jsonrpc: Type.Literal('2.0'), ...properties }, { additionalProperties: false })
}

const SafeInteger = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })

/** What a request and its answer share; JSON-RPC's null is no id in MCP. */
const RequestId = Type.Union([Type.String(), SafeInteger])
export type RequestId = Static<typeof RequestId>

const Meta = open({
  progressToken: Type.Optional(RequestId),
  'io.modelcontextprotocol/related-task': Type.Optional(open({ taskId: Type.String() })),
})
/** The `_meta` of a message: those of its members whose form JSON-RPC relies on, and any others. */
export type Meta = Static<typeof Meta>

const WithMeta = open({ _meta: Type.Optional(Meta) })
export type Params = Static<typeof WithMeta>

const RpcRequest = message({ id: RequestId, method: Type.String(), params: Type.Optional(WithMeta) })
export type RpcRequest = Static<typeof RpcRequest>

const RpcNotification = message({ method: Type.String(), params: Type.Optional(WithMeta) })

const RpcResponse = message({ id: RequestId, result: WithMeta })

/** An error of the protocol; without an id where the request's own could not be read. */
export const RpcErrorResponse = message({
  id: Type.Optional(RequestId),
  error: open({ code: SafeInteger, message: Type.String(), data: Type.Optional(Type.Unknown()) }),
})

/**
 * The body of POST /mcp: one JSON-RPC 2.0 message as MCP has them, by the rules of the SDK's JSONRPCMessageSchema, to
 * which a property test holds it. The SDK's own is not loaded: with all that it comes with, it costs 24 MB. A client
 * may post a response, although this server never asks.
 */
export const RpcMessage = Type.Union([RpcRequest, RpcNotification, RpcResponse, RpcErrorResponse])
export type RpcMessage = Static<typeof RpcMessage>

const messages = TypeCompiler.Compile(RpcMessage)

/** Whether parsed JSON is one JSON-RPC message. */
export function isRpcMessage(value: unknown): value is RpcMessage {
  return messages.Check(value)
}

/** A tool that waits for the user: what it asks for, and what it must know again (2026-07-28, InputRequiredResult). */
export interface InputRequiredResult {
  resultType: 'input_required'
  inputRequests?: Readonly<Record<string, unknown>>
  /** Opaque to the client, which sends it back as it came. */
  requestState?: string
  _meta?: Readonly<Record<string, unknown>>
  content?: never
  structuredContent?: never
  isError?: never
}

/** What POST /mcp answers a request with: a result, or an error of the protocol. */
export const McpAnswer = Type.Union([RpcResponse, RpcErrorResponse])
