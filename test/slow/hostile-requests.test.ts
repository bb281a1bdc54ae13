import { Agent, type IncomingHttpHeaders, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { build } from '../fixtures/build.ts'
import fc from '../fixtures/property.ts'
import { type Hostile, hostile } from './hostile.ts'

interface Answered {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** The JSON-RPC error codes that POST /mcp may answer with, by HTTP status. 200 may also contain a result. */
const CODES: Record<number, readonly number[]> = {
  200: [-32601, -32602],
  400: [-32000, -32600, -32602, -32700, -32020, -32022],
  403: [-32000],
  404: [-32601],
  406: [-32000],
  413: [-32600],
  415: [-32000],
}

t.test('every POST to /mcp gets a clear answer in the envelope of /mcp and does not affect other callers', async t => {
  const { app, directory } = await build(t)
  const attacker = await (await (await directory.org('Mallory')).member()).key()
  const { key: othersKey } = await (await (await directory.org('Ada')).member()).key()
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  t.teardown(() => agent.destroy())

  function post(headers: Record<string, string>, body: string | Uint8Array): Promise<Answered> {
    return new Promise((resolve, reject) => {
      const request = send({ host: '127.0.0.1', port, path: '/mcp', method: 'POST', agent, headers }, response => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: `${response.headers['content-encoding'] === 'gzip' ? gunzipSync(Buffer.concat(chunks)) : Buffer.concat(chunks)}`,
          }),
        )
      })
      request.on('error', reject)
      request.end(body)
    })
  }

  /** Sends a valid request of another caller. */
  async function askAsOther(method: string, params = {}): Promise<Answered> {
    const headers = {
      'x-api-key': othersKey,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    }
    return post(headers, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  }

  function checkAnswer({ foreign }: Hostile, { status, headers, body }: Answered): void {
    if (foreign && status !== 403) throw new Error(`A request with a foreign Host or Origin got ${status} ${body}`)
    if (status === 202 && body === '') return
    const codes = CODES[status]
    if (codes === undefined) throw new Error(`${status} ${body}`)
    if (!/^application\/json/.test(headers['content-type'] ?? '')) throw new Error(`Not JSON: ${status} ${body}`)
    const message = JSON.parse(body) as { jsonrpc: string; id: unknown; result?: unknown; error?: { code: number } }
    if (message.jsonrpc !== '2.0' || !('id' in message)) throw new Error(`No envelope: ${status} ${body}`)
    if (message.error !== undefined ? !codes.includes(message.error.code) : status !== 200)
      throw new Error(`The status does not allow this code: ${status} ${body}`)
    if (/internal_error|node_modules|\bat .*(?:\.[cm]?[jt]s|node:[\w/]+):\d+:\d+/.test(body))
      throw new Error(`An internal error or a stack trace: ${status} ${body}`)
  }

  await askAsOther('tools/call', { name: 'memory__remember', arguments: { memory: 'The heron is grey.' } })
  const found = await askAsOther('tools/call', { name: 'memory__search_memory', arguments: { query: 'heron' } })
  t.match(found, { status: 200, body: 'The heron is grey.' })

  await fc.assert(
    fc.asyncProperty(hostile, async posted => {
      const headers = { 'x-api-key': attacker.key, ...posted.headers }
      const [answered, others, list] = await Promise.all([
        post(headers, posted.body),
        askAsOther('tools/call', { name: 'memory__search_memory', arguments: { query: 'heron' } }),
        askAsOther('tools/list'),
      ])
      checkAnswer(posted, answered)
      if (others.status !== 200 || others.body !== found.body)
        throw new Error(`Another caller got ${others.status} ${others.body}`)
      if (list.status !== 200 || !list.body.includes('"memory__remember"'))
        throw new Error(`The tool list of another caller was ${list.status} ${list.body}`)
    }),
    { numRuns: 3_000, interruptAfterTimeLimit: 600_000, markInterruptAsFailure: true },
  )
  t.equal(({} as Record<string, unknown>).polluted, undefined, 'no prototype was changed')
})
