import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { acrossOrgs, forOrg } from '../../lib/database/tenant.ts'
import { readCursor as readPosition, writeCursor as writePosition } from '../../lib/pages/pages.ts'
import { writeCursor } from '../../services/connectors/engine/pagination.ts'
import { pageCursor, readCursor } from '../../services/memory/memory.ts'
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

/** Where nothing answers: a call without a cursor of a stored page ends with an error. */
const WEB_URL = 'https://127.0.0.1:1/'

const own = (caller: Member, owner: Member) => caller === owner
const ofOrganization = (caller: Member, owner: Member) => caller.orgId === owner.orgId
const ownOrAdmin = (caller: Member, owner: Member) =>
  own(caller, owner) || (ofOrganization(caller, owner) && caller.role !== 'member')

const ofAdmins = (caller: Member, owner: Member) => ofOrganization(caller, owner) && caller.role !== 'member'

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
  'key claim': {
    shapes: { own },
    async make({ services: { keyClaims } }, { caller }, _shape, name) {
      const { command } = await keyClaims.request(caller, { create: { name } })
      return command.slice(-43)
    },
    unknown: neighbor,
  },
  agt: {
    shapes: { own: ownOrAdmin },
    make: async ({ services: { agents } }, { orgId, userId }, _shape, name) =>
      (await agents.create({ orgId, ownerId: userId, name, by: 'operator' })).id,
    unknown: neighbor,
    state: async ({ services: { agents } }, { orgId }, id) => (await agents.list(orgId)).find(agent => agent.id === id),
  },
  // A file, which only its member can name.
  art: {
    shapes: { own },
    make: async ({ services: { artifacts } }, { orgId, userId }, _shape, text) =>
      (await artifacts.create({ orgId, userId, name: text, body: Readable.from([text]) })).id,
    unknown: neighbor,
    state: ({ db }, { orgId }, id) =>
      forOrg(db, orgId).selectFrom('artifacts').where('id', '=', id).selectAll().executeTakeFirst(),
  },
  // A generation that failed, so that no job changes it.
  gen: {
    shapes: { own },
    async make({ db }, { orgId, userId }, _shape, message) {
      const hex = randomUUID().replaceAll('-', '')
      await forOrg(db, orgId)
        .insertInto('generations', {
          id: `gen_${hex}`,
          hold_id: `hld_${hex}`,
          user_id: userId,
          key_id: null,
          agent_id: null,
          ...{
            idempotency_digest: null,
            model: 'gemini-3.1-flash-image',
            state: 'failed',
            request: null,
            operation: null,
          },
          result: JSON.stringify({ code: 'provider_failed', message }),
          estimate_micros: 1,
          cost_micros: null,
          lease_until: null,
          finished_at: sql<Date>`now()`,
        })
        .execute()
      return `gen_${hex}`
    },
    unknown: neighbor,
    state: ({ db }, { orgId }, id) =>
      forOrg(db, orgId).selectFrom('generations').where('id', '=', id).selectAll().executeTakeFirst(),
  },
  usr: {
    shapes: { member: ofOrganization },
    make: async (_world, { userId }) => userId,
    unknown: neighbor,
    state: ({ db }, { orgId }, id) =>
      forOrg(db, orgId).selectFrom('memberships').where('user_id', '=', id).select(['role', 'revoked_at']).execute(),
  },
  // A member that the matrix may change and remove.
  member: {
    shapes: { member: ofOrganization },
    async make({ services: { organizations }, db }, { orgId }, _shape, text) {
      const email = `member-${randomUUID()}@example.test`
      const { id } = await organizations.createUser({ orgId, email, role: 'member', by: 'operator' })
      await db.updateTable('users').where('id', '=', id).set({ email: text }).execute()
      return id
    },
    unknown: neighbor,
    remove: ({ services: { members } }, { orgId }, userId) => members.remove({ orgId, userId, by: 'operator' }),
    state: ({ db }, { orgId }, id) =>
      forOrg(db, orgId).selectFrom('memberships').where('user_id', '=', id).select(['role', 'revoked_at']).execute(),
  },
  'members cursor': {
    shapes: { list: ofOrganization },
    async make({ services: { members } }, { orgId }) {
      const { nextCursor } = await members.page(orgId, { limit: 1, cursor: undefined })
      return nextCursor ?? ''
    },
    ...positionsOf('members', 'usr'),
  },
  inv: {
    shapes: { invitation: ofAdmins },
    async make({ services: { invitations }, db }, { orgId }, _shape, text) {
      const email = `invited-${randomUUID()}@example.test`
      const { id } = await invitations.create({ orgId, email, role: 'member', by: 'operator' })
      await forOrg(db, orgId).updateTable('invitations').where('id', '=', id).set({ email: text }).execute()
      return id
    },
    unknown: neighbor,
    remove: ({ services: { invitations } }, { orgId }, id) => invitations.revoke({ orgId, id, by: 'operator' }),
    state: ({ db }, { orgId }, id) =>
      forOrg(db, orgId).selectFrom('invitations').where('id', '=', id).selectAll().execute(),
  },
  'invitations cursor': {
    shapes: { list: ofAdmins },
    async make({ services: { invitations } }, { orgId }) {
      const created = { orgId, role: 'member', by: 'operator' } as const
      for (let i = 0; i < 2; i++)
        await invitations.create({ ...created, email: `invited-${randomUUID()}@example.test` })
      return (await invitations.page(orgId, { limit: 1, cursor: undefined })).nextCursor ?? ''
    },
    ...positionsOf('invitations', 'inv'),
  },
  'agents cursor': {
    shapes: { list: ownOrAdmin },
    async make({ services: { memberAgents, agents } }, { caller }, _shape, name) {
      for (let i = 0; i < 2; i++)
        await agents.create({ orgId: caller.orgId, ownerId: caller.userId, name, by: 'operator' })
      const { nextCursor } = await memberAgents.page(caller, { limit: 1, cursor: undefined })
      return nextCursor ?? ''
    },
    unknown(cursor) {
      const { at, id } = readPosition('agents', cursor)
      return writePosition('agents', { at, id: neighbor(id) })
    },
    nothing: () => writePosition('agents', { at: '1970-01-01T00:00:00.000000Z', id: `agt_${'0'.repeat(32)}` }),
  },
  'web cursor': {
    shapes: { page: ofOrganization },
    async make({ db }, { orgId }, _shape, text) {
      const id = `pag_${randomUUID().replaceAll('-', '')}`
      const fetched_at = new Date(Date.now())
      const expires_at = new Date(Date.now() + 3_600_000)
      const page = {
        id,
        url: WEB_URL,
        finalUrl: WEB_URL,
        status: 200,
        fetchedAt: fetched_at,
        type: 'text/plain',
        extraction: 'text',
        markdown: `${text} and more`,
        truncated: false,
        links: [],
      }
      const row = {
        id,
        url: WEB_URL,
        view: 'article',
        page: JSON.stringify({ v: 1, page }),
        bytes: 1,
        fetched_at,
        expires_at,
      }
      await forOrg(db, orgId).insertInto('web_pages', row).execute()
      return `${id}.0`
    },
    unknown: cursor => `${neighbor(cursor.slice(0, -2))}.0`,
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

/** Cursors of a list of `lib/pages` that name nothing: one at the same position, and one after the last row. */
function positionsOf(list: string, prefix: string): Pick<Kind, 'unknown' | 'nothing'> {
  return {
    unknown(cursor) {
      const { at, id } = readPosition(list, cursor)
      return writePosition(list, { at, id: neighbor(id) })
    },
    nothing: () => writePosition(list, { at: '1970-01-01T00:00:00.000000Z', id: `${prefix}_${'0'.repeat(32)}` }),
  }
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

/** A cursor of a list of account routes, after all rows. */
function pageAfter(list: string): string {
  return writePosition(list, { at: '2100-01-01T00:00:00.000000Z', id: 'x' })
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
  'web__fetch url': { samples: [WEB_URL] },
  'web__fetch cursor': { kind: 'web cursor' },
  'web__extract url': { samples: [WEB_URL] },
  'web__extract select': { samples: [{ title: { css: 'h1' } }] },
  'web__map url': { samples: [WEB_URL] },
  'web__map search': { samples: ['marker'] },
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
  'PATCH /connectors/org/:slug params.slug': { kind: 'slug' },
  'PATCH /connectors/org/:slug body.name': { samples: ['What the matrix renamed.'] },
  'DELETE /connectors/org/:slug params.slug': { kind: 'slug' },
  'POST /connectors/org/:slug/refresh params.slug': { kind: 'slug' },
  'POST /connectors/org/:slug/refresh body.accept': { samples: ['f'.repeat(64)] },
  'POST /connectors/org/:slug/confirm params.slug': { kind: 'slug' },
  'POST /connectors/org/:slug/confirm body.hash': { samples: ['f'.repeat(64)] },
  'POST /connectors/org/:slug/credential params.slug': { kind: 'slug' },
  'POST /connectors/org/:slug/credential body.key': { samples: ['key-of-the-matrix'] },
  'POST /connectors/org/:slug/credential/authorization params.slug': { kind: 'slug' },
  'POST /connectors/org/:slug/credential/authorization body.redirect_uri': {
    samples: ['http://127.0.0.1:8976/callback'],
  },
  'POST /connectors/org/callback body.search': { samples: ['?state=of-the-matrix&code=none'] },
  'DELETE /connectors/org/:slug/credential params.slug': { kind: 'slug' },
  'manage__remote_refresh slug': { kind: 'slug' },
  'manage__remote_refresh accept': { samples: ['f'.repeat(64)] },
  'manage__remote_remove slug': { kind: 'slug' },
  'manage__remote_update slug': { kind: 'slug' },
  'manage__remote_update name': { samples: ['What the matrix renamed.'] },
  // The details of a new registration name nothing of other members.
  'POST /connectors/org body.slug': { samples: ['matrix-route'] },
  'files__upload file_name': { samples: ['matrix.txt'] },
  'files__upload media_type': { samples: ['text/plain'] },
  'manage__remote_add slug': { samples: ['matrix-tool'] },
  'POST /connectors/org body.name': { samples: ['What the matrix registered.'] },
  'manage__remote_add name': { samples: ['What the matrix registered.'] },
  'POST /connectors/org body.upstream_url': { samples: [NO_UPSTREAM] },
  upstream_url: { samples: [NO_UPSTREAM] },
  'POST /connectors/org body.auth': { samples: [{ mode: 'none' }, { mode: 'bearer', token: 'of-the-matrix' }] },
  'manage__remote_add auth': { samples: [{ mode: 'none' }] },
  'PATCH /connectors/org/:slug body.auth': { samples: [{ mode: 'none' }, { mode: 'bearer', token: 'of-the-matrix' }] },
  // The name of a tool at the upstream, which the registration of the slug has or has not.
  'PATCH /connectors/org/:slug body.overrides': { samples: [{ read: { hidden: true } }] },
  'manage__remote_update overrides': { samples: [{ read: { hidden: true } }] },
  'manage__remote_update auth': { samples: [{ mode: 'none' }] },
  // A page of a list starts after a position, which names nothing.
  'GET /customers/me/transactions querystring.limit': { samples: ['1', '200'] },
  'GET /customers/me/transactions querystring.cursor': { samples: [pageAfter('transactions')] },
  // Payment methods exist only at Stripe; `test/routes/customers.test.ts` tries the one of another customer.
  'DELETE /customers/me/payment-methods/:id params.id': { samples: ['pm_of_nobody'] },
  'PATCH /customers/me/billing-profile body.name': { samples: ['What the matrix is called.'] },
  'PATCH /customers/me/billing-profile body.email': { samples: ['matrix@nowhere.example'] },
  'PATCH /customers/me/billing-profile body.address': { samples: [{ country: 'DE' }] },
  'PATCH /customers/me/billing-profile body.tax_ids': { samples: [[{ type: 'eu_vat', value: 'DE1' }]] },
  // Filters name what a row once named, also things that are gone. The rows are the caller’s, whatever they say.
  'GET /usage querystring.limit': { samples: ['1', '200'] },
  'GET /usage querystring.cursor': { samples: [pageAfter('usage')] },
  'GET /usage querystring.from': { samples: ['2026-11-01'] },
  'GET /usage querystring.to': { samples: ['2026-11-02'] },
  'GET /usage querystring.user_id': { samples: ['usr_1'] },
  'GET /usage querystring.api_key_id': { samples: ['key_1'] },
  'GET /usage querystring.agent_id': { samples: ['agt_1'] },
  'GET /usage querystring.account_id': { samples: ['acc_1'] },
  'GET /usage querystring.tool': { samples: ['memory__remember'] },
  'GET /usage querystring.connector': { samples: ['memory'] },
  'GET /usage querystring.outcome': { samples: ['ok'] },
  'GET /audit querystring.limit': { samples: ['1', '200'] },
  'GET /audit querystring.cursor': { samples: [pageAfter('audit')] },
  'GET /audit querystring.from': { samples: ['2026-11-01'] },
  'GET /audit querystring.to': { samples: ['2026-11-02'] },
  'GET /audit querystring.user_id': { samples: ['usr_1'] },
  'GET /audit querystring.action': { samples: ['key'] },
  'GET /audit querystring.target': { samples: ['key_1'] },
  'GET /api-keys querystring.limit': { samples: ['1', '200'] },
  'GET /api-keys querystring.cursor': { samples: [pageAfter('api-keys')] },
  'manage__keys_list cursor': { samples: [pageAfter('api-keys')] },
  agent_id: { kind: 'agt' },
  'PATCH /api-keys/:id params.id': { kind: 'key' },
  'DELETE /api-keys/:id params.id': { kind: 'key' },
  'POST /api-keys/:id/rotate params.id': { kind: 'key' },
  'manage__keys_rotate id': { kind: 'key' },
  'manage__keys_update id': { kind: 'key' },
  'manage__keys_revoke id': { kind: 'key' },
  'POST /api-keys/claim body.token': { kind: 'key claim' },
  name: { samples: ['What the matrix named.'] },
  expires_at: { samples: ['2100-01-01T00:00:00Z'] },
  'POST /checkout/topup body.amount_micros': { samples: [5_000_000] },
  'POST /checkout/subscribe body.plan_id': { samples: ['pro'] },
  'PATCH /me body.active_organization_id': { kind: 'org' },
  'GET /members querystring.limit': { samples: ['1', '200'] },
  'GET /members querystring.cursor': { kind: 'members cursor' },
  'GET /agents querystring.limit': { samples: ['1', '200'] },
  'GET /agents querystring.cursor': { kind: 'agents cursor' },
  'manage__agents_list cursor': { kind: 'agents cursor' },
  'GET /agents/:id params.id': { kind: 'agt' },
  'PATCH /agents/:id params.id': { kind: 'agt' },
  'DELETE /agents/:id params.id': { kind: 'agt' },
  'POST /agents/:id/sign-ins params.id': { kind: 'agt' },
  // Not a token: it would link the agents of the matrix. test/routes/agent-sign-ins.test.ts has tokens of others.
  'POST /agents/:id/sign-ins body.token': { samples: ['of the matrix'] },
  'DELETE /agents/:id/sign-ins/:signInId params.id': { kind: 'agt' },
  // A sign-in exists only below its agent. test/routes/agent-sign-ins.test.ts asks for those of other agents.
  'DELETE /agents/:id/sign-ins/:signInId params.signInId': { samples: [`asi_${'0'.repeat(32)}`] },
  'manage__agents_update id': { kind: 'agt' },
  'manage__agents_retire id': { kind: 'agt' },
  'POST /agents body.name': { samples: ['made by the matrix'] },
  'manage__agents_create name': { samples: ['made by the matrix'] },
  'PATCH /agents/:id body.name': { samples: ['renamed by the matrix'] },
  'manage__agents_update name': { samples: ['renamed by the matrix'] },
  // Members of the other organization are in test/routes/agents.test.ts: a new owner would see agents of another here.
  owner: { samples: [`usr_${'0'.repeat(32)}`] },
  'PATCH /members/:userId params.userId': { kind: 'member' },
  'DELETE /members/:userId params.userId': { kind: 'member' },
  'GET /invitations querystring.limit': { samples: ['1', '200'] },
  'GET /invitations querystring.cursor': { kind: 'invitations cursor' },
  'DELETE /invitations/:id params.id': { kind: 'inv' },
  'POST /invitations body.email': { samples: ['invited-by-the-matrix@example.test'] },
  // Only a session with the verified address of an invitation gets past the first check.
  'POST /invitations/accept body.token': { samples: [`cgw_invite_${'0'.repeat(64)}`] },
  alias: { kind: 'shelf account' },
  // Two, because an alias can be used once: the control uses the first.
  new_alias: { samples: ['renamed by the matrix', 'renamed for a replay'] },
  'media__generate prompt': { samples: ['A boat.'] },
  'media__generate images[]': { kind: 'art' },
  'media__understand files[]': { kind: 'art' },
  'media__understand question': { samples: ['What is this?'] },
  'media__understand schema': { samples: [{ type: 'object' }] },
  'media__understand language': { samples: ['en'] },
  // Posts and profiles of social networks are public. Nothing answers in this test.
  'social__search_posts author': { samples: ['nobody'] },
  'social__search_posts since': { samples: ['2026-01-01T00:00:00Z'] },
  'social__search_posts until': { samples: ['2026-01-01T00:00:00Z'] },
  'social__search_posts language': { samples: ['en'] },
  'social__search_posts cursor': { samples: ['nothing'] },
  'social__get_post url': { samples: ['https://news.ycombinator.com/item?id=1'] },
  'social__get_post id': { samples: ['hackernews:1'] },
  'social__get_profile handle': { samples: ['nobody'] },
  'social__get_profile url': { samples: ['https://news.ycombinator.com/user?id=nobody'] },
  'social__list_posts handle': { samples: ['nobody'] },
  'social__list_posts tag': { samples: ['nothing'] },
  'social__list_posts feed': { samples: ['top'] },
  'social__list_posts cursor': { samples: ['nothing'] },
  // Conditions name no object of anybody.
  'PATCH /api-keys/:id body.policy.rules[].when[].pointer': { samples: ['/size'] },
  'PATCH /api-keys/:id body.policy.rules[].when[].is': { samples: [1] },
  'PATCH /api-keys/:id body.policy.rules[].when[].in[]': { samples: [1] },
  'PATCH /api-keys/:id body.policy.rules[].when[].matches': { samples: ['x'] },
  'PATCH /agents/:id body.policy.rules[].when[].pointer': { samples: ['/size'] },
  'PATCH /agents/:id body.policy.rules[].when[].is': { samples: [1] },
  'PATCH /agents/:id body.policy.rules[].when[].in[]': { samples: [1] },
  'PATCH /agents/:id body.policy.rules[].when[].matches': { samples: ['x'] },
  'manage__keys_update policy.rules[].when[].pointer': { samples: ['/size'] },
  'manage__keys_update policy.rules[].when[].is': { samples: [1] },
  'manage__keys_update policy.rules[].when[].in[]': { samples: [1] },
  'manage__keys_update policy.rules[].when[].matches': { samples: ['x'] },
  'manage__agents_update policy.rules[].when[].pointer': { samples: ['/size'] },
  'manage__agents_update policy.rules[].when[].is': { samples: [1] },
  'manage__agents_update policy.rules[].when[].in[]': { samples: [1] },
  'manage__agents_update policy.rules[].when[].matches': { samples: ['x'] },
  'PUT /policy body.rules[].when[].pointer': { samples: ['/size'] },
  'PUT /policy body.rules[].when[].is': { samples: [1] },
  'PUT /policy body.rules[].when[].in[]': { samples: [1] },
  'PUT /policy body.rules[].when[].matches': { samples: ['x'] },
  'PUT /policy/roles/:role body.rules[].when[].pointer': { samples: ['/size'] },
  'PUT /policy/roles/:role body.rules[].when[].is': { samples: [1] },
  'PUT /policy/roles/:role body.rules[].when[].in[]': { samples: [1] },
  'PUT /policy/roles/:role body.rules[].when[].matches': { samples: ['x'] },
  'POST /policy/explain body.arguments': { samples: [{}] },
  // A match without effect in mode all, so that the policies of the matrix bound nothing that it tries later.
  'PATCH /api-keys/:id body.policy.rules[].match': { samples: ['files'] },
  'PATCH /agents/:id body.policy.rules[].match': { samples: ['files'] },
  'manage__keys_update policy.rules[].match': { samples: ['files'] },
  'manage__agents_update policy.rules[].match': { samples: ['files'] },
  'PUT /policy body.rules[].match': { samples: ['files'] },
  'PUT /policy/roles/:role body.rules[].match': { samples: ['files'] },
  'PATCH /api-keys/:id body.policy.accounts[]': { kind: 'acc' },
  // The same check; a policy of the organization with an account would bound the members of the matrix.
  'PATCH /agents/:id body.policy.accounts[]': { samples: [`acc_${'0'.repeat(32)}`] },
  'manage__keys_update policy.accounts[]': { samples: [`acc_${'0'.repeat(32)}`] },
  'manage__agents_update policy.accounts[]': { samples: [`acc_${'0'.repeat(32)}`] },
  'PUT /policy body.accounts[]': { samples: [`acc_${'0'.repeat(32)}`] },
  'PUT /policy/roles/:role body.accounts[]': { samples: [`acc_${'0'.repeat(32)}`] },
  'POST /policy/explain body.tool': { kind: 'remote tool', samples: ['memory__remember', 'nothing__read'] },
  'POST /policy/explain body.key_id': { kind: 'key' },
  'POST /policy/explain body.agent_id': { kind: 'agt' },
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

/** What a route without a gate needs to declare: that it needs no credential, or that it carries the tools. */
type RoutePlacement = { public: string } | { tools: string }

/** All routes without a gate, with the reason. */
export const ROUTES: Readonly<Record<string, RoutePlacement>> = {
  'GET /health': { public: 'probe of the process' },
  'HEAD /health': { public: 'probe of the process' },
  'GET /': { public: 'says what this is' },
  'HEAD /': { public: 'says what this is' },
  'GET /version': { public: 'names the build' },
  'GET /icons/:file': { public: 'logos, the same for all' },
  'GET /artifacts/:id': { public: 'its signature is its credential' },
  'PUT /artifacts/:id': { public: 'its signature is its credential' },
  'HEAD /artifacts/:id': { public: 'its signature is its credential' },
  'GET /.well-known/oauth-protected-resource/mcp': { public: 'names the authorization server' },
  'GET /.well-known/oauth-protected-resource/mcp/': { public: 'names the authorization server' },
  'OPTIONS /.well-known/oauth-protected-resource/mcp': { public: 'answers the preflight of browsers' },
  'OPTIONS /.well-known/oauth-protected-resource/mcp/': { public: 'answers the preflight of browsers' },
  'POST /webhooks/stripe': { public: 'its signature is its credential' },
  '* /mcp': { public: 'answers 405 to every method except POST' },
  '* /mcp/': { public: 'answers 405 to every method except POST' },
  'GET /mcp': { tools: 'answers 405, and has no tools' },
  'GET /mcp/': { tools: 'answers 405, and has no tools' },
  'GET /.well-known/oauth-client-metadata': { public: 'describes this service as an OAuth client' },
  'GET /.well-known/jwks.json': { public: 'the public keys of assertions' },
  'POST /mcp': { tools: 'its identifiers are the arguments of the tools' },
  'POST /mcp/': { tools: 'its identifiers are the arguments of the tools' },
}
