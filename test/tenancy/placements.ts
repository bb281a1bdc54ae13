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
 * Where the tenancy matrix is told what it cannot read off a schema. An operation with a parameter that stands nowhere
 * here fails the test with a sentence that says what to add.
 */

/** What an identifier names: how a member gets one, and what one looks like that names nothing. */
interface Kind {
  /** The ways in which such a thing can belong to a member, and who sees it then. */
  shapes: Record<string, (caller: Member, owner: Member) => boolean>
  /** Makes one; the text stands in whatever of it a list or a search could show. */
  make(world: World, owner: Member, shape: string, text: string): Promise<string>
  /** An identifier of the same form, length and position that names nothing. */
  unknown(id: string): string
  /** One that names nothing by its position too, where `unknown` is as good as the real one; for the owner's control. */
  nothing?(id: string): string
  /** Deletes it, where nothing of it remains. */
  remove?(world: World, owner: Member, id: string): Promise<void>
  /** How it belongs now, where a call can change that; undefined when it is gone. */
  shapeOf?(world: World, owner: Member, id: string): Promise<string | undefined>
  /** All that is kept of it: what a call of somebody else must leave as it was. */
  state?(world: World, owner: Member, id: string): Promise<unknown>
}

const own = (caller: Member, owner: Member) => caller === owner
const ofOrganization = (caller: Member, owner: Member) => caller.orgId === owner.orgId
const ownOrAdmin = (caller: Member, owner: Member) =>
  own(caller, owner) || (ofOrganization(caller, owner) && caller.role !== 'member')

/** The kinds of identifiers; one whose pattern tells it (`Id('mem')`) goes by its prefix. */
export const KINDS: Readonly<Record<string, Kind>> = {
  mem: {
    shapes: { private: own, shared: ofOrganization },
    make: async ({ memories }, { caller }, shape, text) =>
      (await memories.remember(caller, text, shape === 'shared' ? 'shared' : 'private')).id,
    unknown: neighbour,
    remove: ({ memories }, { caller }, id) => memories.forget(caller, id),
    shapeOf: async (world, { orgId }, id) => (await memory(world, orgId, id))?.scope,
    state: (world, { orgId }, id) => memory(world, orgId, id),
  },
  org: {
    shapes: { membership: ofOrganization },
    make: async (_world, { orgId }) => orgId,
    unknown: neighbour,
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
    unknown: neighbour,
    state: async ({ services: { keys } }, { orgId }, id) => (await keys.list(orgId)).find(key => key.id === id),
  },
  agt: {
    shapes: { own: ownOrAdmin },
    make: async ({ services: { agents } }, { orgId, userId }, _shape, name) =>
      (await agents.create({ orgId, ownerId: userId, name, by: 'operator' })).id,
    unknown: neighbour,
    state: async ({ services: { agents } }, { orgId }, id) => (await agents.list(orgId)).find(agent => agent.id === id),
  },
  usr: {
    shapes: { member: ofOrganization },
    make: async (_world, { userId }) => userId,
    unknown: neighbour,
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
    unknown: cursor => pageCursor(neighbour(readCursor(cursor))),
    nothing: () => pageCursor(`mem_${'0'.repeat(32)}`),
  },
  acc: {
    shapes: { private: own, shared: ofOrganization },
    make: async (world, owner, shape, text) => (await connect(world, owner, 'shelf', shape, text)).id,
    unknown: neighbour,
    remove: async ({ services: { accounts } }, { caller }, id) => void (await accounts.remove(caller, id)),
    shapeOf: async (world, owner, id) => (await account(world, owner, id))?.scope,
    state: account,
  },
  slug: {
    shapes: { registration: ofOrganization },
    make: (world, owner, _shape, text) => register(world, owner, text),
    unknown: neighbour,
    remove: unregister,
    shapeOf: async (world, owner, slug) => (await registration(world, owner, slug)) && 'registration',
    state: registration,
  },
  // By its name on the wire, whose slug says whose it is.
  'remote tool': {
    shapes: { registration: ofOrganization },
    make: async (world, owner, _shape, text) => toolOf(await register(world, owner, text, { speaks: true })),
    unknown: name => toolOf(neighbour(slugOfTool(name))),
    remove: (world, owner, name) => unregister(world, owner, slugOfTool(name)),
    shapeOf: async (world, owner, name) => (await registration(world, owner, slugOfTool(name))) && 'registration',
    state: (world, owner, name) => registration(world, owner, slugOfTool(name)),
  },
  'shelf account': aliasOf('shelf'),
  'ledger account': aliasOf('ledger'),
}

/** What the accounts of a connector are called by those who see them. */
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

/** The id beside this one: of the same time, so that it stands at the same place in every order. */
function neighbour(id: string): string {
  return id.slice(0, -1) + (id.endsWith('0') ? '1' : '0')
}

/** What a parameter is: an identifier of a kind, or what names nothing, with values to send; where it can be either, both. */
type Placement = { kind: string; samples?: readonly unknown[] } | { samples: readonly unknown[] }

const connectors: Placement = { samples: ['shelf', 'ledger', 'nothing'] }

/**
 * The parameters whose schema does not tell what they are: by operation and path (`memory__list_memories cursor`,
 * `PATCH /agents/:id body.name`), or by name where it means the same everywhere.
 */
export const PARAMETERS: Readonly<Record<string, Placement>> = {
  'memory__list_memories cursor': { kind: 'memory cursor' },
  // The word that every text of `make` holds: a search that looks too far finds somebody else's.
  query: { samples: ['marker'] },
  memory: { samples: ['What the matrix wrote.'] },
  note: { samples: ['What the matrix wrote.'] },

  // Connectors are everybody's; what one has of them are accounts.
  'GET /connectors/:id params.id': connectors,
  'DELETE /connectors/:id params.id': connectors,
  'DELETE /connectors/:id/accounts/:accountId params.id': connectors,
  'DELETE /connectors/:id/accounts/:accountId params.accountId': { kind: 'acc' },
  connector: connectors,
  'GET /connectors/org/:slug params.slug': { kind: 'slug' },
  'DELETE /connectors/org/:slug params.slug': { kind: 'slug' },
  'POST /connectors/org/:slug/refresh params.slug': { kind: 'slug' },
  'manage__remote_refresh slug': { kind: 'slug' },
  'manage__remote_remove slug': { kind: 'slug' },
  // What a registration says of itself names nothing of anybody's.
  'POST /connectors/org body.slug': { samples: ['matrix-route'] },
  'manage__remote_add slug': { samples: ['matrix-tool'] },
  'POST /connectors/org body.name': { samples: ['What the matrix registered.'] },
  'manage__remote_add name': { samples: ['What the matrix registered.'] },
  'POST /connectors/org body.upstream_url': { samples: [NO_UPSTREAM] },
  upstream_url: { samples: [NO_UPSTREAM] },
  'POST /connectors/org body.auth': { samples: [{ mode: 'none' }, { mode: 'bearer', token: 'of-the-matrix' }] },
  'manage__remote_add auth': { samples: [{ mode: 'none' }] },
  alias: { kind: 'shelf account' },
  // Two, because an alias is good once: what shows that a call works takes the first.
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
  // A place at the provider, of whichever account it is asked with.
  'shelf__list cursor': { samples: [writeCursor('shelf__list', { at: 2 })] },
}

/** What has to be said of a route: that it asks for no credential, that it carries the tools, or whom it lets in. */
type RoutePlacement = { public: string } | { tools: string } | { gate: Gate }

/** Routes of the authenticated scope stand here only for their gate; public ones all do, with the reason. */
export const ROUTES: Readonly<Record<string, RoutePlacement>> = {
  'GET /health': { public: 'probe of the process' },
  'HEAD /health': { public: 'probe of the process' },
  'GET /version': { public: 'says which build this is' },
  'GET /icons/:file': { public: 'marks of brands, the same for all' },
  'GET /artifacts/:id': { public: 'its signature is its credential' },
  'HEAD /artifacts/:id': { public: 'its signature is its credential' },
  'GET /.well-known/oauth-protected-resource/mcp': { public: 'says where to get a token' },
  '* /mcp': { public: 'the 405 of every method but POST' },
  'GET /.well-known/oauth-client-metadata': { public: 'says how this service is an OAuth client' },
  'POST /connectors/org': { gate: 'admin' },
  'DELETE /connectors/org/:slug': { gate: 'admin' },
  'POST /connectors/org/:slug/refresh': { gate: 'admin' },
  'POST /mcp': { tools: 'its identifiers are the arguments of the tools' },
}
