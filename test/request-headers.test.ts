import type { AddressInfo } from 'node:net'
import t from 'tap'
import { build } from './fixtures/build.ts'
import { signedIn, verifyJwt } from './fixtures/journey-fixture.ts'
import { rawClient } from './fixtures/raw-client.ts'

const { app, directory } = await build(t, { verifyJwt })
const [owner] = await directory.members('owner')
const { key } = await owner.key()
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo

const KEY = `x-api-key: ${key}`
const JSON_TYPE = 'content-type: application/json'
const ACCEPT = 'accept: application/json, text/event-stream'

/** Sends header lines unchanged, because HTTP clients would join them. */
async function send(path: string, lines: string[], body: string) {
  const head = ['host: localhost', 'connection: close', `content-length: ${Buffer.byteLength(body)}`, ...lines]
  const client = await rawClient(t, port, `POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`)
  const answer = await client.closed()
  const [top = '', text = ''] = answer.split('\r\n\r\n', 2)
  return { status: Number(top.split(' ')[1]), top, body: text === '' ? undefined : JSON.parse(text) }
}

const rpc = (method: string, params: object = {}) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
const mcp = (lines: string[], body = rpc('ping')) => send('/mcp', [ACCEPT, ...lines], body)

t.test('two Authorization headers are always rejected', async t => {
  const signedInAs = `Authorization: ${signedIn(owner).authorization}`
  const bearer = `authorization: Bearer ${key}`
  t.equal((await mcp([JSON_TYPE, signedInAs])).status, 200)
  t.equal((await mcp([JSON_TYPE, bearer])).status, 200)
  for (const lines of [
    [signedInAs, bearer],
    [bearer, signedInAs],
    [bearer, bearer],
    [signedInAs, signedInAs],
    [bearer, 'AUTHORIZATION: Basic eDp5'],
    [bearer, 'authorization: '],
    [KEY, KEY],
  ]) {
    const { status, top, body } = await mcp([JSON_TYPE, ...lines])
    t.equal(status, 401)
    t.match(body, { error: { type: 'authentication_error', code: 'invalid_api_key' } })
    t.match(top, /www-authenticate: .*error="invalid_token"/i)
  }
})

t.test('two Content-Type headers are rejected on every route that reads a body', async t => {
  const remote = JSON.stringify({ slug: 'x', name: 'X', upstream_url: 'https://x.test', auth: { mode: 'none' } })
  for (const second of [JSON_TYPE, 'Content-Type: text/plain', 'content-type: ']) {
    const onMcp = await mcp([KEY, JSON_TYPE, second])
    t.equal(onMcp.status, 415, second)
    t.match(onMcp.body, { error: { code: -32000 }, id: null })
    const elsewhere = await send('/connectors/org', [KEY, JSON_TYPE, second], remote)
    t.equal(elsewhere.status, 415, second)
    t.match(elsewhere.body, { error: 'invalid_request', message: String })
  }
  t.equal((await mcp([KEY, 'content-type: text/plain', JSON_TYPE], '[]')).body.error.code, -32600)
})

t.test('POST /connectors/org rejects a body of another type with 415, and one that is not UTF-8 with 400', async t => {
  for (const type of ['text/plain', 'application/json; charset=utf-16', 'json']) {
    const { status, body } = await send('/connectors/org', [KEY, `content-type: ${type}`], '{}')
    t.equal(status, 415, type)
    t.match(body, { error: 'invalid_request', message: String })
  }
  const { status, body } = await send('/connectors/org', [KEY, JSON_TYPE], '\ufeff{}')
  t.equal(status, 400)
  t.match(body, { error: 'invalid_request', message: /UTF-8/ })
})

t.test('two Accept headers are combined', async t => {
  const lines = [KEY, JSON_TYPE, 'accept: application/json', 'accept: text/event-stream']
  t.equal((await send('/mcp', lines, rpc('ping'))).status, 200)
})

t.test('repeated MCP headers are a mismatch, and two idempotency keys are rejected', async t => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const call = { name: 'memory__remember', arguments: { memory: 'The heron is gray.' } }
  const modern = ['mcp-protocol-version: 2026-07-28', 'mcp-method: tools/call', 'mcp-name: memory__remember']
  const body = rpc('tools/call', { ...call, _meta: meta })
  t.equal((await mcp([KEY, JSON_TYPE, ...modern], body)).body.result.isError, undefined)
  for (const line of modern) {
    const { status, body: answer } = await mcp([KEY, JSON_TYPE, ...modern, line], body)
    t.equal(status, 400, line)
    t.match(answer.error.code, /^-320(00|20)$/)
  }
  const keys = ['idempotency-key: a', 'Idempotency-Key: b']
  const { result } = (await mcp([KEY, JSON_TYPE, ...keys], rpc('tools/call', call))).body
  t.match(JSON.parse(result.content[0].text), { error: { code: 'invalid_request', message: /idempotency key/ } })
})

t.test('two Host headers, two Origins and two lengths are rejected', async t => {
  t.equal((await mcp([KEY, JSON_TYPE, 'Host: localhost'])).status, 403)
  t.equal((await mcp([KEY, JSON_TYPE, 'origin: http://localhost', 'origin: http://localhost'])).status, 403)
  t.equal((await mcp([KEY, JSON_TYPE, 'content-length: 1'])).status, 400)
})
