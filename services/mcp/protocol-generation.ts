import type { RpcMessage } from '../../schemas/mcp.ts'
import { type Headers, headerOf } from './headers.ts'
import { FIRST_MODERN_VERSION, VERSION_KEY } from './protocol.ts'

/** The way of speaking MCP that a message belongs to. */
export type ProtocolGeneration = 'legacy' | 'modern'

const VERSION = /^\d{4}-\d\d-\d\d$/

/** Decides a message's generation by itself: there is no session to remember it in. */
export function protocolGenerationOf(headers: Headers, message: RpcMessage): ProtocolGeneration {
  const meta = 'method' in message ? message.params?._meta : undefined
  if (meta !== undefined && Object.hasOwn(meta, VERSION_KEY)) return 'modern'
  const version = headerOf(headers, 'mcp-protocol-version')
  // A header that is no date is an unknown version of the handshake, whatever it sorts behind.
  return version !== undefined && version >= FIRST_MODERN_VERSION && VERSION.test(version) ? 'modern' : 'legacy'
}
