import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import { type ConnectorEntry, ConnectorIndex, CuratedConnectorEntry } from '../../../schemas/connectors/connector.ts'
import { createCatalogEntries } from '../../../services/connectors/catalog-entries.ts'
import type { OrgClient } from '../../../services/credentials/oauth-clients.ts'
import type { ConnectorDefinition } from '../../../services/definitions/connector-types.ts'
import { createSurfaceVersions } from '../../../services/organizations/surface-versions.ts'
import type { RemoteConnector } from '../../../services/remote-connectors/remote-connectors.ts'
import { createRemoteEntries, toRemoteEntry } from '../../../services/remote-connectors/to-remote-entry.ts'
import { accountFixture, keyOnly, oauth2, sampleConnector } from '../../fixtures/account-fixture.ts'
import { newsHeard, testDatabase } from '../../fixtures/database.ts'
import type { TestMember } from '../../fixtures/directory.ts'
import { madeAccount, madeOauth, madeRemote, madeSnapshot } from '../../fixtures/made-remote.ts'

// Created once: the database would take most of the time of each test.
const database = await testDatabase(t)

const ORIGIN = 'https://gw.test'
const shop = sampleConnector('shop', oauth2)
const vault = sampleConnector('vault', keyOnly)

interface Parts {
  offered?: readonly ConnectorDefinition[]
  known?: readonly ConnectorDefinition[]
  platform?: readonly string[]
  orgClients?: Record<string, OrgClient[]>
  remotes?: Record<string, RemoteConnector[]>
}

const named = (remotes: readonly RemoteConnector[] = [], slug: string) =>
  remotes.find(({ registration }) => registration.slug === slug)

const byId = (connectors: readonly ConnectorDefinition[]) => new Map(connectors.map(one => [one.id, one]))

const isCurated = (entry: ConnectorEntry): entry is CuratedConnectorEntry => !('kind' in entry)

function catalogFixture(parts: Parts = {}) {
  const { offered = [shop, vault], known = offered, platform = ['shop'], orgClients = {}, remotes = {} } = parts
  const accounts = accountFixture(database)
  const { clock } = accounts
  const reads = { count: 0 }
  const entries = createCatalogEntries({
    offered: byId(offered),
    known: byId(known),
    accounts: {
      ...accounts.accounts,
      visibleTo(caller) {
        reads.count++
        return accounts.accounts.visibleTo(caller)
      },
    },
    oauthClients: { hasPlatform: id => platform.includes(id), list: async orgId => orgClients[orgId] ?? [] },
    registered: createRemoteEntries({
      list: async orgId => remotes[orgId] ?? [],
      find: async (orgId, slug) => named(remotes[orgId], slug),
    }),
    icons: { urlPath: id => `/icons/${id}.svg` },
    versions: createSurfaceVersions({ ...database, clock }),
  })
  return {
    ...accounts,
    entries,
    reads,
    async index({ caller }: TestMember, origin = ORIGIN) {
      const index: unknown = JSON.parse(`${await entries.index(caller, origin)}`)
      Value.Assert(ConnectorIndex, index)
      return index.connectors.filter(isCurated)
    },
    /** The catalog entries of an organization's remote connectors. */
    async remoteIndex({ caller }: TestMember) {
      const { connectors } = JSON.parse(`${await entries.index(caller, ORIGIN)}`)
      return (connectors as ConnectorEntry[]).filter(entry => !isCurated(entry))
    },
    async find({ caller }: TestMember, id: string, origin = ORIGIN) {
      const json = await entries.find(caller, id, origin)
      if (json === undefined) return undefined
      const entry: unknown = JSON.parse(json)
      Value.Assert(CuratedConnectorEntry, entry)
      return entry
    },
  }
}

t.test('an entry describes a connector, with URLs of the called host', async t => {
  const { directory, find, index } = catalogFixture()
  const [ada] = await directory.members('member')
  t.same(await find(ada, 'shop'), {
    id: 'shop',
    category: 'business',
    name: 'The shop',
    description: 'Reads what the shop has.',
    url: 'https://gw.test/connectors/shop',
    mcp_url: 'https://gw.test/mcp',
    icon_url: 'https://gw.test/icons/shop.svg',
    status: 'disconnected',
    accounts: [],
    auth: {
      type: 'oauth2',
      scopes: ['read'],
      scope_descriptions: { read: 'Read orders.' },
      oauth_configured: true,
    },
    credential_source: { active: 'platform', org_clients_enabled: true },
  })
  t.match(await find(ada, 'shop', 'http://localhost:3000'), {
    url: 'http://localhost:3000/connectors/shop',
    mcp_url: 'http://localhost:3000/mcp',
    icon_url: 'http://localhost:3000/icons/shop.svg',
  })
  t.same(await index(ada), [await find(ada, 'shop'), await find(ada, 'vault')], 'the index contains the same entries')
  t.match((await index(ada, 'http://localhost:3000'))[0], { mcp_url: 'http://localhost:3000/mcp' })
  t.equal(await find(ada, 'nowhere'), undefined)
})

t.test('auth has the form of its type', async t => {
  const { scopes: _, ...plain } = oauth2
  const apiKey = { header: 'x-key', probe: true, hint: 'A key.' }
  const ceremony = {
    type: 'oauth1a',
    requestTokenUrl: 'https://a.test/r',
    authorizationUrl: 'https://a.test/a',
    accessTokenUrl: 'https://a.test/t',
  } as const
  const offered = [
    sampleConnector('optional', { ...oauth2, optionalScopes: { write: 'Write.' }, apiKey }),
    sampleConnector('user', { ...oauth2, userScopes: { search: 'Search.' } }),
    sampleConnector('summary', { ...plain, accessSummary: 'All of it.' }, { orgClients: false }),
    sampleConnector('ceremony', { ...ceremony, accessSummary: 'Boards.' }),
    vault,
  ]
  const { directory, index } = catalogFixture({ offered, platform: ['user'] })
  const [ada] = await directory.members('member')
  const read = { scopes: ['read'], scope_descriptions: { read: 'Read orders.' } }
  const none = { active: 'none', org_clients_enabled: true }
  t.same(
    (await index(ada)).map(({ auth, credential_source }) => ({ auth, credential_source })),
    [
      {
        auth: {
          type: 'oauth2',
          ...read,
          optional_scopes: ['write'],
          optional_scope_descriptions: { write: 'Write.' },
          api_key_connect: true,
          api_key_probe: true,
          oauth_configured: false,
        },
        credential_source: none,
      },
      {
        auth: {
          type: 'oauth2',
          ...read,
          user_scopes: ['search'],
          user_scope_descriptions: { search: 'Search.' },
          oauth_configured: true,
        },
        credential_source: { active: 'platform', org_clients_enabled: true },
      },
      {
        auth: { type: 'oauth2', scopes: [], access_summary: 'All of it.', oauth_configured: false },
        credential_source: { active: 'none', org_clients_enabled: false },
      },
      {
        auth: { type: 'oauth1a', scopes: [], access_summary: 'Boards.', oauth_configured: false },
        credential_source: none,
      },
      {
        auth: { type: 'api_key', scopes: [], api_key_connect: true, api_key_probe: false },
        credential_source: undefined,
      },
    ],
  )
})

t.test('accounts appear with the caller’s labels and permissions', async t => {
  const { directory, connect, find } = catalogFixture()
  const [owner, ada, bob] = await directory.members('owner', 'member', 'member')
  const own = await connect(ada)
  const shared = await connect(bob, { scope: 'shared', identity: 'team@shop.test' })
  const entry = await find(ada, 'shop')
  t.same(entry?.accounts, [
    {
      id: own.id,
      alias: 'work',
      identity: 'ada@shop.test',
      scope: 'private',
      status: 'connected',
      can_remove: true,
    },
    {
      id: shared.id,
      alias: 'shared:work',
      identity: 'team@shop.test',
      scope: 'shared',
      status: 'connected',
      can_remove: false,
    },
  ])
  for (const keeper of [owner, bob])
    t.match((await find(keeper, 'shop'))?.accounts, [{ id: shared.id, alias: 'work', can_remove: true }])
})

t.test(
  'the connect method of an account appears where a connector accepts keys, and whether its key was verified',
  async t => {
    const both = sampleConnector('shop', { ...oauth2, apiKey: { header: 'x-key', probe: true, hint: 'A key.' } })
    const { directory, connect, find } = catalogFixture({ offered: [both, vault] })
    const [ada] = await directory.members('member')
    await connect(ada)
    await connect(ada, { alias: 'key', authKind: 'api_key', keyVerified: true })
    await connect(ada, { connector: 'vault', authKind: 'api_key', keyVerified: false })
    const [first, second] = (await find(ada, 'shop'))?.accounts ?? []
    t.match(first, { auth_kind: 'oauth2', key_verified: undefined })
    t.match(second, { auth_kind: 'api_key', key_verified: true })
    t.match((await find(ada, 'vault'))?.accounts, [{ auth_kind: 'api_key', key_verified: false }])
  },
)

t.test(
  'a connector with one usable account is connected, with only unusable ones it needs reauthorization',
  async t => {
    const { directory, connect, accounts, find } = catalogFixture()
    const [ada] = await directory.members('member')
    const status = async () => (await find(ada, 'shop'))?.status
    t.equal(await status(), 'disconnected')
    const one = await connect(ada)
    const two = await connect(ada, { alias: 'two' })
    t.equal(await status(), 'connected')
    await accounts.setStatus(one.id, 'needs_reauth', 'operator')
    t.equal(await status(), 'connected')
    await accounts.setStatus(two.id, 'needs_reauth', 'operator')
    t.equal(await status(), 'needs_reauth')
  },
)

t.test('an organization’s own app replaces the platform’s, and admins see it', async t => {
  const orgClients: Record<string, OrgClient[]> = {}
  const { directory, connect, index, find } = catalogFixture({ orgClients })
  const [owner, admin, member] = await directory.members('owner', 'admin', 'member')
  const at = new Date('2026-11-21T10:00:00Z')
  orgClients[owner.orgId] = [
    { connector: 'shop', clientId: 'own-app', setBy: owner.userId, createdAt: at, rotatedAt: null },
  ]
  await connect(member, { client: { id: 'own-app', source: 'org' } })
  await connect(admin, { client: { id: 'platform-app', source: 'platform' } })
  const org = { client_id: 'own-app', set_by: owner.userId, created_at: at.toISOString(), rotated_at: null }
  for (const who of [owner, admin]) {
    t.same((await index(who))[0]?.credential_source, { active: 'org', org_clients_enabled: true, org })
    t.same(
      (await find(who, 'shop'))?.credential_source?.org,
      { ...org, connections: 1 },
      'the number of accounts that use it',
    )
  }
  t.same((await index(member))[0]?.credential_source, { active: 'org', org_clients_enabled: true })
  t.same((await find(member, 'shop'))?.credential_source, { active: 'org', org_clients_enabled: true })
  const [eve] = await directory.members('owner')
  t.same((await find(eve, 'shop'))?.credential_source, { active: 'platform', org_clients_enabled: true })
})

t.test(
  'a connector that is no longer offered has an entry while the caller has accounts on it, but is not listed',
  async t => {
    const { directory, connect, accounts, entries, index, find } = catalogFixture({
      offered: [shop],
      known: [shop, vault],
    })
    const [ada, bob] = await directory.members('member', 'member')
    const { id } = await connect(ada, { connector: 'vault', authKind: 'api_key', keyVerified: false })
    t.match(await find(ada, 'vault'), {
      id: 'vault',
      status: 'connected',
      accounts: [{ id, auth_kind: 'api_key' }],
      auth: { api_key_connect: false },
    })
    t.same(
      (await index(ada)).map(({ id }) => id),
      ['shop'],
    )
    t.equal(await entries.serves(ada.caller, 'vault'), true)
    t.equal(await find(bob, 'vault'), undefined)
    t.equal(await entries.serves(bob.caller, 'vault'), false)
    await accounts.remove(ada.caller, id)
    t.equal(await find(ada, 'vault'), undefined)
    t.equal(await entries.serves(ada.caller, 'vault'), false)
    t.equal(await entries.serves(ada.caller, 'shop'), true)
  },
)

t.test('an index is cached until something changes, and never serves another member', async t => {
  const { directory, connect, accounts, entries, reads, index } = catalogFixture()
  const [ada, bob] = await directory.members('member', 'member')
  const [eve] = await directory.members('owner')
  const { id } = await connect(ada)
  await newsHeard(database)
  t.match((await index(ada))[0], { status: 'connected' })
  t.match((await index(bob))[0], { status: 'disconnected' })
  t.match((await index(eve))[0], { status: 'disconnected' })
  const before = reads.count
  const stored = entries.index(ada.caller, ORIGIN)
  t.ok(Buffer.isBuffer(stored), 'without a promise')
  t.equal(entries.index(ada.caller, ORIGIN), stored)
  t.equal(reads.count, before)
  await accounts.setStatus(id, 'needs_reauth', 'operator')
  await newsHeard(database)
  t.match((await index(ada))[0], { status: 'needs_reauth' })
  const promoted = { ...ada, caller: { ...ada.caller, role: 'admin' as const } }
  t.not(
    await entries.index(promoted.caller, ORIGIN),
    await entries.index(ada.caller, ORIGIN),
    'another role has another index',
  )
})

t.test('a remote connector comes after the others, with its known state', async t => {
  const remotes: Record<string, RemoteConnector[]> = {}
  const { directory, find, remoteIndex, entries } = catalogFixture({ remotes })
  const [ada] = await directory.members('member')
  const [eve] = await directory.members('owner')
  const { orgId, userId } = ada
  const remote = madeRemote({ orgId, createdBy: userId })
  remotes[orgId] = [{ ...remote, snapshot: madeSnapshot }]
  const entry = {
    id: 'wiki',
    kind: 'remote-mcp',
    name: 'The wiki',
    description:
      'A remote MCP server at wiki.test, registered by this organization. Its one tool is self-described by the upstream and unverified.',
    url: 'https://gw.test/connectors/org/wiki',
    mcp_url: 'https://gw.test/mcp',
    status: 'connected',
    icon_url: null,
    accounts: [],
    remote: {
      upstream_url: 'https://wiki.test/mcp',
      auth_mode: 'none',
      tool_count: 1,
      snapshot_fetched_at: '2026-11-21T00:00:00.000Z',
      full_schema_hash: 'a'.repeat(64),
      created_by_user_id: userId,
      created_at: '2026-11-21T00:00:00.000Z',
      refresh: 'manual',
      warning:
        'The upstream is called without a credential. Anyone who knows its URL can call it, and it cannot identify the caller.',
    },
  }
  const index = JSON.parse(`${await entries.index(ada.caller, ORIGIN)}`)
  t.same(
    index.connectors.map(({ id }: ConnectorEntry) => id),
    ['shop', 'vault', 'wiki'],
  )
  t.same(await remoteIndex(ada), [entry])
  t.same(
    JSON.parse(`${await entries.find(ada.caller, 'wiki', ORIGIN)}`),
    entry,
    'its slug finds the same entry, without tools',
  )
  t.same(await remoteIndex(eve), [])
  t.equal(await find(eve, 'wiki'), undefined)
  t.equal(await entries.serves(ada.caller, 'wiki'), false, 'it has no accounts to remove')
})

t.test('a remote connector that has never answered has three nulls; its status follows its grant', t => {
  const remote = madeRemote({ orgId: 'org_1', auth: { mode: 'oauth', oauth: madeOauth } })
  const account = madeAccount(remote)
  const dead = { ...account, status: 'needs_reauth' as const }
  const [pending, granted, refused] = [remote, { ...remote, account }, { ...remote, account: dead }]
  const snapshot = madeSnapshot
  const status = (one: RemoteConnector) => toRemoteEntry(one, ORIGIN).status
  t.same([pending, granted, refused].map(status), ['disconnected', 'disconnected', 'needs_reauth'])
  t.same(
    [pending, granted, refused].map(one => status({ ...one, snapshot })),
    ['disconnected', 'connected', 'needs_reauth'],
  )
  const { remote: block } = toRemoteEntry(pending, ORIGIN)
  t.match(block, { tool_count: null, snapshot_fetched_at: null, full_schema_hash: null })
  t.equal(block.warning, undefined)
  t.same(block.oauth, { client_source: 'dcr', issuer: 'https://id.wiki.test', scopes: [] })
  const oauth = { ...madeOauth, clientSource: 'preregistered', scopes: ['read'] } as const
  t.match(toRemoteEntry(madeRemote({ orgId: 'org_1', auth: { mode: 'oauth', oauth } }), ORIGIN).remote.oauth, {
    client_source: 'preregistered',
    client_id: 'gateway',
    scopes: ['read'],
  })
  const empty = { ...snapshot, tools: [] }
  t.match(toRemoteEntry({ ...granted, snapshot: empty }, ORIGIN), { status: 'connected', remote: { tool_count: 0 } })
  t.end()
})

t.test('a slug is found unless the caller may address a curated connector with this ID', async t => {
  const remotes: Record<string, RemoteConnector[]> = {}
  const { directory, connect, entries } = catalogFixture({ offered: [shop], known: [shop, vault], remotes })
  const [ada, bob] = await directory.members('member', 'member')
  remotes[ada.orgId] = ['shop', 'vault'].map(slug => madeRemote({ orgId: ada.orgId, slug }))
  await connect(ada, { connector: 'vault', authKind: 'api_key', keyVerified: false })
  const kind = async ({ caller }: TestMember, id: string) =>
    JSON.parse(`${await entries.find(caller, id, ORIGIN)}`).kind
  t.equal(await kind(bob, 'shop'), undefined)
  t.equal(await kind(ada, 'vault'), undefined, 'they have an account there')
  t.equal(await kind(bob, 'vault'), 'remote-mcp')
})
