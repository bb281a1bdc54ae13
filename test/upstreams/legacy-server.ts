import { randomUUID } from 'node:crypto'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Test } from 'tap'
import { fetchServer } from './fetch-server.ts'
import { OFFER_CAPABILITIES, type SpecimenOffers, serveLegacyOffers } from './specimen-resources-and-prompts.ts'
import { type SpecimenTools, specimenTools } from './specimen-tools.ts'

interface LegacyServerOptions {
  /** Whether it requires a session. */
  sessions?: boolean
  /** How POSTs are answered. */
  answers?: 'json' | 'sse'
  /** The number of tools per page; all if absent. */
  pageSize?: number
  tools?: SpecimenTools
  /** Resources and prompts; none if absent. */
  offers?: SpecimenOffers
  /** Answers instead of the server; undefined passes the request on. */
  guard?: (request: Request) => Promise<Response | undefined>
}

/** A legacy upstream on the v1 SDK with the specimen tools. */
export async function legacyServer(
  t: Pick<Test, 'teardown'>,
  {
    sessions = true,
    answers = 'sse',
    pageSize = Number.POSITIVE_INFINITY,
    tools = specimenTools(),
    offers,
    guard,
  }: LegacyServerOptions = {},
) {
  const transports = new Map<string, WebStandardStreamableHTTPServerTransport>()

  async function opened(): Promise<WebStandardStreamableHTTPServerTransport> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: answers === 'json',
      ...(sessions && {
        sessionIdGenerator: randomUUID,
        onsessioninitialized: id => void transports.set(id, transport),
        onsessionclosed: id => void transports.delete(id),
      }),
    })
    await mcpServer(tools, pageSize, offers).connect(transport as never)
    return transport
  }

  const server = await fetchServer(t, async request => {
    const refusal = await guard?.(request)
    if (refusal !== undefined) return refusal
    const id = request.headers.get('mcp-session-id')
    if (!sessions || id === null) return (await opened()).handleRequest(request)
    const transport = transports.get(id)
    return transport === undefined ? unknownSession() : transport.handleRequest(request)
  })

  return {
    url: `${server.origin}/mcp`,
    requests: server.requests,
    tools,
    /** The number of open sessions. */
    get sessions() {
      return transports.size
    },
    /** Drops all sessions, as a restart does, so that their requests get 404. */
    loseSessions: () => transports.clear(),
  }
}

function mcpServer(tools: SpecimenTools, pageSize: number, offers?: SpecimenOffers): Server {
  const server = new Server(
    { name: 'specimens', version: '1.0.0' },
    {
      capabilities: { tools: { listChanged: true }, ...(offers !== undefined && OFFER_CAPABILITIES) },
      instructions: 'Use the tools gently.',
    },
  )
  if (offers !== undefined) serveLegacyOffers(server, offers)
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    const from = Number(params?.cursor ?? 0)
    const to = from + pageSize
    return { tools: tools.list.slice(from, to), ...(to < tools.list.length && { nextCursor: String(to) }) }
  })
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal, requestInfo }) =>
    tools.call({
      name: params.name,
      args: params.arguments ?? {},
      headers: (requestInfo?.headers ?? {}) as Record<string, string>,
      meta: params._meta ?? {},
      signal,
    }),
  )
  return server
}

function unknownSession(): Response {
  return Response.json(
    { jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null },
    { status: 404 },
  )
}
