import type { AddressInfo } from 'node:net'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import Fastify from 'fastify'
import { benchTools } from '../tools.ts'
import { report } from './report.ts'

const tools = (await benchTools()).map(({ entry }) => entry)

/** The SDK's stateless pattern: a low-level server and a transport for each request. */
function createServer(): Server {
  const server = new Server({ name: 'bench', version: '1.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
    content: [{ type: 'text', text: String(params.arguments?.text) }],
  }))
  return server
}

const app = Fastify({ logger: false })
app.post('/mcp', async (request, reply) => {
  reply.hijack()
  const server = createServer()
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
  reply.raw.on('close', () => {
    void transport.close()
    void server.close()
  })
  await server.connect(transport as Transport)
  await transport.handleRequest(request.raw, reply.raw, request.body)
})

await app.listen({ host: '127.0.0.1', port: 0 })
report({ port: (app.server.address() as AddressInfo).port })
