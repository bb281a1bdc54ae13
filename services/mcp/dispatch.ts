import type { RpcMessage } from '../../schemas/mcp.ts'
import type { Answer, McpDeps } from './contract.ts'
import type { Headers } from './headers.ts'
import { dispatchLegacy } from './legacy.ts'
import { dispatchModern } from './modern.ts'
import { protocolGenerationOf } from './protocol.ts'

/**
 * Answers one valid JSON-RPC message in its protocol generation. Throws and rejects only what its collaborators throw and
 * reject.
 */
export function dispatch(headers: Headers, message: RpcMessage, deps: McpDeps): Answer | Promise<Answer> {
  return protocolGenerationOf(headers, message) === 'modern'
    ? dispatchModern(headers, message, deps)
    : dispatchLegacy(headers, message, deps)
}
