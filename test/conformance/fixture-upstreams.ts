import { randomUUID } from 'node:crypto'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import type { RemoteAuthRequest } from '../../schemas/remotes/auth.ts'
import { fetchServer } from '../upstreams/fetch-server.ts'
import { legacyServer } from '../upstreams/legacy-server.ts'
import { OFFER_CAPABILITIES, serveModernOffers, specimenOffers } from '../upstreams/specimen-resources-and-prompts.ts'
import { specimenTools } from '../upstreams/specimen-tools.ts'
import type { FixtureTool } from './fixture-tools.ts'

/** An upstream that an organization can register. */
export interface FixtureUpstream {
  readonly slug: string
  readonly url: string
  readonly auth: RemoteAuthRequest
}

/** The fixture tools, resources and prompts on a server of each official SDK, one per protocol era, each with its own credential. */
export async function fixtureUpstreams(
  t: Parameters<typeof fetchServer>[0],
  fixtures: readonly FixtureTool[],
): Promise<FixtureUpstream[]> {
  const list = fixtures.map(({ run: _, ...entry }) => entry)
  const offers = specimenOffers()
  const run = (name: string, args: Readonly<Record<string, unknown>> = {}) => {
    const tool = fixtures.find(tool => tool.name === name)
    if (tool === undefined) throw new Error(`Unknown tool: ${name}`)
    return tool.run(args)
  }
  const [token, value] = [randomUUID(), randomUUID()]

  const legacy = await legacyServer(t, {
    tools: { ...specimenTools(), list, call: async ({ name, args }) => run(name, args) },
    offers,
    guard: async request => (request.headers.get('authorization') === `Bearer ${token}` ? undefined : unauthorized()),
  })

  const handler = createMcpHandler(
    () => {
      const server = new Server(
        { name: 'fixtures', version: '1.0.0' },
        { capabilities: { tools: {}, ...OFFER_CAPABILITIES } },
      )
      serveModernOffers(server, offers)
      server.setRequestHandler('tools/list', () => ({ tools: list as never }))
      server.setRequestHandler('tools/call', ({ params }) => run(params.name, params.arguments) as never)
      return server
    },
    { legacy: 'reject', keepAliveMs: 0 },
  )
  t.teardown(() => handler.close())
  const modern = await fetchServer(t, async request =>
    request.headers.get('x-team-key') === value ? handler.fetch(request) : unauthorized(),
  )

  return [
    { slug: 'legacy', url: legacy.url, auth: { mode: 'bearer', token } },
    { slug: 'modern', url: `${modern.origin}/mcp`, auth: { mode: 'header', name: 'X-Team-Key', value } },
  ]
}

function unauthorized(): Response {
  return new Response(null, { status: 401 })
}
