import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { identityOf } from '../plugins/identity/plugin.ts'
import { type Answer, dispatch } from '../plugins/mcp/dispatch.ts'
import { encodeList } from '../plugins/mcp/encoding.ts'
import type { ServerInfo } from '../plugins/mcp/tool-list.ts'
import type { CallTool } from '../plugins/tool-registry/call.ts'
import { callerTools } from '../plugins/tool-registry/caller-tools.ts'
import type { Surfaces } from '../plugins/tool-registry/surfaces.ts'
import transportValidation, { mcpMessageOf } from '../plugins/transport-validation/plugin.ts'
import { McpAnswer, McpRequest } from '../schemas/mcp.ts'

export interface McpRoutesOptions {
  serverInfo: ServerInfo
  surfaces: Surfaces
  callTool: CallTool
}

const INSTRUCTIONS =
  'Tools of the services this team has connected, and of the gateway itself (memory, manage). ' +
  'Names are <capability>__<operation>. A tool that is missing is switched off, or its account is not connected.'

async function mcpRoutes(app: FastifyInstance, { serverInfo, surfaces, callTool }: McpRoutesOptions) {
  await app.register(transportValidation)

  app.route({
    method: 'POST',
    url: '/mcp',
    config: { surface: 'mcp', audience: 'mcp', cors: true },
    schema: {
      summary: 'Every tool, over Streamable HTTP: one JSON-RPC message a request, JSON answers.',
      body: McpRequest,
      response: { 200: McpAnswer },
    },
    // The message was judged by transport-validation, which answers in the envelope of the protocol.
    validatorCompiler: () => () => true,
    handler: function answerMcp(request, reply) {
      const answer = dispatch(request.headers, mcpMessageOf(request), {
        serverInfo,
        instructions: INSTRUCTIONS,
        tools: callerTools(surfaces, callTool, {
          identity: identityOf(request),
          caller: request.caller,
          onDisconnect: listener => reply.raw.once('close', () => reply.raw.writableFinished || listener()),
          onCall: tool => {
            request.tool = tool
          },
        }),
      })
      if (!(answer instanceof Promise)) return send(answer, request, reply)
      answer.then(
        ready => send(ready, request, reply),
        error => reply.send(error),
      )
      return reply
    },
  })
}

function send({ status, body }: Answer, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.code(status)
  if (body === undefined) return reply.send()
  reply.header('content-type', 'application/json')
  if (typeof body === 'string') return reply.send(body)

  const { bytes, encoding } = encodeList(body, request.headers['accept-encoding'])
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`)
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  return reply.send(bytes)
}

async function mcpMethods(app: FastifyInstance) {
  app.route({
    method: app.supportedMethods.filter(method => method !== 'POST'),
    url: '/mcp',
    config: { surface: 'mcp', cors: true },
    // Before the body: a method that is not served does not read one.
    onRequest: function refuseMethod(_request, reply) {
      reply.code(405).header('allow', 'POST').send()
    },
    handler: function neverReached() {
      throw new Error('The hook before this handler has answered.')
    },
  })
}

/** The 405 of every other method on /mcp, which asks for no credential (spec.md, Endpoints). */
export const mcpMethodRoutes = fp(mcpMethods, {
  name: 'routes/mcp-methods',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['origin'],
})

export default fp(mcpRoutes, {
  name: 'routes/mcp',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['identity', 'org-resolution', 'standing', 'rate-limit'],
})
