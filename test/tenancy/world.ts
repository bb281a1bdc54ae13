import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Test } from 'tap'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import type { Role } from '../../schemas/organizations/member.ts'
import type { MediaModel } from '../../schemas/tools/media.ts'
import type { Services } from '../../services/create-services.ts'
import type { Caller } from '../../services/identity/caller.ts'
import { mintApiKey } from '../../services/identity/key-format.ts'
import SHIPPED from '../../services/media/media-models.json' with { type: 'json' }
import { createMemoryStore, type MemoryStore } from '../../services/memory/memory-store.ts'
import { type BuildOptions, build } from '../fixtures/build.ts'
import { testIds } from '../fixtures/directory.ts'
import { MEMORY_LIMITS } from '../fixtures/settings.ts'
import { testIssuer } from '../fixtures/test-issuer.ts'
import { mediaSettings } from '../media/media-fixture.ts'
import { providerDouble } from '../media/provider-double.ts'
import type { Send } from './answers.ts'
import { type RouteEntry, watchRoutes } from './operations.ts'
import { KINDS } from './placements.ts'
import { type Provider, provider } from './provider.ts'
import { speakingUpstreams } from './remotes.ts'

/** A member. The names are a1 and a2 in organization A, b1 and b2 in B. */
export interface Member {
  name: string
  orgId: string
  userId: string
  role: Role
  caller: Caller
}

/** A valid credential. Every kind of credential uses both protocol eras, one per member. */
export interface Credential {
  kind: 'API key' | 'agent’s key' | 'agent’s token' | 'session' | 'MCP token'
  member: Member
  era: 'legacy' | 'modern'
  headers: Record<string, string>
}

/** An object of a member, with a text that identifies it in every answer. */
export interface Specimen {
  id: string
  kind: string
  shape: string
  owner: Member
  sees(caller: Member): boolean
}

/** A text or an identifier that only some members may see. */
interface Marker {
  text: string
  sees(caller: Member): boolean
  /** The member of the object that it names; undefined if it names none. */
  owner?: Member
}

/** Two organizations with two members each. Every member has every kind of credential and object. */
export interface World {
  services: Services
  db: Kysely<Database>
  memories: MemoryStore
  /** The provider of the accounts. */
  provider: Provider
  /** The origin of the MCP servers that organizations register. */
  upstream: string
  send: Send
  routes: readonly RouteEntry[]
  members: readonly Member[]
  credentials: readonly Credential[]
  /** Headers without a valid credential, by what is wrong: none, an unknown one, a revoked one. */
  refused: Readonly<Record<string, Record<string, string>>>
  specimens: readonly Specimen[]
  markers: readonly Marker[]
  /** Returns the headers of a signed-in user. Both issuers use the same subject. */
  signIn(kind: 'session' | 'MCP token', subject: string): Promise<Record<string, string>>
  /** Creates a user who signs in as this subject, and their membership. */
  join(name: string, orgId: string, role: Role): Promise<Member>
  /** Makes another object for a member. Returns its identifier. */
  make(kind: string, owner: Member, shape: string, text?: string): Promise<string>
}

/** One model for each tool of media. Both answer with the result. */
const MODELS = (SHIPPED as MediaModel[]).filter(({ id }) =>
  ['gemini-3.1-flash-image', 'gemini-3.5-flash-lite'].includes(id),
)

/** Builds the app with real issuers, and creates the objects through the services. */
export async function makeWorld(t: Test, options: BuildOptions = {}): Promise<World> {
  const [sessions, mcp] = [await testIssuer(t, { audience: 'gateway' }), await testIssuer(t)]
  const routes: RouteEntry[] = []
  const accountsOf = await provider(t)
  const media = await providerDouble(t)
  const { app, services, clock } = await build(t, {
    ...options,
    connectors: accountsOf.connectors,
    settings: {
      dataDir: t.testdir(),
      media: mediaSettings({ gemini: media.urls.gemini }, MODELS),
      tokens: {
        session: { issuer: sessions.issuer, jwksUri: sessions.jwksUri, audience: 'gateway' },
        mcp: { issuer: mcp.issuer, jwksUri: mcp.jwksUri, scopes: [] },
        shareSubjects: true,
        algorithms: ['RS256'],
        maxLifetimeSeconds: 86_400,
        clockToleranceSeconds: 30,
      },
    },
    instrument: watchRoutes(routes),
  })
  sessions.clock = clock
  mcp.clock = clock
  const { organizations, keys, agents, agentSignIns, oauthClients, database } = services
  const memories = createMemoryStore({ db: database.db, clock, ids: testIds(clock), limits: MEMORY_LIMITS })

  const signIn: World['signIn'] = async (kind, sub) =>
    bearer(
      kind === 'session'
        ? await sessions.mint({ sub })
        : await mcp.mint({ sub, aud: 'http://localhost/mcp', client_id: clientOf(sub) }),
    )

  async function join(name: string, orgId: string, role: Role): Promise<Member> {
    const { id: userId } = await organizations.createUser({
      orgId,
      email: emailOf(name),
      role,
      by: 'operator',
      subject: { issuer: sessions.issuer, subject: name },
    })
    return { name, orgId, userId, role, caller: { orgId, userId, role } }
  }

  async function credentialsOf(member: Member, index: number): Promise<Credential[]> {
    const { orgId, userId, name } = member
    const agent = await agents.create({
      orgId,
      ownerId: userId,
      name: `marker of ${name} agent with a key`,
      by: 'operator',
    })
    const subject = `agent of ${name}`
    await agentSignIns.link(agent.id, { issuer: sessions.issuer, subject, move: false }, { by: 'operator' })
    const headers: [Credential['kind'], Record<string, string>][] = [
      ['API key', { 'x-api-key': (await keys.create({ orgId, userId, by: 'operator' })).key }],
      ['agent’s key', bearer((await keys.create({ orgId, userId, agentId: agent.id, by: 'operator' })).key)],
      ['agent’s token', await signIn('session', subject)],
      ['session', await signIn('session', name)],
      ['MCP token', await signIn('MCP token', name)],
    ]
    return headers.map(([kind, headers], i) => ({
      kind,
      member,
      era: (index + i) % 2 === 0 ? 'legacy' : 'modern',
      headers,
    }))
  }

  const { id: A } = await organizations.create({ name: nameOf('A'), by: 'operator' })
  const { id: B } = await organizations.create({ name: nameOf('B'), by: 'operator' })
  // The matrix calls metered tools many times.
  await acrossOrgs(database.db).updateTable('wallets').set({ balance_micros: 1_000_000_000_000 }).execute()
  const members = [
    await join('a1', A, 'owner'),
    await join('a2', A, 'member'),
    await join('b1', B, 'admin'),
    await join('b2', B, 'member'),
  ]
  const credentials: Credential[] = []
  for (const [i, one] of members.entries()) credentials.push(...(await credentialsOf(one, i)))

  const revoked = await keys.create({ orgId: A, userId: members[0]?.userId ?? '', by: 'operator' })
  await keys.revoke(revoked.id, { by: 'operator' })

  const specimens: Specimen[] = []
  const markers: Marker[] = []
  const world: World = {
    services,
    db: database.db,
    memories,
    provider: accountsOf,
    upstream: await speakingUpstreams(t),
    send: request => app.inject(request),
    routes,
    members,
    credentials,
    refused: {
      'no credential': {},
      'an unknown key': { 'x-api-key': mintApiKey('development') },
      'a revoked key': { 'x-api-key': revoked.key },
      'an unsigned token': bearer(await sessions.mint({}, { alg: 'none' })),
    },
    specimens,
    markers,
    signIn,
    join,
    async make(kind, owner, shape, text = 'made by the matrix') {
      // Each object gets its own time, so that no two have the same position in a list.
      clock.advance(1)
      return kindOf(kind).make(world, owner, shape, text)
    },
  }

  for (const owner of members) {
    markers.push({ text: owner.userId, sees: caller => caller.orgId === owner.orgId })
    markers.push({ text: emailOf(owner.name), sees: caller => caller.orgId === owner.orgId })
    for (const [kind, { shapes, remove }] of Object.entries(KINDS)) {
      const add = async (shape: string, sees: Specimen['sees'], like = shape) => {
        const text = markerOf(owner, kind, shape)
        const id = await world.make(kind, owner, like, text)
        specimens.push({ id, kind, shape, owner, sees })
        markers.push({ text, sees, owner }, { text: id, sees, owner })
        return id
      }
      for (const [shape, sees] of Object.entries(shapes)) await add(shape, caller => sees(caller, owner))
      const [shape] = Object.keys(shapes)
      if (remove !== undefined) await remove(world, owner, await add('removed', () => false, shape))
    }
  }
  for (const [letter, id] of Object.entries({ A, B })) {
    markers.push({ text: nameOf(letter), sees: caller => caller.orgId === id })
    const app = { connector: 'ledger', clientId: `${nameOf(letter)}, its app`, clientSecret: randomUUID() }
    await oauthClients.set({ ...app, orgId: id, by: 'operator', setBy: null })
    for (const { registration, snapshot } of await services.remotes.list(id))
      for (const text of [registration.id, snapshot?.id ?? registration.id])
        markers.push({ text, sees: caller => caller.orgId === id })
    markers.push({ text: app.clientId, sees: caller => caller.orgId === id && caller.role !== 'member' })
  }
  for (const kind of ['session', 'MCP token'] as const) await fetchKeys(kind)
  return world

  /** Fetches an issuer's keys. On a busy machine, the first attempt may time out, and the next one waits for the clock. */
  async function fetchKeys(kind: 'session' | 'MCP token'): Promise<void> {
    const token = ((await signIn(kind, 'a1')).authorization ?? '').slice('Bearer '.length)
    for (let tries = 0; tries < 5; tries++) {
      try {
        await services.identity.jwts.verify(token, kind === 'session' ? 'session' : 'mcp')
        return
      } catch {
        clock.advance(2_000)
      }
    }
  }
}

/** Returns the text of a specimen. Each begins with the word that the matrix searches for. */
export function markerOf(owner: Member, kind: string, shape: string): string {
  return `marker of ${owner.name} ${kind} ${shape}`
}

/** Returns a kind of identifiers. Throws if it has no placement. */
export function kindOf(name: string) {
  const kind = KINDS[name]
  if (kind === undefined) throw new Error(`KINDS in test/tenancy/placements.ts has no ${name}.`)
  return kind
}

/** Returns the ID of the OAuth client that a user signs in with. */
export function clientOf(subject: string): string {
  return `client of ${subject}`
}

function nameOf(organization: string): string {
  return `marker of organization ${organization}`
}

function emailOf(member: string): string {
  return `marker-of-${member}@example.test`
}

function bearer(credential: string): Record<string, string> {
  return { authorization: `Bearer ${credential}` }
}
