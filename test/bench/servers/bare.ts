import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { CALL_TEXT } from '../tools.ts'
import { report } from './report.ts'

const answer = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: CALL_TEXT }] } }

const app = Fastify({ logger: false })
app.post('/mcp', (_request, reply) => reply.send(answer))

await app.listen({ host: '127.0.0.1', port: 0 })
report({ port: (app.server.address() as AddressInfo).port })
