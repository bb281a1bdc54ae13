import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { MCP_PATHS } from '../lib/http/public-hosts.ts'
import { shareBytes } from '../lib/unread-answers/unread-bytes.ts'
import { varyByEncoding } from '../plugins/compression/plugin.ts'
import { sendError } from '../plugins/error-envelope/plugin.ts'
import { identityOf } from '../plugins/identity/plugin.ts'
import { writeRequestLine } from '../plugins/request-log/plugin.ts'
import transportValidation, { mcpMessageOf } from '../plugins/transport-validation/plugin.ts'
import { TransportError } from '../schemas/gateway/errors.ts'
import { McpAnswer, RpcErrorResponse, RpcMessage } from '../schemas/tools/mcp.ts'
import type { Caller } from '../services/identity/caller.ts'
import type { ClientNames } from '../services/mcp/client-names.ts'
import { dispatch } from '../services/mcp/dispatch.ts'
import type { Headers } from '../services/mcp/headers.ts'
import { errorAnswer, RPC_ERRORS } from '../services/mcp/json-rpc.ts'
import type { Answer, OfferRequest } from '../services/mcp/mcp-types.ts'
import { type EncodedBody, encodeList, type ServerInfo } from '../services/mcp/tool-list.ts'
import type { Layer } from '../services/policies/policy.ts'
import { isNarrowed, type KnownNames, narrowingOf } from '../services/policies/request-narrowing.ts'
import type { CallTool } from '../services/tool-calls/call.ts'
import type { Offers } from '../services/tool-calls/caller-resources-and-prompts.ts'
import { callerTools } from '../services/tool-calls/caller-tools.ts'
import type { Surfaces } from '../services/tool-calls/surfaces.ts'
import { sendLandingPage } from './landing-page.ts'

interface McpRoutesOptions {
  serverInfo: ServerInfo
  surfaces: Surfaces
  callTool: CallTool
  offers: Offers
  clientNames: ClientNames
  /** What the requests of a caller can name. */
  namesFor(caller: Caller | null): Promise<KnownNames>
}

const INSTRUCTIONS =
  'Tools for the services this team has connected, and the gateway’s own, such as memory, files, manage, web, social ' +
  'and media. Names are <capability>__<operation>. A missing tool is switched off or not configured, or its account ' +
  'is not connected.'

/** The size in bytes from which a response is sent in pieces. */
const LARGE = 32 * 1024

async function mcpPost(app: FastifyInstance, options: McpRoutesOptions) {
  const { serverInfo, surfaces, callTool, offers, clientNames, namesFor } = options
  await app.register(transportValidation)

  for (const url of MCP_PATHS)
    app.route({
      // An array keeps the second form out of docs/openapi.json and the 404, which name only routes with a single method.
      method: url === '/mcp' ? 'POST' : ['POST'],
      url,
      config: { group: 'mcp', audience: 'mcp', cors: true, changesOrganization: true },
      schema: {
        summary: 'Call tools with MCP over Streamable HTTP: one JSON-RPC message per request, JSON responses.',
        body: RpcMessage,
        response: {
          200: McpAnswer,
          400: Type.Union([TransportError, RpcErrorResponse]),
          404: RpcErrorResponse,
        },
      },
      // transport-validation has validated the message, with the errors of the protocol.
      validatorCompiler: () => () => true,
      handler: function answerMcp(request, reply) {
        const identity = identityOf(request)
        const sender = { identity, userAgent: request.headers['user-agent'] }
        const message = mcpMessageOf(request)
        const from = {
          identity,
          caller: request.caller,
          clientName: (meta: OfferRequest['meta']) => clientNames.of(sender, meta),
          onDisconnect: (listener: () => void) => onDisconnect(reply.raw, listener),
          onCall: (tool: string) => {
            request.tool = tool
          },
        }
        const answerWith = (narrowing: readonly Layer[]) =>
          dispatch(request.headers, message, {
            serverInfo,
            instructions: INSTRUCTIONS,
            introduced: clientInfo => clientNames.introduce(sender, clientInfo),
            tools: callerTools({
              ...from,
              narrowing,
              surfaces,
              callTool,
              origin: request.gatewayOrigin,
              argumentsFault: request.argumentsFault,
            }),
            offers: offers.of({ ...from, narrowing }),
          })
        const query = request.query as Headers
        const answer = isNarrowed(request.headers, query) ? narrowed() : answerWith([])
        // Never return the reply from a promise or this handler: it is a thenable, and waiting for it adds seven listeners.
        if (answer instanceof Promise)
          answer.then(
            ready => send(ready, request, reply),
            error => sendFailure(error, request, reply),
          )
        else send(answer, request, reply)

        async function narrowed(): Promise<Answer> {
          const narrowing = narrowingOf(request.headers, query, await namesFor(request.caller))
          if (typeof narrowing !== 'string') return answerWith(narrowing)
          const id = 'id' in message ? (message.id ?? null) : null
          return errorAnswer(400, id, RPC_ERRORS.invalidParams, `Invalid params: ${narrowing}`)
        }
      },
    })
}

/** Sends an answer. Never throws, because nothing would catch it behind a promise. */
function send(answer: Answer, request: FastifyRequest, reply: FastifyReply): void {
  try {
    sendBody(answer, request, reply)
  } catch (error) {
    sendFailure(error, request, reply)
  }
}

/** Sends an error instead. If the response has begun, cuts the connection, so that the client sees it is incomplete. */
function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  try {
    if (!reply.raw.headersSent) {
      sendError(error, request, reply.removeHeader('content-encoding'))
      return
    }
  } catch {
    // If the error cannot be sent either, it is only logged.
  }
  request.log.error({ id: request.id, err: error }, 'cannot send the complete response')
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
      // The promise must not return the reply here either.
      .catch(error => sendFailure(error, request, reply))
  else sendList(encoded, reply)
}

function sendList({ pieces, encoding }: EncodedBody, reply: FastifyReply): void {
  reply.header('content-type', 'application/json')
  varyByEncoding(reply)
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  const length = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
  if (length < LARGE) reply.send(Buffer.concat(pieces))
  else sendPieces(pieces, length, reply)
}

/** Sends shared bytes without a copy: copying a long list cost four times as much as answering it. */
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

/** Calls a listener when the client disconnects before its response, or at once if it already has. */
function onDisconnect(response: ServerResponse, listener: () => void): void {
  if (response.destroyed) listener()
  else response.once('close', () => response.writableFinished || listener())
}

export const mcpRoutes = fp(mcpPost, {
  name: 'routes/mcp',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'request-log', 'identity', 'org-resolution', 'standing', 'rate-limit'],
})

async function mcpMethods(app: FastifyInstance) {
  for (const url of MCP_PATHS)
    app.route({
      url,
      method: app.supportedMethods.filter(method => method !== 'POST'),
      config: { group: 'mcp', cors: true },
      // Runs before the body is read.
      onRequest: function refuseMethod(request, reply) {
        methodNotAllowed(request, reply)
        const isPage = request.method === 'GET' && request.headers.accept?.includes('text/html') === true
        if (isPage) sendLandingPage(request, reply)
        else reply.send()
      },
      handler: neverReached,
    })
}

async function mcpGet(app: FastifyInstance) {
  for (const url of MCP_PATHS)
    app.route({
      url,
      // An array keeps it out of docs/openapi.json and the 404, which name only routes with a single method.
      method: ['GET'],
      constraints: { credential: true },
      config: { group: 'mcp', audience: 'mcp', cors: true },
      onRequest: function refuseGet(request, reply) {
        methodNotAllowed(request, reply).send()
      },
      handler: neverReached,
    })
}

function methodNotAllowed(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.outcome = 'method_not_allowed'
  // Must not be cached, because GET depends on the credential.
  return reply.code(405).header('allow', 'POST').header('cache-control', 'no-store')
}

function neverReached(): never {
  throw new Error('The hook before this handler has answered.')
}

/** The 405 of every other method on /mcp. It needs no credential. */
export const mcpMethodRoutes = fp(mcpMethods, {
  name: 'routes/mcp-methods',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['request-log', 'origin'],
})

/**
 * The 405 of GET /mcp with a credential, after the checks of POST /mcp. Clients try GET after a POST that failed and show
 * only its answer, so a rejected credential must be rejected here too.
 */
export const mcpGetRoutes = fp(mcpGet, {
  name: 'routes/mcp-get',
  fastify: '5.x',
  encapsulate: true,
  dependencies: ['error-envelope', 'request-log', 'identity', 'org-resolution', 'standing', 'rate-limit'],
})
