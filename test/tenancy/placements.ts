import { sql } from 'kysely'
import { acrossOrgs, forOrg } from '../../lib/database/tenant.ts'
import { writeCursor } from '../../services/connectors/engine/pagination.ts'
import type { Gate } from '../../services/definitions/define-tool.ts'
import { pageCursor, readCursor } from '../../tools/memory/memory.ts'
import { account, accountNamed, connect } from './accounts.ts'
import type { ConnectorId } from './provider.ts'
import { NO_UPSTREAM, register, registration, slugOfTool, toolOf, unregister } from './remotes.ts'
import type { Member, World } from './world.ts'

/**
 * What the tenancy matrix cannot read from a schema. If an operation has a parameter without a placement here, the test
 * fails and says what to add.
 */

/** A kind of identifiers: how to make one for a member, and what an unknown one looks like. */
interface Kind {
  /** The ways in which an object can belong to a member, and who then sees it. */
  shapes: Record<string, (caller: Member, owner: Member) => boolean>
  /** Makes an object and returns its identifier. The text is in every part that a list or a search could show. */
  make(world: World, owner: Member, shape: string, text: string): Promise<string>
  /** Returns an identifier of the same form, length and position that names nothing. */
  unknown(id: string): string
  /** Returns an identifier that also has another position, if `unknown` works like the real one. For the owner's control. */
  nothing?(id: string): string
  /** Deletes the object; absent if a deleted object leaves something behind. */
  remove?(world: World, owner: Member, id: string): Promise<void>
  /** Returns the current shape, if a call can change it; undefined for a deleted object. */
  shapeOf?(world: World, owner: Member, id: string): Promise<string | undefined>
  /** Returns the stored state, which calls of others must not change. */
  state?(world: World, owner: Member, id: string): Promise<unknown>
}

const own = (caller: Member, owner: Member) => caller === owner
const ofOrganization = (caller: Member, owner: Member) => caller.orgId === owner.orgId
const ownOrAdmin = (caller: Member, owner: Member) =>
  own(caller, owner) || (ofOrganization(caller, owner) && caller.role !== 'member')

/** The kinds of identifiers. A kind with an `Id` schema, such as `Id('mem')`, has its prefix as its name. */
export const KINDS: Readonly<Record<string, Kind>> = {
  mem: {
    shapes: { private: own, shared: ofOrganization },
    make: async ({ memories }, { caller }, shape, text) =>
      (await memories.remember(caller, text, shape === 'shared' ? 'shared' : 'private')).id,
    unknown: neighbor,
    remove: ({ memories }, { caller }, id) => memories.forget(caller, id),
    shapeOf: async (world, { orgId }, id) => (await memory(world, orgId, id))?.scope,
    state: (world, { orgId }, id) => memory(world, orgId, id),
  },
  org: {
    shapes: { membership: ofOrganization },
    make: async (_world, { orgId }) => orgId,
    unknown: neighbor,
    state: ({ db }, _owner, id) =>
      acrossOrgs(db)
        .selectFrom('memberships as m')
        .leftJoin('active_organizations as a', join => join.onRef('a.user_id', '=', 'm.user_id'))
        .where('m.org_id', '=', id)
        .orderBy(sql`1, 2, 3`)
        .select(['m.user_id', 'a.client_id', 'a.org_id', 'm.role', 'm.revoked_at'])
        .execute(),
  },
  key: {
    shapes: { own: ownOrAdmin },
    make: async ({ services: { keys } }, { orgId, userId }, _shape, name) =>
      (await keys.create({ orgId, userId, name, by: 'operator' })).id,
    unknown: neighbor,
    state: async ({ services: { keys } }, { orgId }, id) => (await keys.list(orgId)).find(key => key.id === id),
  },
  agt: {
    shapes: { own: ownOrAdmin },
    make: async ({ services: { agents } }, { orgId, userId }, _shape, name) =>
      (await agents.create({ orgId, ownerId: userId, name, by: 'operator' })).id,
    unknown: neighbor,
    state: async ({ services: { agents } }, { orgId }, id) => (await agents.list(orgId)).find(agent => agent.id === id),
  },
  usr: {
    shapes: { member: ofOrganization },
    make: async (_world, { userId }) => userId,
    unknown: neighbor,
    state: ({ db }, { orgId }, id) =>
      forOrg(db, orgId).selectFrom('memberships').where('user_id', '=', id).select(['role', 'revoked_at']).execute(),
  },
  'memory cursor': {
    shapes: { list: own },
    async make({ memories }, { caller }, _shape, text) {
      for (let i = 0; i < 2; i++) await memories.remember(caller, text, 'private')
      const { nextCursor = '' } = await memories.list(caller, { limit: 1 })
      return nextCursor
    },
    unknown: cursor => pageCursor(neighbor(readCursor(cursor))),
    nothing: () => pageCursor(`mem_${'0'.repeat(32)}`),
  },
  acc: {
    shapes: { private: own, shared: ofOrganization },
    make: async (world, owner, shape, text) => (await connect(world, owner, 'shelf', shape, text)).id,
    unknown: neighbor,
    remove: async ({ services: { accounts } }, { caller }, id) => void (await accounts.remove(caller, id)),
    shapeOf: async (world, owner, id) => (await account(world, owner, id))?.scope,
    state: account,
  },
  slug: {
    shapes: { registration: ofOrganization },
    make: (world, owner, _shape, text) => register(world, owner, text),
    unknown: neighbor,
    remove: unregister,
    shapeOf: async (world, owner, slug) => (await registration(world, owner, slug)) && 'registration',
    state: registration,
  },
  // By the name of the tool, which contains the slug of the registration.
  'remote tool': {
    shapes: { registration: ofOrganization },
    make: async (world, owner, _shape, text) => toolOf(await register(world, owner, text, { speaks: true })),
    unknown: name => toolOf(neighbor(slugOfTool(name))),
    remove: (world, owner, name) => unregister(world, owner, slugOfTool(name)),
    shapeOf: async (world, owner, name) => (await registration(world, owner, slugOfTool(name))) && 'registration',
    state: (world, owner, name) => registration(world, owner, slugOfTool(name)),
  },
  'shelf account': aliasOf('shelf'),
  'ledger account': aliasOf('ledger'),
}

/** The aliases of a connector's accounts. */
function aliasOf(connector: ConnectorId): Kind {
  return {
    shapes: { private: own, shared: ofOrganization },
    make: async (world, owner, shape, text) => (await connect(world, owner, connector, shape, text)).alias,
    unknown: alias => alias.slice(0, -1) + (alias.endsWith('x') ? 'y' : 'x'),
    async remove(world, owner, alias) {
      const { id = '' } = (await accountNamed(world, owner, alias)) ?? {}
      await world.services.accounts.remove(owner.caller, id)
    },
    shapeOf: async (world, owner, alias) => (await accountNamed(world, owner, alias))?.scope,
    state: accountNamed,
  }
}

function memory({ db }: World, orgId: string, id: string) {
  return forOrg(db, orgId).selectFrom('memories').where('id', '=', id).selectAll().executeTakeFirst()
}

/** Returns an unknown ID with the same time part, so that its position in every order is the same. */
function neighbor(id: string): string {
  return id.slice(0, -1) + (id.endsWith('0') ? '1' : '0')
}

/** What a parameter is: an identifier of a kind, sample values that name nothing, or both. */
type Placement = { kind: string; samples?: readonly unknown[] } | { samples: readonly unknown[] }

const connectors: Placement = { samples: ['shelf', 'ledger', 'nothing'] }

/**
 * The parameters whose schema does not say what they are: by operation and path (`memory__list_memories cursor`,
 * `PATCH /agents/:id body.name`), or by name if it means the same everywhere.
 */
export const PARAMETERS: Readonly<Record<string, Placement>> = {
  'memory__list_memories cursor': { kind: 'memory cursor' },
  // The word in every text of `make`, so that a leaking search finds objects of others.
  query: { samples: ['marker'] },
  memory: { samples: ['What the matrix wrote.'] },
  note: { samples: ['What the matrix wrote.'] },

  // Connectors are the same for all callers. The accounts of a connector belong to members.
  'GET /connectors/:id params.id': connectors,
  'DELETE /connectors/:id params.id': connectors,
  'DELETE /connectors/:id/accounts/:accountId params.id': connectors,
  'DELETE /connectors/:id/accounts/:accountId params.accountId': { kind: 'acc' },
  'PATCH /connectors/:id/accounts/:accountId params.id': connectors,
  'PATCH /connectors/:id/accounts/:accountId params.accountId': { kind: 'acc' },
  'PATCH /connectors/:id/accounts/:accountId body.alias': { samples: ['renamed by the matrix'] },
  connector: connectors,
  'GET /connectors/org/:slug params.slug': { kind: 'slug' },
  'DELETE /connectors/org/:slug params.slug': { kind: 'slug' },
  'POST /connectors/org/:slug/refresh params.slug': { kind: 'slug' },
  'manage__remote_refresh slug': { kind: 'slug' },
  'manage__remote_remove slug': { kind: 'slug' },
  // The details of a new registration name nothing of other members.
  'POST /connectors/org body.slug': { samples: ['matrix-route'] },
  'manage__remote_add slug': { samples: ['matrix-tool'] },
  'POST /connectors/org body.name': { samples: ['What the matrix registered.'] },
  'manage__remote_add name': { samples: ['What the matrix registered.'] },
  'POST /connectors/org body.upstream_url': { samples: [NO_UPSTREAM] },
  upstream_url: { samples: [NO_UPSTREAM] },
  'POST /connectors/org body.auth': { samples: [{ mode: 'none' }, { mode: 'bearer', token: 'of-the-matrix' }] },
  'manage__remote_add auth': { samples: [{ mode: 'none' }] },
  alias: { kind: 'shelf account' },
  // Two, because an alias can be used once: the control uses the first.
  new_alias: { samples: ['renamed by the matrix', 'renamed for a replay'] },
  'manage__explain_tool name': {
    kind: 'remote tool',
    samples: ['shelf__read', 'ledger__read', 'memory__remember', 'nothing__read'],
  },
  account: { kind: 'shelf account' },
  'ledger__read account': { kind: 'ledger account' },
  'manage__usage_summary member': { kind: 'usr' },
  'manage__usage_summary from': { samples: ['2026-01-01'] },
  'manage__usage_summary to': { samples: ['2026-01-01'] },
  // A position at the provider, the same for each account.
  'shelf__list cursor': { samples: [writeCursor('shelf__list', { at: 2 })] },
}

/** What a route needs to declare: that it needs no credential, that it carries the tools, or its gate. */
type RoutePlacement = { public: string } | { tools: string } | { gate: Gate }

/** All public routes with the reason, and the routes of the authenticated scope that have a gate. */
export const ROUTES: Readonly<Record<string, RoutePlacement>> = {
  'GET /health': { public: 'probe of the process' },
  'HEAD /health': { public: 'probe of the process' },
  'GET /': { public: 'says what this is' },
  'HEAD /': { public: 'says what this is' },
  'GET /version': { public: 'names the build' },
  'GET /icons/:file': { public: 'logos, the same for all' },
  'GET /artifacts/:id': { public: 'its signature is its credential' },
  'HEAD /artifacts/:id': { public: 'its signature is its credential' },
  'GET /.well-known/oauth-protected-resource/mcp': { public: 'names the authorization server' },
  '* /mcp': { public: 'answers 405 to every method except POST' },
  'GET /mcp': { tools: 'answers 405, and has no tools' },
  'GET /.well-known/oauth-client-metadata': { public: 'describes this service as an OAuth client' },
  'POST /connectors/org': { gate: 'admin' },
  'DELETE /connectors/org/:slug': { gate: 'admin' },
  'POST /connectors/org/:slug/refresh': { gate: 'admin' },
  'POST /mcp': { tools: 'its identifiers are the arguments of the tools' },
}
