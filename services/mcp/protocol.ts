import type { RpcMessage } from '../../schemas/mcp.ts'
import { type Headers, headerOf } from './headers.ts'

/** The first revision without a handshake: each request says for itself who sends it and in which version. */
export const FIRST_MODERN_VERSION = '2026-07-28'

/** The stateless revisions, the latest first. */
export const MODERN_VERSIONS: readonly string[] = [FIRST_MODERN_VERSION]

/** The revisions that begin with `initialize`, the latest first. */
export const LEGACY_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

/** Every revision of MCP served here, the latest first. */
export const SUPPORTED_PROTOCOL_VERSIONS: readonly string[] = [...MODERN_VERSIONS, ...LEGACY_VERSIONS]

/** What a request of the stateless revisions calls its version, in `params._meta`. */
export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'

/** Where it says what the client can do, in `params._meta`. */
export const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'

/** Where it may say who the client is, in `params._meta`. */
export const CLIENT_INFO_KEY = 'io.modelcontextprotocol/clientInfo'

/** Where the result says whose it is, in its `_meta`. */
export const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo'

/** How long a modern client may keep a list, in milliseconds (decisions.md, Tool calls). */
export const CACHE_TTL_MS = 60_000

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
