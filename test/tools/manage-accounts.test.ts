import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import type { JsonSchemaType } from '@modelcontextprotocol/sdk/validation'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import type { Account } from '../../services/accounts/account.ts'
import type { PayerStanding } from '../../services/billing/standings.ts'
import { connectorTools } from '../../services/definitions/connector-tool.ts'
import { type AnyTool, defineTool, type Price } from '../../services/definitions/define-tool.ts'
import type { Identity } from '../../services/identity/identity.ts'
import { explainRemoteTool } from '../../services/remote-connectors/calls/explain-remote-tool.ts'
import type { RemoteConnector } from '../../services/remote-connectors/remote-connectors.ts'
import type { SwitchedOff } from '../../services/tool-calls/capabilities.ts'
import { accountsList, accountsRemove, accountsRename, accountsShare } from '../../tools/manage/accounts.ts'
import { explainTool } from '../../tools/manage/explain-tool.ts'
import { accountFixture, oauth2, sampleConnector } from '../fixtures/account-fixture.ts'
import { testDatabase } from '../fixtures/database.ts'
import type { TestMember } from '../fixtures/directory.ts'
import { QUIET_CLIENT, session } from '../fixtures/fixture.ts'
import { madeAccount, madeOauth } from '../fixtures/made-remote.ts'
import { commands } from '../fixtures/operator-commands.ts'
import { pinned, remoteWith } from '../fixtures/remote-tool-fixture.ts'

// Made once: most of the time of a test would be that of its database.
const database = await testDatabase(t)

const validator = new AjvJsonSchemaValidator()
const shop = sampleConnector('shop', oauth2)
const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

function plain(name: `${string}__${string}`, gate?: 'session' | 'admin', price?: Price): AnyTool {
  return defineTool({
    name,
    title: name,
    description: name,
    annotations,
    ...(gate !== undefined && { gate }),
    ...(price !== undefined && { price }),
    input: Type.Object({}, { additionalProperties: false }),
    run: async () => ({ content: [] }),
  })
}

function fixture(t: Test) {
  const made = accountFixture(database)
  const { accounts } = made
  const served = [
    ...connectorTools(shop, { run: async () => ({ content: [] }) }),
    plain('memory__recall'),
    plain('paid__work', undefined, { estimate: () => 1 }),
    plain('manage__whoami', 'session'),
    plain('manage__remote_add', 'admin'),
  ]
  const switchedOff: SwitchedOff[] = []
  const payers: unknown[] = []
  const standing: PayerStanding = { suspendedAt: null, balanceMicros: 0, thresholdMicros: 0, key: null }
  const remotes: RemoteConnector[] = []
  const tools = [
    accountsList(accounts),
    accountsRename(accounts),
    accountsShare(accounts),
    accountsRemove(accounts),
    explainTool({
      layersOf: async () => [],
      commands,
      visibleTo: accounts.visibleTo,
      notConfigured: [{ what: 'Painting', tools: ['paint__draw'], variables: 'PAINT_KEY' }],
      toolNamed: (name, { orgId }) =>
        served.find(({ entry }) => entry.name === name) ??
        explainRemoteTool(
          remotes.filter(({ registration }) => registration.orgId === orgId),
          name,
          commands,
        ),
      switchedOff: async () => switchedOff,
      async standingOf(payer) {
        payers.push(payer)
        return standing
      },
      browserSignIn: true,
      connectorOf: capability => (capability === 'shop' ? shop : undefined),
    }),
  ]

  /** Calls a tool; what it answers is held against its output schema. */
  async function call(
    member: TestMember,
    operation: string,
    args: object = {},
    identity: Identity = member.identity,
  ): Promise<unknown> {
    const tool = tools.find(({ entry }) => entry.name === `manage__${operation}`)
    if (tool === undefined) throw new TypeError(`There is no ${operation}`)
    const refused = tool.refuse(args)
    if (refused !== undefined) throw new TypeError(refused)
    const { caller } = member
    const signal = new AbortController().signal
    const context = {
      caller,
      identity,
      origin: 'http://localhost',
      client: QUIET_CLIENT,
      account: undefined,
      idempotencyDigest: undefined,
      reportCost() {},
      signal,
    }
    const { structuredContent } = CallToolResultSchema.parse(await tool.run(args, context))
    t.match(validator.getValidator(tool.entry.outputSchema as JsonSchemaType)(structuredContent), { valid: true })
    return structuredContent
  }
  return { ...made, tools, remotes, switchedOff, payers, standing, call }
}

t.test('manage__accounts_list shows the accounts that a member can use, with the aliases that tools take', async t => {
  const { directory, connect, call } = fixture(t)
  const [ada, bob] = await directory.members('member', 'member')
  const own = await connect(ada)
  const shared = await connect(bob, { scope: 'shared' })
  const mail = await connect(ada, { connector: 'mail', authKind: 'api_key', keyVerified: false })
  await connect(bob)
  const entries = [
    { id: mail.id, connector: 'mail', alias: 'work', auth_kind: 'api_key', key_verified: false },
    { id: own.id, connector: 'shop', alias: 'work', scope: 'private', status: 'connected', can_remove: true },
    { id: shared.id, alias: 'shared:work', scope: 'shared', can_remove: false },
  ]
  const all = await call(ada, 'accounts_list')
  t.match(all, { accounts: entries })
  t.match(await call(ada, 'accounts_list', { connector: 'shop' }), { accounts: entries.slice(1) })
  t.same(await call(ada, 'accounts_list', { connector: 'nowhere' }), { accounts: [] })
})

t.test('manage__accounts_rename changes the alias of the selected account', async t => {
  const { directory, connect, call } = fixture(t)
  const [ada, bob] = await directory.members('member', 'member')
  const { id } = await connect(ada)
  await connect(bob, { scope: 'shared', alias: 'team' })
  t.same(await call(ada, 'accounts_rename', { alias: 'work', new_alias: 'job' }), {
    id,
    connector: 'shop',
    alias: 'job',
  })
  t.match(await call(ada, 'accounts_list', { connector: 'shop' }), { accounts: [{ alias: 'job' }, { alias: 'team' }] })
  await t.rejects(call(ada, 'accounts_rename', { alias: 'team', new_alias: 'mine' }), { code: 'not_account_owner' })
  await t.rejects(call(ada, 'accounts_rename', { alias: 'job', new_alias: 'a:b' }), { code: 'invalid_request' })
  await t.rejects(call(ada, 'accounts_rename', { alias: 'work', new_alias: 'x' }), {
    code: 'account_not_found',
    message: /no account named work. Your accounts: shop: job, team/,
  })
})

t.test('manage__accounts_share shares the selected account, and makes it private again', async t => {
  const { directory, connect, call } = fixture(t)
  const [ada, bob] = await directory.members('owner', 'member')
  const { id } = await connect(ada)
  await connect(bob)
  const shared = { id, connector: 'shop', alias: 'work', scope: 'shared' }
  t.same(await call(ada, 'accounts_share', { alias: 'work', scope: 'shared' }), shared)
  t.same(await call(ada, 'accounts_share', { alias: 'work', scope: 'shared' }), shared, 'again')
  t.match(await call(bob, 'accounts_list'), { accounts: [{ id, alias: 'shared:work' }, { alias: 'work' }] })
  await t.rejects(call(bob, 'accounts_share', { alias: 'shared:work', scope: 'private' }), {
    code: 'not_account_owner',
  })
  await t.rejects(call(bob, 'accounts_share', { alias: 'work', scope: 'shared' }), { code: 'alias_taken' })
  t.match(await call(ada, 'accounts_share', { alias: 'work', scope: 'private' }), { id, scope: 'private' })
  await t.rejects(call(ada, 'accounts_share', { alias: 'work', scope: 'everyone' }), TypeError)
})

t.test('manage__accounts_remove removes the selected account, and none if several match', async t => {
  const { directory, connect, call, revoked } = fixture(t)
  const [ada, bob] = await directory.members('owner', 'member')
  const one = await connect(ada)
  const two = await connect(ada, { connector: 'mail' })
  const shared = await connect(bob, { scope: 'shared' })
  await t.rejects(call(ada, 'accounts_remove', { alias: 'work' }), {
    code: 'multiple_accounts',
    message: /mail \(ada@shop.test\), shop \(ada@shop.test\)/,
  })
  await t.rejects(call(bob, 'accounts_remove', { alias: 'shared:team' }), { code: 'account_not_found' })
  t.match(await call(ada, 'accounts_remove', { alias: 'work', connector: 'mail' }), { id: two.id, connector: 'mail' })
  t.match(await call(ada, 'accounts_remove', { alias: 'shared:work' }), { id: shared.id })
  t.match(await call(ada, 'accounts_remove', { alias: 'work' }), { id: one.id, alias: 'work' })
  t.same(
    revoked.map(({ accountId }) => accountId),
    [two.id, shared.id, one.id],
  )
  await t.rejects(call(ada, 'accounts_remove', { alias: 'work' }), { message: /No account is connected/ })
})

t.test('the account tools require a user sign-in; manage__explain_tool accepts keys', async t => {
  const { tools } = fixture(t)
  t.same(
    tools.filter(({ gate }) => gate === 'session').map(({ entry }) => entry.name),
    ['manage__accounts_list', 'manage__accounts_rename', 'manage__accounts_share', 'manage__accounts_remove'],
  )
})

t.test('manage__explain_tool says why a tool cannot be called, and what to do', async t => {
  const { directory, connect, accounts, switchedOff, call } = fixture(t)
  const [ada, bob] = await directory.members('member', 'member')
  const explain = (name: string, account?: string) =>
    call(ada, 'explain_tool', { name, ...(account !== undefined && { account }) })
  const no = (reason: string, explanation: RegExp) => ({ callable: false, reason, explanation })

  t.match(await explain('shop__nothing'), no('unknown_tool', /There is no tool shop__nothing/))
  t.match(await explain('paint__draw'), no('not_configured', /Ask the operator to set PAINT_KEY/))
  await connect(bob)
  const connecting = new RegExp(`account connect --org ${ada.orgId} --user ${ada.userId} --connector shop`)
  t.match(await explain('shop__list'), no('no_account', connecting))

  const { id } = await connect(ada, { grantedScopes: [] })
  const again = new RegExp(`account connect --account ${id}`)
  t.match(await explain('shop__list'), {
    ...no('scope_missing', /work was not granted read/),
    accounts: [{ id, account: 'work', callable: false, missing_scopes: ['read'] }],
  })
  await accounts.setStatus(id, 'needs_reauth', 'operator')
  t.match(await explain('shop__list'), { ...no('needs_reauth', again), accounts: [{ id, status: 'needs_reauth' }] })
  t.match(await explain('shop__list', 'home'), no('account_not_found', /named home. Your accounts: work/))

  t.match(
    await explain('manage__whoami'),
    no('jwt_session_required', /an API key cannot call it\. Connect .* sign in with the browser\.$/),
  )
  t.match(await explain('manage__remote_add'), no('admin_required', /an owner or an admin/))

  const enable = (capability: string) => `npm run -s cli -- capability enable ${capability} --org ${ada.orgId}`
  switchedOff.push({ capability: 'memory__recall', userId: ada.userId }, { capability: 'shop', userId: null })
  t.match(await explain('shop__list'), {
    explanation: `shop is switched off for your organization. Ask the operator to run: ${enable('shop')}`,
  })
  t.match(await explain('memory__recall'), {
    explanation: `memory__recall is switched off for you. Ask the operator to run: ${enable('memory__recall')} --user ${ada.userId}`,
  })
  switchedOff.push({ capability: 'memory', userId: null })
  t.match(
    await explain('memory__recall'),
    no('disabled', new RegExp(`--user ${ada.userId} ; ${enable('memory')}$`)),
    'and all that is in the way is said at once',
  )
})

t.test('manage__explain_tool says what blocks a tool with a price, and checks the wallet for no other', async t => {
  const { directory, payers, standing, call } = fixture(t)
  const [ada] = await directory.members('member')
  const { orgId, userId, identity } = ada
  const signedIn = session({ userId, meterKey: userId })
  const refused = async (facts: Partial<PayerStanding>) => {
    Object.assign(standing, facts)
    return call(ada, 'explain_tool', { name: 'paid__work' })
  }
  t.match(await refused({}), { callable: true })
  t.match(await refused({ key: { capMicros: 3, spentMicros: 1, heldMicros: 2 } }), {
    callable: false,
    reason: 'key_spend_limit_exceeded',
    explanation: /reached its monthly spending cap.*Ask the operator to run: .* key cap key_\w+ --usd AMOUNT$/,
  })
  t.match(await refused({ balanceMicros: -1 }), {
    reason: 'payment_required',
    explanation: /wallet credit --org org_\w+ --usd AMOUNT$/,
  })
  t.match(await refused({ suspendedAt: new Date(0) }), { reason: 'org_suspended', explanation: /org resume org_\w+$/ })
  t.match(await call(ada, 'explain_tool', { name: 'paid__work' }, signedIn), { reason: 'org_suspended' })
  t.strictSame(
    payers,
    [identity.keyId, identity.keyId, identity.keyId, identity.keyId, null].map(keyId => ({ orgId, keyId })),
  )
  t.match(await call(ada, 'explain_tool', { name: 'memory__recall' }), { callable: true })
  t.equal(payers.length, 5)
})

t.test('manage__explain_tool lists the accounts that a tool works with', async t => {
  const { directory, connect, accounts, call } = fixture(t)
  const [ada, bob] = await directory.members('owner', 'member')
  const signedIn = session({ userId: ada.userId, meterKey: ada.userId })
  for (const name of ['memory__recall', 'manage__remote_add'])
    t.match(await call(ada, 'explain_tool', { name }), { callable: true, explanation: /needs no account/ })
  t.match(await call(ada, 'explain_tool', { name: 'manage__whoami' }, signedIn), { callable: true })

  const dead = await connect(ada, { alias: 'dead' })
  await accounts.setStatus(dead.id, 'needs_reauth', 'operator')
  const own = await connect(ada)
  await connect(bob, { scope: 'shared', grantedScopes: null })
  t.match(await call(ada, 'explain_tool', { name: 'shop__list' }), {
    callable: true,
    explanation: /You can call shop__list with work, shared:work. Choose one/,
    accounts: [
      { account: 'dead', callable: false },
      { account: 'work', callable: true },
      { account: 'shared:work', callable: true },
    ],
  })
  const one = await call(ada, 'explain_tool', { name: 'shop__list', account: 'shared:work' })
  t.match(one, { explanation: 'You can call shop__list with shared:work.', accounts: [{ account: 'shared:work' }] })
  await accounts.update(ada.caller, own.id, { alias: 'mine' })
  const alone = await call(ada, 'explain_tool', { name: 'shop__list', account: 'shared:work' })
  t.match(alone, { explanation: 'You can call shop__list with work.', accounts: [{ account: 'work' }] })
  t.match(await call(ada, 'explain_tool', { name: 'shop__list', account: 'dead' }), { callable: false })
})

t.test('manage__explain_tool says what blocks a remote tool, only to members of its organization', async t => {
  const { directory, remotes, switchedOff, call } = fixture(t)
  const [ada] = await directory.members('member')
  const [eve] = await directory.members('owner')
  const { orgId } = ada
  const explain = (name: string, who = ada) => call(who, 'explain_tool', { name })
  const no = (reason: string, explanation: RegExp) => ({ callable: false, reason, explanation })
  const command = (line: string) => new RegExp(`${line} --org ${orgId}`)
  const wiki = remoteWith(orgId, [pinned('read_page', { originalName: 'read page' }), pinned('list')])
  const set = (facts: object, account?: Partial<Account>) => {
    const remote = { ...wiki, registration: { ...wiki.registration, ...facts } }
    remotes.splice(0, 1, { ...remote, account: account && madeAccount(remote, account) })
  }

  set({})
  t.match(await explain('org__wiki__list'), {
    callable: true,
    explanation: /the upstream The wiki.*without a credential/,
  })
  t.match(await explain('org__wiki__list', eve), no('unknown_tool', /There is no tool org__wiki__list/))
  t.match(await explain('org__shop__list'), no('unknown_tool', /There is no tool/))
  t.match(await explain('org__wiki__gone'), no('unknown_tool', /had no such tool.*manage__remote_refresh/))
  t.match(await explain('read page'), no('unknown_tool', /Its name in this gateway is org__wiki__read_page/))
  for (const name of ['org__wiki__write', 'write'])
    t.match(
      await explain(name),
      no('set_aside', /“?write.*rejected.*Its schema is too deep\. .*manage__remote_refresh/),
    )
  t.match(await explain('write', eve), no('unknown_tool', /There is no tool write/))

  switchedOff.push({ capability: 'org__wiki', userId: null })
  t.match(await explain('org__wiki__list'), no('disabled', command('capability enable org__wiki')))
  switchedOff.length = 0

  const oauth = { auth: { mode: 'oauth', oauth: madeOauth } }
  set(oauth, {})
  t.match(await explain('org__wiki__list'), { callable: true, explanation: /your organization’s credential/ })
  set(oauth, { status: 'needs_reauth' })
  t.match(await explain('org__wiki__list'), no('needs_reauth', command('remote connect wiki')))
  set(oauth)
  t.match(await explain('org__wiki__list'), no('authorization_pending', command('remote connect wiki')))
  set({ auth: { mode: 'bearer' } })
  t.match(await explain('org__wiki__list'), no('authorization_pending', /waits for a token.*--token -/))
  set({ hidden: true })
  for (const name of ['org__wiki__list', 'org__wiki__write', 'read page'])
    t.match(await explain(name), no('hidden', command('remote show wiki')))
  remotes.splice(0, 1, remoteWith(orgId, undefined, { snapshotId: null }))
  t.match(await explain('org__wiki__list'), no('no_snapshot', /are not known yet.*manage__remote_refresh/))
})
