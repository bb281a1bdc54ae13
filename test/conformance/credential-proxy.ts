import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { remoteCapability } from '../../schemas/remotes/names.ts'
import { toGatewayUri } from '../../services/remote-connectors/resource-uri.ts'

/** The server that receives the requests, with this API key added. */
interface Target {
  readonly port: number
  readonly key: string
  /** The slug of the upstream that the client uses. The client does not know it, and uses the upstream's own names and URIs. */
  readonly slug?: string
}

interface CredentialProxy {
  /** The origin of the proxy. */
  readonly origin: string
  /** Starts to pass requests on. Changes only the key, names and URIs; Host and Origin stay as sent. */
  passTo(target: Target): void
  close(): void
}

/** A loopback proxy for a client that sends no credential. */
export async function credentialProxy(): Promise<CredentialProxy> {
  let target: Target = { port: 0, key: '' }
  const server = createServer(async (incoming, answer) => {
    const { port, key, slug } = target
    const { method, url, headers: sentHeaders } = incoming
    const asked = toServer(await buffer(incoming), sentHeaders, slug)
    const headers = { ...asked.headers, 'x-api-key': key }
    const outgoing = request({ host: '127.0.0.1', port, method, path: url, headers }, async received => {
      const { statusCode = 502, headers: sent } = received
      const body = await buffer(received)
      const shown = slug !== undefined && asked.method !== undefined ? toRunner(body, slug) : body
      const length = 'content-length' in sent ? { 'content-length': shown.length } : {}
      answer.writeHead(statusCode, { ...sent, ...length }).end(shown)
    })
    outgoing.on('error', error => answer.writeHead(502).end(error.message))
    answer.on('close', () => outgoing.destroy())
    outgoing.end(asked.body)
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))

  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passTo(next) {
      target = next
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Names what a request calls, gets or reads as the server does. Returns the request and its method. */
function toServer(body: Buffer, headers: IncomingHttpHeaders, slug: string | undefined) {
  const message = parsed(body)
  const key = slug === undefined ? undefined : NAMED_BY[message?.method ?? '']
  const name = key === undefined ? undefined : message?.params?.[key]
  if (slug === undefined || key === undefined || typeof name !== 'string')
    return { body, headers, method: message?.method }
  const there = key === 'uri' ? toGatewayUri(slug, name) : prefixOf(slug) + name
  const named = Buffer.from(JSON.stringify({ ...message, params: { ...message?.params, [key]: there } }))
  return {
    body: named,
    headers: {
      ...headers,
      'content-length': `${named.length}`,
      // If header and body differ in the runner's request, they must still differ.
      ...(headers['mcp-name'] === name && { 'mcp-name': there }),
    },
    method: message?.method,
  }
}

const NAMED_BY: Readonly<Record<string, 'name' | 'uri'>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

/** The members of an answer whose names and URIs are the server's. */
const NAMES = ['name', 'uri', 'uriTemplate']

/** Names what an answer has as the runner does, without the resources of other upstreams. */
function toRunner(body: Buffer, slug: string): Buffer {
  if (parsed(body) === undefined) return body
  const isOwn = ({ uri, uriTemplate }: Record<string, unknown>) => !`${uri ?? uriTemplate}`.startsWith('cgw+org:')
  const own = JSON.parse(body.toString(), (key, value) => {
    if (key === 'resources' || key === 'resourceTemplates') return Array.isArray(value) ? value.filter(isOwn) : value
    if (!NAMES.includes(key) || typeof value !== 'string') return value
    if (value.startsWith(prefixOf(slug))) return value.slice(prefixOf(slug).length)
    const prefix = toGatewayUri(slug, '')
    return value.startsWith(prefix) ? decodeURIComponent(value.slice(prefix.length)) : value
  })
  return Buffer.from(JSON.stringify(own))
}

function prefixOf(slug: string): string {
  return `${remoteCapability(slug)}__`
}

interface Message {
  method?: string
  params?: Record<string, unknown>
}

/** Parses a body; undefined if it is not JSON, which the runner also sends. */
function parsed(body: Buffer): Message | undefined {
  try {
    return JSON.parse(body.toString()) ?? undefined
  } catch {
    return undefined
  }
}
