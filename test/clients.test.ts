import { once } from 'node:events'
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
  type VersionNegotiationOptions,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { type AnyTool, defineTool } from '../services/definitions/define-tool.ts'
import { build } from './fixtures/build.ts'

/** The app on its own port, and a member's key. */
async function listening(t: Parameters<typeof build>[0], families: readonly AnyTool[] = []) {
  const { app, directory } = await build(t, { families })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { key } = await (await (await directory.org()).member()).key()
  const { port } = app.server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}/mcp`, key }
}

t.test('the official clients list the tools, store a memory, and find it', async t => {
  const { url, key } = await listening(t)
  const headers = { authorization: `Bearer ${key}` }

  await t.test('the v1 SDK’s client', async t => {
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as never)
    t.teardown(() => client.close())
    const { tools } = await client.listTools()
    t.ok(tools.some(tool => tool.name === 'memory__remember'))
    await client.callTool({ name: 'memory__remember', arguments: { memory: 'The first client was here.' } })
    const result = await client.callTool({ name: 'memory__search_memory', arguments: { query: 'first client' } })
    t.match(JSON.stringify(result.content), 'The first client was here.')
  })

  const negotiations: [string, VersionNegotiationOptions][] = [
    ['pinned to 2026-07-28', { mode: { pin: '2026-07-28' } }],
    ['with automatic negotiation', { mode: 'auto' }],
    ['with the legacy handshake', { mode: 'legacy' }],
  ]
  for (const [name, versionNegotiation] of negotiations) {
    await t.test(`the v2 client, ${name}`, async t => {
      const client = new ClientV2({ name: 'test', version: '1' }, { versionNegotiation })
      await client.connect(new TransportV2(new URL(url), { requestInit: { headers } }))
      t.teardown(() => client.close())
      t.equal(client.getProtocolEra(), name === 'with the legacy handshake' ? 'legacy' : 'modern')
      const { tools } = await client.listTools()
      t.ok(tools.some(tool => tool.name === 'memory__remember'))
      await client.callTool({ name: 'memory__remember', arguments: { memory: `The second client was here, ${name}.` } })
      const result = await client.callTool({ name: 'memory__search_memory', arguments: { query: `second ${name}` } })
      t.match(JSON.stringify(result.content), `The second client was here, ${name}.`)
    })
  }
})

t.test('a client that disconnects aborts its call and does not affect the next one', async t => {
  const asked = Promise.withResolvers<AbortSignal>()
  const waiting = defineTool({
    name: 'test__wait',
    title: 'Wait',
    description: 'Waits until its caller disconnects.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: Type.Object({}),
    async run(_args, { signal }) {
      asked.resolve(signal)
      await once(signal, 'abort')
      return { content: [] }
    },
  })
  const { url, key } = await listening(t, [waiting])
  const requestInit = { headers: { 'x-api-key': key } }
  const leaving = new AbortController()
  const gone = fetch(url, {
    method: 'POST',
    signal: leaving.signal,
    headers: {
      'x-api-key': key,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'test__wait' } }),
  })
  const signal = await asked.promise
  t.equal(signal.aborted, false)
  leaving.abort()
  await t.rejects(gone, { name: 'AbortError' })
  if (!signal.aborted) await once(signal, 'abort')
  t.match(signal.reason, { message: 'The client has disconnected.' })

  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }) as never)
  t.ok((await client.listTools()).tools.length > 0)
  await client.close()
})
