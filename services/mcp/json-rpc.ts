import type { RequestId, RpcMessage, RpcRequest } from '../../schemas/tools/mcp.ts'
import type { Answer } from './mcp-types.ts'

export interface RpcError {
  code: number
  /** Its name in the log. */
  outcome: string
}

/**
 * The errors of JSON-RPC 2.0, of Streamable HTTP (-32000), of unknown resources before 2026-07-28 (-32002), and of that
 * revision (-32020 and on).
 */
export const RPC_ERRORS = {
  invalidParams: { code: -32602, outcome: 'invalid_params' },
  methodNotFound: { code: -32601, outcome: 'method_not_found' },
  internalError: { code: -32603, outcome: 'internal_error' },
  resourceNotFound: { code: -32002, outcome: 'not_found' },
  transportVersion: { code: -32000, outcome: 'unsupported_version' },
  headerMismatch: { code: -32020, outcome: 'header_mismatch' },
  unsupportedVersion: { code: -32022, outcome: 'unsupported_version' },
} as const satisfies Record<string, RpcError>

/** Whether a message expects an answer. */
export function isRequest(message: RpcMessage): message is RpcRequest {
  return 'method' in message && 'id' in message
}

/** The answer to a request, from a result in JSON. */
export function resultAnswer(id: RequestId, result: string, outcome = 'ok'): Answer {
  return { status: 200, outcome, body: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}` }
}

/** An error answer. The id is null if the id of the request is unknown. */
export function errorAnswer(
  status: number,
  id: RequestId | null,
  { code, outcome }: RpcError,
  message: string,
  data?: object,
): Answer {
  const error = { code, message, ...(data !== undefined && { data }) }
  return { status, outcome, body: JSON.stringify({ jsonrpc: '2.0', id, error }) }
}
