import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PROVIDER_ANSWER } from '../connectors.ts'
import { REMOTE_CONTENT, REMOTE_TOOLS, upstreamPath } from '../remotes.ts'
import { report } from './report.ts'

// The provider of the made-up connectors (GET), and an MCP server without sessions (POST), with one path per protocol era.
const body = Buffer.from(PROVIDER_ANSWER)
const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length }

const serverInfo = { name: 'bench-upstream', version: '1.0.0' }
const capabilities = { tools: {} }
const ofModern = { resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo } }

/** Results by method, as JSON. */
const RESULTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [upstreamPath('legacy')]: {
    initialize: JSON.stringify({ protocolVersion: '2025-11-25', capabilities, serverInfo }),
    'tools/list': JSON.stringify({ tools: REMOTE_TOOLS }),
    'tools/call': JSON.stringify({ content: REMOTE_CONTENT }),
  },
  [upstreamPath('modern')]: {
    'server/discover': JSON.stringify({
      ...ofModern,
      supportedVersions: ['2026-07-28'],
      capabilities,
      ttlMs: 60_000,
      cacheScope: 'public',
    }),
    'tools/list': JSON.stringify({ ...ofModern, tools: REMOTE_TOOLS, ttlMs: 60_000, cacheScope: 'public' }),
    'tools/call': JSON.stringify({ ...ofModern, content: REMOTE_CONTENT }),
  },
}
const UNKNOWN = '{"code":-32601,"message":"Method not found"}'

function answer(path: string, text: string, response: ServerResponse): void {
  const { id, method } = JSON.parse(text) as { id?: unknown; method: string }
  if (id === undefined) return void response.writeHead(202).end()
  const result = RESULTS[path]?.[method]
  const member = result === undefined ? `"error":${UNKNOWN}` : `"result":${result}`
  const message = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${member}}`
  const head = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(message) }
  response.writeHead(200, head).end(message)
}

const server = createServer((request, response) => {
  const { method, url = '' } = request
  if (method === 'POST') {
    let text = ''
    request.setEncoding('utf8').on('data', chunk => {
      text += chunk
    })
    request.on('end', () => answer(url, text, response))
    return
  }
  request.resume()
  // The server offers no stream.
  if (url in RESULTS) response.writeHead(405, { allow: 'POST' }).end()
  else response.writeHead(200, headers).end(body)
})
// Connections stay open while other lines are measured, because the cost of connecting is not measured.
server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1', () => report({ port: (server.address() as AddressInfo).port }))
