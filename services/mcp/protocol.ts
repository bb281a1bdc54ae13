import type { RpcMessage } from '../../schemas/tools/mcp.ts'
import { type Headers, headerOf } from './headers.ts'

/** The first revision without a handshake: each request names its sender and version. */
export const FIRST_MODERN_VERSION = '2026-07-28'

/** The stateless revisions, newest first. */
export const MODERN_VERSIONS: readonly string[] = [FIRST_MODERN_VERSION]

/** The revisions that start with `initialize`, newest first. */
export const LEGACY_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

/** All supported revisions of MCP, newest first. */
export const SUPPORTED_PROTOCOL_VERSIONS: readonly string[] = [...MODERN_VERSIONS, ...LEGACY_VERSIONS]

/** The field of `params._meta` with the version, in requests of the stateless revisions. */
export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'

/** The field of `params._meta` with the client's capabilities. */
export const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'

/** The optional field of `params._meta` with the client's name and version. */
export const CLIENT_INFO_KEY = 'io.modelcontextprotocol/clientInfo'

/** The field of a result's `_meta` with the server's name and version. */
export const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo'

/** The extension for interfaces of tools (MCP Apps): `ui://` resources, which a host shows. */
export const UI_EXTENSION = 'io.modelcontextprotocol/ui'

/** How long a modern client may cache a list, in milliseconds. */
export const CACHE_TTL_MS = 60_000

/** The generation of MCP that a message belongs to: with a handshake, or stateless. */
export type ProtocolGeneration = 'legacy' | 'modern'

const VERSION = /^\d{4}-\d\d-\d\d$/

/** Determines the protocol generation from the message and its headers, because there are no sessions. */
export function protocolGenerationOf(headers: Headers, message: RpcMessage): ProtocolGeneration {
  const meta = 'method' in message ? message.params?._meta : undefined
  if (meta !== undefined && Object.hasOwn(meta, VERSION_KEY)) return 'modern'
  const version = headerOf(headers, 'mcp-protocol-version')
  // A header that is not a date is an unknown version of the handshake, even if it sorts after the first modern one.
  return version !== undefined && version >= FIRST_MODERN_VERSION && VERSION.test(version) ? 'modern' : 'legacy'
}
