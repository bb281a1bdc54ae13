import type { RequestId, RpcMessage, RpcRequest } from '../../schemas/mcp.ts'

/** The error codes of JSON-RPC 2.0, of Streamable HTTP (-32000), and of the revision 2026-07-28 (-32020 and on). */
export const RPC_CODES = {
  invalidParams: -32602,
  methodNotFound: -32601,
  transport: -32000,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const

/** Whether a message expects an answer. */
export function isRequest(message: RpcMessage): message is RpcRequest {
  return 'method' in message && 'id' in message
}

/** The answer to a request, of a result that is JSON already. */
export function rpcResultAnswer(id: RequestId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`
}

/** An error answer; the id is null where the request's own is not to be had. */
export function rpcErrorAnswer(id: RequestId | null, code: number, message: string, data?: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } })
}
