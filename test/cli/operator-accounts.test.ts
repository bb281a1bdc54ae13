import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { listenForCallback } from '../../cli/browser-authorization.ts'
import { printAnswer } from '../../cli/commands/serialize.ts'
import { help, runCommand, runInTerminal } from '../../cli/run-command.ts'
import { secretsFromStdin } from '../../cli/secrets-from-stdin.ts'
import { acrossOrgs, forOrg } from '../../lib/database/tenant.ts'
import { authorizationServer } from '../fixtures/authorization-server.ts'
import { browserSignIn } from '../fixtures/browser-sign-in.ts'
import { connectFixture } from '../fixtures/connect-fixture.ts'
import { testDatabase } from '../fixtures/database.ts'
import { keyProvider } from '../fixtures/key-provider.ts'
import { NO_REMOTES } from '../fixtures/made-remote.ts'
import { oauth1Server } from '../fixtures/oauth1-server.ts'
import { keyConnector, newKey, oauth1Connector, oauth2Connector, registerApp } from '../fixtures/sample-connectors.ts'

/** Of all the tests here that leave alone what is not of their own organization. */
const shared = await testDatabase(t)

/** The operator's commands, with a member for whom they connect. */
async function fixture(t: Test, database = shared) {
  const made = await connectFixture(t, database)
  const [ada] = await made.directory.members('member')
  const services = { ...made, oauthClients: made.clients, remotes: NO_REMOTES }
  const execute = (args: readonly string[]) => runCommand(services, args) as Promise<Record<string, string>>
  const run = (line: string) => execute(line.split(' '))
  const list = async (line: string) => Object.values(await run(line)).flat() as unknown as Record<string, unknown>[]
  const whose = `--org ${ada.orgId} --user ${ada.userId}`
  return { ...made, services, ada, whose, execute, run, list }
}

t.test(
  'account add asks the provider for the identity of a key; with --account, it replaces the key of an account',
  async t => {
    const { run, whose, connectors } = await fixture(t)
    const provider = await keyProvider(t)
    connectors.set('asked', keyConnector('asked', provider.origin, { probe: true }))
    const [key, renewed] = [newKey(), newKey()]
    for (const each of [key, renewed]) provider.people.set(each, { id: 1, login: 'ada' })

    const added = await run(`account add ${whose} --connector asked --api-key ${key} --setting region=eu`)
    const entry = { connector: 'asked', alias: 'ada', identity: 'ada', scope: 'private', status: 'connected' }
    t.match(added, { id: /^acc_/, ...entry })
    t.match(await run(`account add --account ${added.id} --api-key ${renewed}`), { id: added.id, ...entry })
  },
)

t.test('account add stores existing tokens, with the given identity if the provider is not asked', async t => {
  const { run, whose, connectors, ada, credential, clock } = await fixture(t)
  connectors.set('hub', oauth2Connector('http://127.0.0.1:9'))
  const token = newKey('at_')
  const hub = `account add ${whose} --connector hub --access-token ${token} --no-probe`
  const beside = `--refresh-token ${newKey('rt_')} --expires-in 3600 --alias team --scope shared`
  const shared = await run(`${hub} ${beside} --identity acme`)
  t.match(shared, { alias: 'team', identity: 'acme', scope: 'shared', unchecked: /was not checked/ })
  t.match(await credential(ada.orgId, shared.id ?? ''), { accessToken: token, expiresAt: clock.now() + 3_600_000 })
  await t.rejects(run(hub), { message: /Add --identity/ })
})

t.test('account add says that a key was not checked, also if the connector has no way to check it', async t => {
  const { run, whose, connectors } = await fixture(t)
  const provider = await keyProvider(t)
  connectors.set('asked', keyConnector('asked', provider.origin, { probe: true }))
  connectors.set('keys', keyConnector('keys', 'http://127.0.0.1:9', { probe: false }))
  const key = newKey()
  provider.people.set(key, { id: 1, login: 'ada' })
  const add = (connector: string, ...more: string[]) =>
    run([`account add ${whose} --connector ${connector} --api-key ${key}`, ...more].join(' '))

  const added = await add('keys')
  t.match(added, { status: 'connected', unchecked: /was not checked at the provider, which has no call/ })
  const replaced = await run(`account add --account ${added.id} --api-key ${newKey()}`)
  t.match(replaced, { id: added.id, unchecked: /was not checked/ })
  t.match(await add('asked', '--alias', 'unasked', '--no-probe'), { unchecked: /\(--no-probe\)/ })
  t.notOk('unchecked' in (await add('asked')), 'the provider has checked it')
})

t.test('account add accepts OAuth 1.0a tokens only of a known app, because it signs each request', async t => {
  const { run, whose, connectors, platform, clock } = await fixture(t)
  const server = await oauth1Server(t, clock)
  connectors.set('board', oauth1Connector(server.origin))
  const board = `account add ${whose} --connector board --token a --token-secret b`
  await t.rejects(run(`${board} --no-probe --identity x`), { message: /No OAuth app for Board/ })
  platform.set('board', { id: server.consumer.key, secret: server.consumer.secret })
  await t.rejects(run(board), { code: 'connect_failed' }, 'a token that the provider does not know')
})

t.test('accounts are listed with their status, set by hand, and removed', async t => {
  const { run, list, whose, connectors, ada } = await fixture(t)
  connectors.set('hub', oauth2Connector('http://127.0.0.1:9'))
  connectors.set('keys', keyConnector('keys', 'http://127.0.0.1:9', { probe: false }))
  const hub = await run(
    `account add ${whose} --connector hub --scope shared --access-token ${newKey()} --no-probe --identity x`,
  )
  const keys = await run(`account add ${whose} --connector keys --api-key ${newKey()}`)
  t.same(await run(`account status ${keys.id} needs_reauth`), { id: keys.id, status: 'needs_reauth' })
  const about = { user_id: ada.userId, owner_email: /@example.test$/ }
  t.match(await list(`account list --org ${ada.orgId}`), [
    {
      ...about,
      id: hub.id,
      connector: 'hub',
      scope: 'shared',
      auth_kind: 'oauth2',
      key_verified: null,
      status: 'connected',
    },
    { ...about, id: keys.id, connector: 'keys', auth_kind: 'api_key', key_verified: false, status: 'needs_reauth' },
  ])
  t.notMatch(printAnswer(await run(`account list --org ${ada.orgId}`)), /object Object/)
  for (const { id } of [hub, keys]) t.same(await run(`account remove ${id}`), { id })
  t.same(await list(`account list --org ${ada.orgId}`), [])
})

t.test('account share and unshare change who can use an account, with another alias if one is needed', async t => {
  const { run, whose, connectors } = await fixture(t)
  connectors.set('keys', keyConnector('keys', 'http://127.0.0.1:9', { probe: false }))
  const { id } = await run(`account add ${whose} --connector keys --api-key ${newKey()} --alias main`)
  t.match(await run(`account share ${id}`), { id, alias: 'main', scope: 'shared' })
  t.match(await run(`account share ${id}`), { id, alias: 'main', scope: 'shared' }, 'again')
  await run(`account add ${whose} --connector keys --api-key ${newKey()} --alias main`)
  await t.rejects(run(`account unshare ${id}`), { code: 'alias_taken', message: /already has a private account/ })
  t.match(await run(`account unshare ${id} --alias second`), { id, alias: 'second', scope: 'private' })
  await t.rejects(run('account share work'), { code: 'account_not_found', message: /account list/ })
})

t.test('the audit records what the commands did to an account, without secrets', async t => {
  const { run, whose, connectors, ada, db } = await fixture(t)
  connectors.set('keys', keyConnector('keys', 'http://127.0.0.1:9', { probe: false }))
  const [key, renewed] = [newKey(), newKey()]
  const { id } = await run(`account add ${whose} --connector keys --api-key ${key}`)
  await run(`account add --account ${id} --api-key ${renewed}`)
  await run(`account status ${id} needs_reauth`)
  await run(`account remove ${id}`)
  const trail = JSON.stringify(await forOrg(db, ada.orgId).selectFrom('audit').selectAll().execute())
  for (const action of ['add', 'reauthorize', 'status', 'remove']) t.match(trail, `account.${action}`)
  for (const secret of [key, renewed]) t.notMatch(trail, secret)
})

t.test('account connect signs in with a browser that returns to this machine', async t => {
  const { execute, whose, connectors, platform, ada, credential } = await fixture(t)
  const server = await authorizationServer(t)
  connectors.set('hub', oauth2Connector(server.issuer))
  platform.set('hub', await registerApp(server.issuer, ['http://127.0.0.1/callback']))
  const strangers: number[] = []
  const pages: string[] = []
  /** A person at the terminal, who opens what is printed. */
  const connect = (line: string, as: string) => {
    let browser: Promise<unknown> = Promise.resolve()
    async function open(text: string) {
      const url = new URL(/^http\S+auth\?\S+$/m.exec(text)?.[0] ?? '')
      const callback = await browserSignIn(url, as)
      const stray = new URL('?state=another&code=x', callback)
      for (const [url, method] of [
        [stray, 'GET'],
        [callback, 'POST'],
        [new URL('/', callback), 'GET'],
      ] as const)
        strangers.push((await fetch(url, { method })).status)
      const page = await fetch(callback)
      t.match(page.headers.get('content-security-policy'), "default-src 'none'")
      pages.push(await page.text())
    }
    const say = (text: string) => {
      browser = open(text)
    }
    const answer = runInTerminal({ execute, say, interruptible: () => new AbortController().signal }, line.split(' '))
    return answer.finally(() => browser) as Promise<Record<string, string>>
  }

  const account = await connect(`account connect ${whose} --connector hub --alias work`, 'ada@hub.test')
  t.match(account, { id: /^acc_/, connector: 'hub', alias: 'work', identity: 'ada@hub.test', status: 'connected' })
  t.match(await credential(ada.orgId, account.id ?? ''), { kind: 'oauth2' })
  t.match(pages.pop(), 'The account is connected')
  t.same(strangers.splice(0), [400, 404, 404], 'and whatever else comes is turned away')

  t.match(await connect(`account connect --account ${account.id}`, 'ada@hub.test'), { id: account.id, alias: 'work' })
  await t.rejects(connect(`account connect --account ${account.id}`, 'eve@hub.test'), { code: 'identity_mismatch' })
  t.match(pages.pop(), 'was not connected')
})

t.test('account connect stops when the person interrupts it, and releases its port', async t => {
  const { execute, whose, connectors, platform, clock } = await fixture(t)
  const server = await oauth1Server(t, clock)
  connectors.set('board', oauth1Connector(server.origin))
  connectors.set('keys', keyConnector('keys', server.origin, { probe: false }))
  platform.set('board', { id: server.consumer.key, secret: server.consumer.secret })
  const busy = createServer()
  await once(busy.listen(0, '127.0.0.1'), 'listening')
  const { port } = busy.address() as AddressInfo
  const start = (line: string, givenUp = new AbortController()) =>
    runInTerminal(
      { execute, say: () => queueMicrotask(() => givenUp.abort()), interruptible: () => givenUp.signal },
      line.split(' '),
    )
  await t.rejects(start(`account connect ${whose} --connector board --port ${port}`), {
    message: /choose another port with --port/,
  })
  busy.close()
  await once(busy, 'close')
  await t.rejects(start(`account connect ${whose} --connector board --port ${port}`), {
    message: 'Interrupted. Nothing was connected.',
  })
  const again = await listenForCallback({ port })
  t.equal(again.redirectUri, `http://127.0.0.1:${port}/callback`)
  await again.close()

  for (const [line, message] of [
    [`account connect ${whose} --connector keys`, new RegExp(`account add ${whose} --connector keys --api-key -$`)],
    [`account connect ${whose} --connector nothing`, /There is no connector nothing. Choose from: board, keys.$/],
    [`account connect ${whose} --connector board --port http`, /--port must be a number/],
    [`account connect ${whose} --connector board --redirect-uri x`, /--redirect-uri must be an http or https URL/],
    [`account connect ${whose} --connector board --redirect-uri https://x.test/cb`, /--redirect-uri needs --port/],
    [
      'account connect --connector board',
      /^--org and --user are missing. A new account needs --org, --user and --conn/,
    ],
    ['account connect', /^--org, --user and --connector are missing\. /],
    ['account connect --account acc_1', /There is no account acc_1/],
    ['account connect --account acc_1 --org org_1', /Use --account without --org/],
    ['account connect now', /Usage: account connect/],
  ] as const)
    await t.rejects(start(line), { message }, line)
})

t.test('an organization’s own OAuth app is set, listed without its secret, and removed', async t => {
  const { run, list, ada, connectors, clients, db } = await fixture(t, await testDatabase(t))
  connectors.set('hub', oauth2Connector('http://127.0.0.1:9'))
  connectors.set('keys', keyConnector('keys', 'http://127.0.0.1:9', { probe: false }))
  const one = `--org ${ada.orgId} --connector hub`
  const secret = newKey('cs_')
  const set = await run(`oauth-client set ${one} --client-id app --client-secret ${secret}`)
  t.same(set, { id: 'hub', client_id: 'app' })
  t.match(await clients.of(ada.orgId, 'hub'), { id: 'app', secret, source: 'org' })
  const apps = await list(`oauth-client list --org ${ada.orgId}`)
  t.match(apps, [{ connector: 'hub', client_id: 'app', set_by: null, created_at: /Z$/, rotated_at: null }])
  t.notMatch(JSON.stringify(apps), secret)
  t.same(await list(`oauth-client list --org ${ada.orgId} --connector keys`), [])
  t.same(await run('vault rotate'), { rotated: 0, left: 0 })
  t.same(await run('vault keys'), { keys: [{ id: 'test', values: 1, configured: true }] })
  await acrossOrgs(db)
    .updateTable('oauth_clients')
    .set({ key_id: 'lost', sealed: sql`replace(sealed, '.test.', '.lost.')` })
    .execute()
  t.match(await run('vault rotate'), {
    rotated: 0,
    left: 1,
    note: /does not contain the keys of the remaining secrets: lost. Add them after the first key/,
  })
  t.same(await run(`oauth-client remove ${one}`), { id: 'hub' })
  for (const [line, message] of [
    [`oauth-client remove ${one}`, /has no OAuth app of its own for hub/],
    [`oauth-client set ${one} --client-id app`, /--client-secret is missing/],
    [`oauth-client set --org ${ada.orgId} --connector keys --client-id a --client-secret b`, /uses no OAuth app/],
    [`oauth-client set --org ${ada.orgId} --connector hubb --client-id a --client-secret b`, /no connector hubb/],
    ['oauth-client set --org org_1 --connector hub --client-id a --client-secret b', /no organization org_1/],
  ] as const)
    await t.rejects(run(line), { message }, line)
})

t.test('the account commands explain invalid arguments', async t => {
  const { run, whose, connectors } = await fixture(t)
  connectors.set('hub', oauth2Connector('http://127.0.0.1:9'))
  connectors.set('keys', keyConnector('keys', 'http://127.0.0.1:9', { probe: false }))
  const hub = `account add ${whose} --connector hub`
  for (const [line, message] of [
    [hub, /^The credential is missing. For Hub, give --access-token - \[--refresh-token - --expires-in SECONDS\].$/],
    [`account add ${whose} --connector keys`, /For Vaulted, give --api-key -. The key: A key from the settings./],
    [`${hub} --access-token a --api-key b`, /Use only one of --access-token, --api-key/],
    [`${hub} --api-key a --refresh-token b`, /Use --refresh-token together with --access-token/],
    [`${hub} --token a`, /Use --token and --token-secret together/],
    [
      `${hub} --token a --token-secret b`,
      new RegExp(
        `Hub cannot be connected with a token with a secret. .*: npm run -s cli -- account connect ${whose} --connector hub; with`,
      ),
    ],
    [
      `${hub} --api-key a`,
      new RegExp(`Hub cannot be connected with a key. .* npm run -s cli -- account add ${whose} --connector hub --acc`),
    ],
    [`${hub} --access-token a --expires-in soon`, /--expires-in must be a number of seconds/],
    [`${hub} --access-token a --scope public`, /--scope must be one of private, shared/],
    [`${hub} --access-token a --setting site`, /--setting must be NAME=VALUE/],
    [`${hub} --access-token a --setting site=x`, /Hub has no setting site. It has no settings./],
    ['account add --org org_1 --user usr_1 --connector hub --access-token a', /There is no organization org_1/],
    ['account status acc_1 broken', /The status must be one of connected, needs_reauth/],
    ['account status acc_1', /Usage: account status ACC connected\|needs_reauth/],
    ['account status acc_1 connected', /There is no account acc_1/],
    ['account remove acc_1', /There is no account acc_1/],
    ['account list --org org_1', /There is no organization org_1/],
  ] as const)
    await t.rejects(async () => run(line), { message }, line)
  t.ok(help().indexOf('account connect [--org ORG]') < help().indexOf('account add'), 'beside the others')
  t.match(help(), '[--setting K=V …]')
  t.match(help(), '[--no-probe]')
  t.notMatch(help(), 'connect-begin', 'what commands are made of is not shown')
})

t.test('help shows one group if asked, and an unknown command shows the commands of its group', async t => {
  const { run } = await fixture(t)
  t.match(help('account'), /^Commands:\n {2}account connect .*\n.*\n {2}account add /)
  t.notMatch(help('account'), 'org create')
  t.equal(help('nonsense'), help(), 'there is no such group')
  await t.rejects(async () => run('account foo'), {
    name: 'UsageError',
    message: /^Unknown command. Use one of these.\n\nCommands:\n {2}account connect/,
  })
  await t.rejects(async () => run('acount add'), {
    message: /^Unknown command. Use one of these.\n\nCommands:\n {2}account /,
  })
  await t.rejects(async () => run('list keys'), {
    message: /^Unknown command. Similar: .*`key list`.*\. `help` lists all commands.$/,
  })
  await t.rejects(async () => run('nonsense sk_secretive'), { message: 'Unknown command. `help` lists all commands.' })
  const execute = () => t.fail('a database is opened') as never
  const terminal = { execute, say() {}, interruptible: () => new AbortController().signal }
  await t.rejects(async () => runInTerminal(terminal, ['nonsense']), { message: /^Unknown command\./ })
})

t.test('connector list shows the connect methods and the OAuth app of each connector', async t => {
  const { run, list, whose, ada, connectors, platform } = await fixture(t)
  for (const id of ['hub', 'forge']) connectors.set(id, oauth2Connector('http://127.0.0.1:9'))
  for (const [id, connector] of connectors) connectors.set(id, { ...connector, id })
  connectors.set('board', oauth1Connector('http://127.0.0.1:9'))
  connectors.set('keys', keyConnector('keys', 'http://127.0.0.1:9', { probe: false }))
  platform.set('forge', { id: 'app', secret: newKey() })
  const entry = (id: string, connected_by: string, oauth_app: string | null) => ({ id, connected_by, oauth_app })
  t.match(await list('connector list'), [
    { ...entry('hub', 'sign-in', 'none'), name: 'Hub' },
    entry('forge', 'sign-in', 'platform'),
    entry('board', 'sign-in', 'none'),
    entry('keys', 'key', null),
  ])
  await run(`oauth-client set --org ${ada.orgId} --connector hub --client-id app --client-secret ${newKey()}`)
  await run(`account add ${whose} --connector keys --api-key ${newKey()}`)
  t.match(await list(`connector list --org ${ada.orgId}`), [
    { ...entry('hub', 'sign-in', 'organization'), accounts: 0 },
    entry('forge', 'sign-in', 'platform'),
    entry('board', 'sign-in', 'none'),
    { ...entry('keys', 'key', null), accounts: 1 },
  ])
  await t.rejects(run('connector list --org org_1'), { message: /There is no organization org_1/ })
})

t.test('every command says if CONNECTORS excludes the named connector', async t => {
  const { services, ada, whose, connectors } = await fixture(t)
  connectors.set('hub', oauth2Connector('http://127.0.0.1:9'))
  const run = (line: string) => runCommand({ ...services, leftOutConnectors: new Set(['keys']) }, line.split(' '))
  const message = 'CONNECTORS excludes the connector keys. Choose from: hub.'
  await t.rejects(run(`account add ${whose} --connector keys --api-key x`), { message })
  const app = '--client-id a --client-secret b'
  await t.rejects(run(`oauth-client set --org ${ada.orgId} --connector keys ${app}`), { message })
})

t.test('the operator renames an account and lists disabled capabilities', async t => {
  const { run, list, whose, ada, connectors } = await fixture(t)
  connectors.set('keys', keyConnector('keys', 'http://127.0.0.1:9', { probe: false }))
  const { id } = await run(`account add ${whose} --connector keys --api-key ${newKey()}`)
  t.same(await run(`account rename ${id} work`), { id, alias: 'work' })
  t.match(await list(`account list --org ${ada.orgId}`), [{ id, alias: 'work' }])
  await t.rejects(run(`account rename ${id} a:b`), { code: 'invalid_request' })
  await t.rejects(run('account rename acc_1 work'), { code: 'account_not_found' })

  for (const line of ['disable memory', `disable keys --user ${ada.userId}`, 'disable jira', 'enable jira'])
    await run(`capability ${line} --org ${ada.orgId}`)
  t.same(await list(`capability list --org ${ada.orgId}`), [
    { capability: 'keys', user_id: ada.userId },
    { capability: 'memory', user_id: null },
  ])
})

t.test('a secret given as - is read from standard input, so no process list shows it', async t => {
  const fill = (line: string, text = '') =>
    secretsFromStdin(line.split(' '), { stdin: Readable.from([text]), stderr: process.stderr })
  const add = 'account add --org o --user u --connector c'
  t.same(await fill(`${add} --api-key -`, '-sk_1\n'), [...add.split(' '), '--api-key=-sk_1'])
  t.same(await fill(`${add} --access-token - --expires-in 60 --refresh-token=-`, 'one\r\ntwo\r\n'), [
    ...add.split(' '),
    '--access-token=one',
    '--expires-in',
    '60',
    '--refresh-token=two',
  ])
  t.same(await fill('oauth-client set --client-secret -', 's'), ['oauth-client', 'set', '--client-secret=s'])
  t.same(await fill(`${add} --alias - --api-key k`), [...add.split(' '), '--alias', '-', '--api-key', 'k'])
  for (const text of ['', '\n', 'one\n'])
    await t.rejects(fill(`${add} --token - --token-secret -`, text), { message: /standard input has no line for it/ })
})
