import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** What requests are passed on to, with this API key added. */
interface Target {
  readonly port: number
  readonly key: string
  /** What the names of the tools begin with there, which the client does not know of; it calls no others. */
  readonly prefix?: string
}

interface CredentialProxy {
  /** Where the proxy listens, as an origin. */
  readonly origin: string
  /** Begins to pass requests on; beside the key and the names of tools everything stays as it was sent, Host and Origin too. */
  passTo(target: Target): void
  close(): void
}

/** A loopback proxy for a client that sends no credential. */
export async function credentialProxy(): Promise<CredentialProxy> {
  let target: Target = { port: 0, key: '' }
  const server = createServer(async (incoming, answer) => {
    const { port, key, prefix = '' } = target
    const { method, url, headers: came } = incoming
    const asked = prefixed(await buffer(incoming), came, prefix)
    const headers = { ...asked.headers, 'x-api-key': key }
    const outgoing = request({ host: '127.0.0.1', port, method, path: url, headers }, async received => {
      const { statusCode = 502, headers: sent } = received
      const body = await buffer(received)
      const shown = asked.method === 'tools/list' ? unprefixed(body, prefix) : body
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

/** A request with the prefix before the name of the tool that it calls, and its method. */
function prefixed(body: Buffer, headers: IncomingHttpHeaders, prefix: string) {
  const message = parsed(body)
  const name = message?.method === 'tools/call' ? message.params?.name : undefined
  if (prefix === '' || typeof name !== 'string') return { body, headers, method: message?.method }
  const named = Buffer.from(JSON.stringify({ ...message, params: { ...message?.params, name: prefix + name } }))
  return {
    body: named,
    headers: {
      ...headers,
      'content-length': `${named.length}`,
      // Where the two differ, they are to differ.
      ...(headers['mcp-name'] === name && { 'mcp-name': prefix + name }),
    },
    method: message?.method,
  }
}

/** A list without the prefix. */
function unprefixed(body: Buffer, prefix: string): Buffer {
  const message = parsed(body)
  if (message?.result?.tools === undefined) return body
  const tools = message.result.tools.map(tool =>
    tool.name.startsWith(prefix) ? { ...tool, name: tool.name.slice(prefix.length) } : tool,
  )
  return Buffer.from(JSON.stringify({ ...message, result: { ...message.result, tools } }))
}

interface Message {
  method?: string
  params?: { name?: unknown }
  result?: { tools?: { name: string }[] }
}

/** Undefined for what is no JSON, which the runner sends too. */
function parsed(body: Buffer): Message | undefined {
  try {
    return JSON.parse(body.toString()) ?? undefined
  } catch {
    return undefined
  }
}
