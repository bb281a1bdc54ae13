import { isJsonObject } from '../../../lib/http/json.ts'
import { FIRST_MODERN_VERSION, LEGACY_VERSIONS } from '../../mcp/protocol.ts'
import { malformed } from './failures.ts'
import { refusalWords } from './refusal-words.ts'
import type { Requests } from './requests.ts'
import type { MessageBounds, RpcFault, RpcObject } from './rpc-message.ts'
import type { Reply, RequestOptions, Transport } from './transport.ts'
import {
  type LegacyProtocol,
  type ModernProtocol,
  type ServerClaims,
  type UpstreamCredential,
  UpstreamError,
} from './upstream.ts'

/** The collaborators and the remaining time of a handshake. */
export interface Handshake {
  readonly transport: Transport
  readonly requests: Requests
  readonly credential: UpstreamCredential
  /** The remaining milliseconds. */
  left(): number
}

const BOUNDS: MessageBounds = { levels: 64, elements: 10_000, letsProto: false }
const MAX_BYTES = 1024 ** 2
/** How long a legacy server may take to answer the unknown request. */
const PROBE_MS = 10_000
const UNSUPPORTED_VERSION = -32_022
/** MCP allows only visible ASCII in a session ID. */
const SESSION_ID = /^[\x21-\x7e]{1,1024}$/

/**
 * Finds out whether an upstream supports 2026-07-28; undefined if it does not, or does not say. Throws an UpstreamError if the
 * server is unavailable or rejects the credential.
 */
export async function discover(handshake: Handshake): Promise<ModernProtocol | undefined> {
  const first = await probe(handshake)
  // A server that rejects the version but lists it as supported misread the first request.
  const reply = first !== undefined && namesModern(first.fault) ? await probe(handshake) : first
  if (reply === undefined) return undefined
  if (reply.value !== undefined)
    return reply.value.versions.includes(FIRST_MODERN_VERSION)
      ? { generation: 'modern', version: FIRST_MODERN_VERSION, server: reply.value.server }
      : undefined
  return undefined
}

/** Initializes a legacy upstream, in a session if it issues one. Throws an UpstreamError. */
export async function initialize(handshake: Handshake): Promise<LegacyProtocol> {
  const { transport, requests, credential, left } = handshake
  const request = requests.initialize()
  const reply = await transport.ask(request, { ...optionsOf(handshake, readVersion), deadlineMs: left() })
  const { version, server } = transport.valueOf(reply, request)
  if (!LEGACY_VERSIONS.includes(version)) throw malformed(transport.host, 'an unsupported version of MCP', false)
  const sessionId = reply.headers['mcp-session-id']
  if (sessionId !== undefined && !SESSION_ID.test(sessionId))
    throw malformed(transport.host, 'an invalid session ID', false)
  const protocol: LegacyProtocol = { generation: 'legacy', version, sessionId, server }
  const notified = await transport.notify(
    protocol,
    { method: 'notifications/initialized' },
    { credential, deadlineMs: left() },
  )
  if (notified.status >= 400)
    transport.valueOf(
      { ...notified, value: undefined, fault: undefined, words: refusalWords(notified), size: 0 },
      request,
    )
  return protocol
}

/** Sends `server/discover`; undefined for a response that only a server without this method gives. */
async function probe(handshake: Handshake): Promise<Reply<Discovered> | undefined> {
  const { transport, requests, left } = handshake
  const request = requests.discover()
  try {
    const deadlineMs = Math.min(PROBE_MS, left())
    const reply = await transport.ask(request, { ...optionsOf(handshake, readVersions), deadlineMs })
    const { status } = reply
    const unavailable = status >= 502 || status === 429 || (status >= 300 && status < 400)
    if (status === 401 || status === 403 || unavailable) transport.valueOf(reply, request)
    return reply
  } catch (error) {
    if (error instanceof UpstreamError && (error.kind === 'malformed' || (error.kind === 'timeout' && left() > 0)))
      return undefined
    throw error
  }
}

function optionsOf<T>(
  { credential }: Handshake,
  read: (result: RpcObject) => T | undefined,
): Omit<RequestOptions<T>, 'deadlineMs'> {
  return { credential, bounds: BOUNDS, maxBytes: MAX_BYTES, read }
}

interface Discovered {
  readonly versions: readonly unknown[]
  readonly server: ServerClaims
}

function readVersions(result: RpcObject): Discovered {
  const { supportedVersions } = result
  return { versions: Array.isArray(supportedVersions) ? supportedVersions : [], server: readClaims(result) }
}

function readVersion(result: RpcObject): { version: string; server: ServerClaims } | undefined {
  const { protocolVersion: version } = result
  return typeof version === 'string' ? { version, server: readClaims(result) } : undefined
}

function readClaims({ capabilities, instructions }: RpcObject): ServerClaims {
  return {
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    instructions: typeof instructions === 'string' ? instructions : undefined,
  }
}

function namesModern(fault: RpcFault | undefined): boolean {
  if (fault?.code !== UNSUPPORTED_VERSION || !isJsonObject(fault.data)) return false
  const { supported } = fault.data
  return Array.isArray(supported) && supported.includes(FIRST_MODERN_VERSION)
}
