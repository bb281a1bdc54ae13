import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { definePublicRoutes } from './define-routes.ts'

const landingPageRoutes: FastifyPluginAsyncTypebox = async app => {
  app.route({
    method: 'GET',
    url: '/',
    exposeHeadRoute: true,
    schema: {
      summary: 'Describe this service in one line, and say where to read more.',
      response: { 200: { content: { 'text/plain': { schema: Type.String() } } } },
    },
    handler: async function describeGateway(request, reply) {
      return sendLandingPage(request, reply)
    },
  })
}

/** Sends one line of text for a person who opened a URL of the gateway in a browser. */
export function sendLandingPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .type('text/plain; charset=utf-8')
    .send(
      'This is a connector gateway: an MCP server for AI agents, not a website. ' +
        `Add ${request.origin}/mcp to an MCP client. ` +
        'Read more in docs/api.md of the gateway, and about MCP at https://modelcontextprotocol.io.\n',
    )
}

export default definePublicRoutes('landing-page', landingPageRoutes)
