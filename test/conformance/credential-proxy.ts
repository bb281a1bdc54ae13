import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** The server that receives the requests, with this API key added. */
interface Target {
  readonly port: number
  readonly key: string
  /** The prefix of the tool names on the server. The client does not know it and calls only these tools. */
  readonly prefix?: string
}

interface CredentialProxy {
  /** The origin of the proxy. */
  readonly origin: string
  /** Starts to pass requests on. Changes only the key and the tool names; Host and Origin stay as sent. */
  passTo(target: Target): void
  close(): void
}

/** A loopback proxy for a client that sends no credential. */
export async function credentialProxy(): Promise<CredentialProxy> {
  let target: Target = { port: 0, key: '' }
  const server = createServer(async (incoming, answer) => {
    const { port, key, prefix = '' } = target
    const { method, url, headers: sentHeaders } = incoming
    const asked = prefixed(await buffer(incoming), sentHeaders, prefix)
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

/** Adds the prefix to the name of the called tool. Returns the request and its method. */
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
      // If header and body differ in the runner's request, they must still differ.
      ...(headers['mcp-name'] === name && { 'mcp-name': prefix + name }),
    },
    method: message?.method,
  }
}

/** Removes the prefix from the tool names of a list. */
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

/** Parses a body; undefined if it is not JSON, which the runner also sends. */
function parsed(body: Buffer): Message | undefined {
  try {
    return JSON.parse(body.toString()) ?? undefined
  } catch {
    return undefined
  }
}
