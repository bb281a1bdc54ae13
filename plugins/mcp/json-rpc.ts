/** What a request and its answer share; JSON-RPC's null is no id in MCP. */
export type RequestId = string | number

/** The `_meta` of a request. */
export type Meta = Readonly<Record<string, unknown>>

export interface Params {
  readonly _meta?: Meta
  readonly [name: string]: unknown
}

export interface RpcRequest {
  readonly jsonrpc: '2.0'
  readonly id: RequestId
  readonly method: string
  readonly params?: Params
}

export interface RpcNotification {
  readonly jsonrpc: '2.0'
  readonly method: string
  readonly params?: Params
}

/** The answer to a request; a client may post one, although this server never asks. */
export interface RpcResponse {
  readonly jsonrpc: '2.0'
  readonly id?: RequestId
  readonly result?: unknown
  readonly error?: unknown
}

/** One message in the body of POST /mcp. */
export type RpcMessage = RpcRequest | RpcNotification | RpcResponse

/** The error codes of JSON-RPC 2.0, of Streamable HTTP (-32000), and of the revision 2026-07-28 (-32020 and on). */
export const RPC_CODES = {
  invalidParams: -32602,
  methodNotFound: -32601,
  transport: -32000,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const

/** Node's header record: names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** A header's value without the white space around it, which is no part of it (RFC 9110, 5.5). */
export function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value.trim() : value?.join(', ').trim()
}

/** Whether a message expects an answer. */
export function isRequest(message: RpcMessage): message is RpcRequest {
  return 'method' in message && 'id' in message
}

/** The answer to a request, of a result that is JSON already. */
export function rpcResult(id: RequestId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`
}

/** An error answer; the id is null where the request's own is not to be had. */
export function rpcError(id: RequestId | null, code: number, message: string, data?: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } })
}
