import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { shareBytes } from '../lib/unread-answers/tally.ts'
import { sendError } from '../plugins/error-envelope/plugin.ts'
import { identityOf } from '../plugins/identity/plugin.ts'
import { writeRequestLine } from '../plugins/request-log/plugin.ts'
import transportValidation, { mcpMessageOf } from '../plugins/transport-validation/plugin.ts'
import { TransportError } from '../schemas/errors.ts'
import { McpAnswer, RpcErrorResponse, RpcMessage } from '../schemas/mcp.ts'
import type { Answer } from '../services/mcp/contract.ts'
import { dispatch } from '../services/mcp/dispatch.ts'
import { type EncodedBody, encodeList, type ServerInfo } from '../services/mcp/tool-list.ts'
import type { CallTool } from '../services/tool-calls/call.ts'
import { callerTools } from '../services/tool-calls/caller-tools.ts'
import type { Surfaces } from '../services/tool-calls/surfaces.ts'

interface McpRoutesOptions {
  serverInfo: ServerInfo
  surfaces: Surfaces
  callTool: CallTool
}

const INSTRUCTIONS =
  'Tools of the services this team has connected, and of the gateway itself (memory, manage). ' +
  'Names are <capability>__<operation>. A tool that is missing is switched off, or its account is not connected.'

/** From how many bytes on an answer is sent in pieces. */
const LARGE = 32 * 1024

async function mcpRoutes(app: FastifyInstance, { serverInfo, surfaces, callTool }: McpRoutesOptions) {
  await app.register(transportValidation)

  app.route({
    method: 'POST',
    url: '/mcp',
    config: { group: 'mcp', audience: 'mcp', cors: true },
    schema: {
      summary: 'Every tool, over Streamable HTTP: one JSON-RPC message a request, JSON answers.',
      body: RpcMessage,
      response: {
        200: McpAnswer,
        400: Type.Union([TransportError, RpcErrorResponse]),
        404: RpcErrorResponse,
      },
    },
    // The message was judged by transport-validation, which answers in the envelope of the protocol.
    validatorCompiler: () => () => true,
    handler: function answerMcp(request, reply) {
      const answer = dispatch(request.headers, mcpMessageOf(request), {
        serverInfo,
        instructions: INSTRUCTIONS,
        tools: callerTools({
          surfaces,
          callTool,
          identity: identityOf(request),
          caller: request.caller,
          origin: request.origin,
          argumentsFault: request.argumentsFault,
          onDisconnect: listener => whenGone(reply.raw, listener),
          onCall: tool => {
            request.tool = tool
          },
        }),
      })
      // Neither the handler nor the promise is given the reply: it is a thenable that whoever gets it waits for, with
      // seven listeners on the response.
      if (answer instanceof Promise)
        answer.then(
          ready => send(ready, request, reply),
          error => sendFailure(error, request, reply),
        )
      else send(answer, request, reply)
    },
  })
}

/** Sends an answer; throws nothing, because behind a promise nobody would catch it. */
function send(answer: Answer, request: FastifyRequest, reply: FastifyReply): void {
  try {
    sendBody(answer, request, reply)
  } catch (error) {
    sendFailure(error, request, reply)
  }
}

/** Sends what went wrong instead; where an answer has begun, its connection is cut, which tells that it is not whole. */
function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  try {
    if (!reply.raw.headersSent) {
      sendError(error, request, reply.removeHeader('content-encoding'))
      return
    }
  } catch {
    // What could not be sent twice is told to the log alone.
  }
  request.log.error({ id: request.id, err: error }, 'an answer could not be sent to its end')
  writeRequestLine(request, reply, 'internal_error')
  reply.raw.destroy()
}

function sendBody({ status, outcome, body }: Answer, request: FastifyRequest, reply: FastifyReply): void {
  reply.code(status)
  request.outcome = outcome
  if (body === undefined || typeof body === 'string') {
    if (body !== undefined) reply.header('content-type', 'application/json')
    reply.send(body)
    return
  }
  const encoded = encodeList(body, request.headers['accept-encoding'])
  if (encoded instanceof Promise)
    encoded
      .then(ready => sendList(ready, reply))
      // Here too the promise must not be given the reply.
      .catch(error => sendFailure(error, request, reply))
  else sendList(encoded, reply)
}

function sendList({ pieces, encoding }: EncodedBody, reply: FastifyReply): void {
  reply.header('content-type', 'application/json')
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`)
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  const length = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
  if (length < LARGE) reply.send(Buffer.concat(pieces))
  else sendPieces(pieces, length, reply)
}

/** Sends shared bytes as they are: a copy of a long list cost four times what its answer does. */
function sendPieces(pieces: readonly Buffer[], length: number, reply: FastifyReply): FastifyReply {
  const { raw } = reply.header('content-length', length)
  shareBytes(raw, length)
  raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
  reply.hijack()
  raw.cork()
  for (const piece of pieces.slice(0, -1)) raw.write(piece)
  raw.end(pieces.at(-1))
  return reply
}

/** Calls a listener when the client goes away without its answer, or at once where it has gone. */
function whenGone(response: ServerResponse, listener: () => void): void {
  if (response.destroyed) listener()
  else response.once('close', () => response.writableFinished || listener())
}

async function mcpMethods(app: FastifyInstance) {
  app.route({
    method: app.supportedMethods.filter(method => method !== 'POST'),
    url: '/mcp',
    config: { group: 'mcp', cors: true },
    // Before the body: a method that is not served does not read one.
    onRequest: function refuseMethod(request, reply) {
      request.outcome = 'method_not_allowed'
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
  dependencies: ['request-log', 'origin'],
})

export default fp(mcpRoutes, {
  name: 'routes/mcp',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'request-log', 'identity', 'org-resolution', 'standing', 'rate-limit'],
})
