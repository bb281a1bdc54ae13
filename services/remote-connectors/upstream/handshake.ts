import { isJsonObject } from '../../../lib/http/json.ts'
import { FIRST_MODERN_VERSION, LEGACY_VERSIONS } from '../../mcp/protocol.ts'
import { malformed, oldTransport } from './failures.ts'
import { refusalWords } from './refusals.ts'
import type { Requests, UpstreamRequest } from './requests.ts'
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
  readonly versions: AcceptedVersion
  /** The remaining milliseconds. */
  left(): number
}

/** The revision that an upstream accepted last in `initialize`, for the next handshake with any credential. */
export interface AcceptedVersion {
  last: string | undefined
}

const BOUNDS: MessageBounds = { levels: 64, elements: 10_000, letsProto: false }
const MAX_BYTES = 1024 ** 2
/** How long a legacy server may take to answer the unknown request. */
const PROBE_MS = 10_000
const UNSUPPORTED_VERSION = -32_022
/** The statuses of a path without Streamable HTTP (MCP 2025-11-25, transports, backwards compatibility). */
const NO_STREAMABLE_HTTP = new Set([400, 404, 405])
/** How long a server of the HTTP+SSE transport may take to open its stream. */
const OLD_TRANSPORT_MS = 3_000
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
  const { transport, credential, left } = handshake
  const { request, reply } = await offerVersions(handshake)
  const { version, server } = reply.value
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

/**
 * Sends `initialize` with the revision that was accepted last, or else the newest one. If the upstream refuses it, the revisions
 * that it lists follow, then all others.
 */
async function offerVersions(handshake: Handshake) {
  const { transport, requests, credential, versions, left } = handshake
  const offers = [...(versions.last === undefined ? [] : [versions.last]), ...LEGACY_VERSIONS]
  const tried = new Set<string>()
  let refused: { request: UpstreamRequest; reply: Reply<Initialized> } | undefined
  for (let version = offers[0]; version !== undefined; version = offers.find(offer => !tried.has(offer))) {
    tried.add(version)
    const request = requests.initialize(version)
    const reply = await transport.ask(request, { ...optionsOf(handshake, readVersion), deadlineMs: left() })
    const { value } = reply
    if (value !== undefined) {
      versions.last = version
      return { request, reply: { ...reply, value } }
    }
    const isAboutVersion = refusesVersion(reply)
    // Of refusals of revisions, the first is reported: it is about the revision that the gateway prefers.
    if (refused === undefined || !isAboutVersion) refused = { request, reply }
    if (!isAboutVersion) break
    offers.unshift(...listedVersions(reply))
  }
  if (refused === undefined) throw new TypeError('No revision was offered')
  const { request, reply } = refused
  if (NO_STREAMABLE_HTTP.has(reply.status)) {
    const deadlineMs = Math.min(OLD_TRANSPORT_MS, left())
    if (await transport.opensOldTransport(credential, deadlineMs)) throw oldTransport(transport.host)
  }
  return { request, reply: { ...reply, value: transport.valueOf(reply, request) } }
}

/** Whether `initialize` may be refused because of its revision: a 400 may say so, any other error must. */
function refusesVersion({ status, fault, words }: Reply<unknown>): boolean {
  if (status === 400 || fault?.code === UNSUPPORTED_VERSION) return true
  return status !== 401 && status !== 403 && status < 500 && /version/i.test(words ?? '')
}

/** The supported revisions that a refusal names, in its text or its data. */
function listedVersions({ fault, words }: Reply<unknown>): string[] {
  const text = `${words ?? ''} ${JSON.stringify(fault?.data) ?? ''}`
  return (text.match(/\d{4}-\d\d-\d\d/g) ?? []).filter(version => LEGACY_VERSIONS.includes(version))
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

interface Initialized {
  readonly version: string
  readonly server: ServerClaims
}

function readVersion(result: RpcObject): Initialized | undefined {
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
