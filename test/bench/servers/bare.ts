import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { Agent, request } from 'undici'
import { ISSUE_URL } from '../connectors.ts'
import { ERAS, upstreamPath } from '../remotes.ts'
import { CALL_TEXT } from '../tools.ts'
import { report } from './report.ts'

const answer = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: CALL_TEXT }] } }
const issue = `${process.env.UPSTREAM}${ISSUE_URL}`
const options = { dispatcher: new Agent(), headers: { authorization: `Bearer ${'t'.repeat(64)}` } }
const JSON_TYPE = 'application/json; charset=utf-8'

const app = Fastify({ logger: false })
app.post('/mcp', (_request, reply) => reply.send(answer))

app.post('/issue', async (_request, reply) => {
  const { body } = await request(issue, options)
  return reply.header('content-type', JSON_TYPE).send(await body.text())
})

const remote = {
  method: 'POST',
  dispatcher: options.dispatcher,
  headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
} as const
for (const era of ERAS) {
  const upstream = `${process.env.UPSTREAM}${upstreamPath(era)}`
  app.post(upstreamPath(era), async (message, reply) => {
    const { body } = await request(upstream, { ...remote, body: JSON.stringify(message.body) })
    return reply.header('content-type', JSON_TYPE).send(await body.text())
  })
}

// The bytes of a PUT, which every GET returns.
let stored: Buffer | undefined
app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
app.put<{ Body: Buffer }>('/stored', ({ body }, reply) => {
  stored = body
  reply.send()
})
app.get('/stored', (_request, reply) => reply.header('content-type', JSON_TYPE).send(stored))

await app.listen({ host: '127.0.0.1', port: 0 })
report({ port: (app.server.address() as AddressInfo).port })
