import { randomBytes } from 'node:crypto'
import type { Test } from 'tap'
import { forOrg } from '../../lib/database/tenant.ts'
import { remoteCapability } from '../../schemas/remotes/names.ts'
import { upstream } from '../fixtures/egress-fixture.ts'
import type { Member, World } from './world.ts'

/** A URL without an MCP server. */
export const NO_UPSTREAM = 'http://127.0.0.1:8/mcp'

/** Starts an MCP server that lists these tools. Returns its URL. */
export async function upstreamWith(t: Test, tools: readonly object[]): Promise<string> {
  return `${await mcpServer(t, () => tools)}/mcp`
}

/**
 * Starts MCP servers on one origin and returns the origin. The path of a server is a text: the server has one tool, one
 * resource and one prompt, whose descriptions and results are that text. The server at `/mcp` has none of them.
 */
export async function speakingUpstreams(t: Test): Promise<string> {
  return mcpServer(t, text =>
    text === 'mcp' ? [] : [{ name: READ, description: text, inputSchema: { type: 'object', properties: {} } }],
  )
}

async function mcpServer(t: Test, toolsOf: (text: string) => readonly object[]): Promise<string> {
  const { origin, requests } = await upstream(t, ({ url = '' }, response) => {
    const { id, method } = JSON.parse(requests.at(-1)?.body || '{}')
    const text = decodeURIComponent(url.slice(1))
    const results: Record<string, object> = {
      'server/discover': {
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {}, resources: {}, prompts: {} },
      },
      'tools/list': { tools: toolsOf(text) },
      'resources/list': { resources: text === 'mcp' ? [] : [{ uri: 'test://text', name: READ, description: text }] },
      'resources/templates/list': { resourceTemplates: [] },
      'prompts/list': { prompts: text === 'mcp' ? [] : [{ name: READ, description: text }] },
      'resources/read': { contents: [{ uri: 'test://text', text }] },
      'prompts/get': { messages: [{ role: 'user', content: { type: 'text', text } }] },
      'tools/call': { content: [{ type: 'text', text }] },
    }
    response.writeHead(id === undefined ? 405 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...results[method] } }))
  })
  return origin
}

const READ = 'read'
/** The maximum number of registrations per organization in these tests, so that its tool lists stay short. */
const MAX_REGISTRATIONS = 10

/** Registers an upstream with this name, by an admin of the member's organization. Returns its slug. */
export async function register(
  world: World,
  { orgId }: Member,
  name: string,
  { slug = randomBytes(8).toString('hex'), speaks = false } = {},
): Promise<string> {
  const { remotes } = world.services
  const admin = adminOf(world, orgId)
  const there = await remotes.list(orgId)
  const spare = there.find(({ registration }) => registration.name === name)
  if (there.length >= MAX_REGISTRATIONS && spare !== undefined) await remotes.remove(admin, spare.registration.slug)
  const upstream_url = `${world.upstream}/${speaks ? encodeURIComponent(name) : 'mcp'}`
  await remotes.register(admin, { slug, name, upstream_url, auth: { mode: 'none' } }, 'http://localhost')
  return slug
}

/** Removes a registration. */
export async function unregister(world: World, { orgId }: Member, slug: string): Promise<void> {
  await world.services.remotes.remove(adminOf(world, orgId), slug)
}

/** Returns all stored columns of a registration. */
export function registration({ db }: World, { orgId }: Pick<Member, 'orgId'>, slug: string) {
  return forOrg(db, orgId).selectFrom('remote_connectors').where('slug', '=', slug).selectAll().executeTakeFirst()
}

/** Returns the wire name of the tool of a registration. */
export function toolOf(slug: string): string {
  return `${remoteCapability(slug)}__${READ}`
}

/** Returns the slug in the wire name of a tool. */
export function slugOfTool(name: string): string {
  return name.split('__')[1] ?? ''
}

function adminOf({ members }: World, orgId: string): Member['caller'] {
  const admin = members.find(member => member.orgId === orgId && member.role !== 'member')
  if (admin === undefined) throw new Error(`${orgId} has no admin.`)
  return admin.caller
}
