import { once } from 'node:events'
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import type { OperatorServices } from '../../cli/commands/operator-services.ts'
import { printAnswer } from '../../cli/commands/serialize.ts'
import { help, runCommand, runInTerminal } from '../../cli/run-command.ts'
import { secretsFromStdin } from '../../cli/secrets-from-stdin.ts'
import type { Actor } from '../../lib/audit/audit.ts'
import { forOrg } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Caller } from '../../services/identity/caller.ts'
import { LOOPBACK_REDIRECT_URI } from '../../services/remote-connectors/oauth/client-metadata.ts'
import type { RemoteConnector } from '../../services/remote-connectors/remote-connectors.ts'
import { browserSignIn } from '../fixtures/browser-sign-in.ts'
import { build } from '../fixtures/build.ts'
import { connectFixture } from '../fixtures/connect-fixture.ts'
import { testDatabase } from '../fixtures/database.ts'
import { freePort } from '../fixtures/free-port.ts'
import { madeAccount, madeOauth, madeRemote, madeSnapshot } from '../fixtures/made-remote.ts'
import { newKey } from '../fixtures/sample-connectors.ts'
import { oauthUpstream } from '../upstreams/oauth-upstream.ts'

const database = await testDatabase(t)

type Begun = { caller: Caller; slug: string; redirectUri: string }
type Finished = { caller: Caller; by?: Actor; callback: string | URLSearchParams }

/** The operator's commands on real members and on registrations that a test lays down. */
async function fixture(t: Test) {
  const made = await connectFixture(t, database)
  const [ada, bob] = await made.directory.members('owner', 'member')
  const there = new Map<string, RemoteConnector>()
  const begun: Begun[] = []
  const finished: Finished[] = []
  const given: unknown[][] = []
  let silent = false
  let away: string | undefined
  const one = (orgId: string, slug: string) => {
    const found = orgId === ada.orgId ? there.get(slug) : undefined
    if (found === undefined) throw new GatewayError('invalid_request', `Nothing is registered as ${slug}.`)
    return found
  }
  const served = (remote: RemoteConnector) => (silent ? remote : { ...remote, snapshot: madeSnapshot })
  const remotes: OperatorServices['remotes'] = {
    list: async orgId => (orgId === ada.orgId ? [...there.values()] : []),
    find: async (orgId, slug) => (orgId === ada.orgId ? there.get(slug) : undefined),
    async setHidden(orgId, slug, hidden, by) {
      const remote = one(orgId, slug)
      given.push([slug, hidden, by])
      there.set(slug, { ...remote, registration: { ...remote.registration, hidden } })
    },
    async beginAuthorization(request) {
      begun.push(request)
      const authorizationUrl = `https://id.wiki.test/authorize?redirect_uri=${encodeURIComponent(request.redirectUri)}`
      return { authorizationUrl, state: 'the-state' }
    },
    async finishAuthorization(answer) {
      finished.push(answer)
      const { searchParams } = new URL(`${answer.callback}`)
      if (searchParams.get('code') !== 'good') throw new GatewayError('connect_failed', 'The server refused the code.')
      const remote = one(answer.caller.orgId, 'wiki')
      return served({ ...remote, account: madeAccount(remote) })
    },
    async setToken(orgId, slug, value, by, userId) {
      given.push([slug, value, by, ...(userId === undefined ? [] : [userId])])
      const remote = one(orgId, slug)
      const renewed = served({ ...remote, account: madeAccount(remote, { authKind: 'api_key' }) })
      return { ...renewed, ...(away !== undefined && { unchecked: away }) }
    },
  }
  const services = { ...made, oauthClients: made.clients, remotes }
  const execute = (args: readonly string[]) => runCommand(services, args) as Promise<Record<string, string>>
  /** Types a command in a terminal; what it prints is opened by a browser that comes back with a code. */
  async function type(line: string, { code = 'good', stdin = '' } = {}) {
    const pages: string[] = []
    let browser: Promise<unknown> = Promise.resolve()
    async function open(text: string) {
      const url = new URL(/^https\S+$/m.exec(text)?.[0] ?? '')
      const callback = new URL(url.searchParams.get('redirect_uri') ?? '')
      callback.search = `?state=the-state&code=${code}`
      pages.push(await (await fetch(callback)).text())
    }
    const say = (text: string) => {
      browser = open(text)
    }
    const args = await secretsFromStdin(line.split(' '), { stdin: Readable.from([stdin]), stderr: process.stderr })
    const interruptible = () => new AbortController().signal
    const answer = await runInTerminal({ execute, say, interruptible }, args).finally(() => browser)
    return { answer, pages }
  }
  return {
    ...made,
    ada,
    bob,
    there,
    begun,
    finished,
    given,
    execute,
    type,
    run: (line: string) => execute(line.split(' ')),
    lay(facts: Partial<RemoteConnector['registration']>, rest: Partial<RemoteConnector> = {}) {
      const remote = { ...madeRemote({ orgId: ada.orgId, createdBy: ada.userId, ...facts }), ...rest }
      there.set(remote.registration.slug, remote)
      return remote
    },
    fallSilent() {
      silent = true
    },
    goAway(why: string) {
      away = why
    },
  }
}

t.test(
  'remote list shows all registrations of an organization, including hidden ones, and the changes that wait',
  async t => {
    const { run, ada, lay } = await fixture(t)
    t.same(await run(`remote list --org ${ada.orgId}`), { remotes: [] })
    const rejected = { ...madeSnapshot.rejected, count: 120 }
    lay({ hidden: true }, { snapshot: { ...madeSnapshot, rejected } })
    lay({ slug: 'pending', auth: { mode: 'oauth', oauth: madeOauth } })
    const candidate = { v: 1, snapshotId: 'snp_2', hash: 'c'.repeat(64), fetchedAt: 0, changes: 3, risky: 2 } as const
    lay({ slug: 'changed', candidate })
    const list = await run(`remote list --org ${ada.orgId}`)
    t.match(list, {
      remotes: [
        {
          id: 'wiki',
          status: 'connected',
          hidden: true,
          tools: 1,
          set_aside: 120,
          pending_changes: null,
          created_by: ada.userId,
        },
        { id: 'pending', auth_mode: 'oauth', status: 'disconnected', hidden: false, tools: null },
        { id: 'changed', pending_changes: 3, pending_risky: 2 },
      ],
    })
    t.notMatch(printAnswer(list), /object Object/)
    await t.rejects(run('remote list --org org_none'), { message: 'There is no organization org_none.' })
  },
)

t.test('remote hide and remote show change one registration', async t => {
  const { run, ada, lay, given, there } = await fixture(t)
  lay({})
  t.same(await run(`remote hide wiki --org ${ada.orgId}`), { id: 'wiki', hidden: true })
  t.ok(there.get('wiki')?.registration.hidden)
  t.same(await run(`remote show wiki --org ${ada.orgId}`), { id: 'wiki', hidden: false })
  t.same(given, [
    ['wiki', true, 'operator'],
    ['wiki', false, 'operator'],
  ])
  await t.rejects(run(`remote hide nothing --org ${ada.orgId}`), { code: 'invalid_request' })
})

t.test('remote connect signs in with a browser, on behalf of the admin who registered the server', async t => {
  const { type, ada, lay, begun, finished } = await fixture(t)
  lay({ auth: { mode: 'oauth', oauth: madeOauth } })
  const port = await freePort()
  const line = `remote connect wiki --org ${ada.orgId} --port ${port}`
  const { answer, pages } = await type(line)
  t.same(answer, { id: 'wiki', status: 'connected', tools: 1 })
  const caller = { orgId: ada.orgId, userId: ada.userId, role: 'owner' }
  const redirectUri = `http://127.0.0.1:${port}/callback`
  t.same(begun, [{ caller, slug: 'wiki', redirectUri }])
  t.same(finished, [{ caller, by: 'operator', callback: `${redirectUri}?state=the-state&code=good` }])
  t.match(pages, [/The server is connected/])
  await t.rejects(type(line, { code: 'bad' }), { code: 'connect_failed' })
})

t.test('remote connect acts for the named member if each member has their own credential', async t => {
  const { type, ada, bob, lay, begun, given } = await fixture(t)
  lay({ auth: { mode: 'oauth', oauth: madeOauth, per: 'member' } })
  lay({ slug: 'keyed', auth: { mode: 'bearer', per: 'member' } })
  const port = await freePort()
  const line = `remote connect wiki --org ${ada.orgId}`
  await t.rejects(type(line), {
    code: 'invalid_request',
    message: `Each member authorizes wiki for themselves. Name the member: npm run -s cli -- ${line} --user EMAIL`,
  })
  await t.rejects(type(`${line} --user usr_none`), { message: /^usr_none is not a member of org_/ })
  t.match(await type(`${line} --user ${bob.userId} --port ${port}`), { answer: { status: 'connected' } })
  t.match(begun, [{ caller: { userId: bob.userId, role: 'member' }, slug: 'wiki' }])
  const key = 'the-key-of-bob'
  await type(`remote connect keyed --org ${ada.orgId} --user ${bob.userId} --token -`, { stdin: `${key}\n` })
  t.same(given, [['keyed', key, 'operator', bob.userId]])
})

t.test('remote connect says if the server does not list its tools yet', async t => {
  const { type, ada, lay, fallSilent } = await fixture(t)
  lay({ auth: { mode: 'oauth', oauth: madeOauth } })
  fallSilent()
  const { answer } = await type(`remote connect wiki --org ${ada.orgId} --port ${await freePort()}`)
  t.match(answer, { id: 'wiki', status: 'disconnected', tools: null, note: /manage__remote_refresh/ })
})

t.test('remote connect listens on the port of the registered redirect URI', async t => {
  const { ada, lay, execute, begun } = await fixture(t)
  lay({ auth: { mode: 'oauth', oauth: madeOauth } })
  const { port, hostname, pathname } = new URL(LOOPBACK_REDIRECT_URI)
  t.same([hostname, pathname], ['127.0.0.1', '/callback'])
  const busy = createServer()
  // Where somebody else has the port it is in use all the same.
  const taken = once(busy, 'error')
  await Promise.race([once(busy.listen(Number(port), '127.0.0.1'), 'listening').catch(() => {}), taken])
  t.teardown(() => busy.close())
  const terminal = { execute, say() {}, interruptible: () => new AbortController().signal }
  await t.rejects(runInTerminal(terminal, ['remote', 'connect', 'wiki', '--org', ada.orgId]), {
    message: `Cannot listen on port ${port} of 127.0.0.1 (EADDRINUSE). Another command may be waiting for its browser on this port: end it first. Or choose another port with --port, if the authorization server allows it.`,
  })
  t.same(begun, [])
})

t.test('remote connect acts only as an owner or an admin', async t => {
  const { type, ada, bob, lay, members, begun } = await fixture(t)
  lay({ auth: { mode: 'oauth', oauth: madeOauth }, createdBy: bob.userId })
  const line = `remote connect wiki --org ${ada.orgId} --port ${await freePort()}`
  const advice = `Name one with --user. To list them, run: npm run -s cli -- member list --org ${ada.orgId}`
  await t.rejects(type(line), {
    message: `${bob.userId}, who registered wiki, is not an owner or admin of ${ada.orgId}. ${advice}`,
  })
  await t.rejects(type(`${line} --user usr_none`), { message: /^usr_none is not an owner or admin/ })
  t.same(begun, [])
  t.match((await type(`${line} --user ${ada.userId}`)).answer, { id: 'wiki' })
  await members.setRole({ orgId: ada.orgId, userId: bob.userId, role: 'admin', by: 'operator' })
  await type(line)
  t.match(begun, [{ caller: { userId: ada.userId } }, { caller: { userId: bob.userId, role: 'admin' } }])
})

t.test('remote connect --token stores the next token of a server, from standard input', async t => {
  const { type, ada, lay, given, goAway } = await fixture(t)
  lay({ auth: { mode: 'bearer' } })
  const token = newKey()
  const { answer } = await type(`remote connect wiki --org ${ada.orgId} --token -`, { stdin: `${token}\n` })
  t.same(answer, { id: 'wiki', status: 'connected', tools: 1 })
  t.same(given, [['wiki', token, 'operator']])
  goAway('wiki.test refused the connection.')
  t.match(await type(`remote connect wiki --org ${ada.orgId} --token -`, { stdin: `${token}\n` }), {
    answer: {
      id: 'wiki',
      warning: 'The token is stored but was not checked: wiki.test refused the connection.',
    },
  })
})

t.test('remote connect says what a server accepts instead of a sign-in', async t => {
  const { type, ada, lay } = await fixture(t)
  lay({ slug: 'keyed', auth: { mode: 'header', headerName: 'x-key' } })
  lay({ slug: 'open' })
  lay({ slug: 'own', auth: { mode: 'assertion' } })
  for (const [slug, message] of [
    [
      'keyed',
      `keyed takes a token instead of a sign-in: npm run -s cli -- remote connect keyed --org ${ada.orgId} --token -`,
    ],
    ['open', 'open needs no credential: there is nothing to connect.'],
    ['own', 'own needs no credential: there is nothing to connect.'],
    ['nothing', 'No remote connector is registered as nothing. Registered: keyed, open, own.'],
  ] as const)
    await t.rejects(type(`remote connect ${slug} --org ${ada.orgId} --port ${await freePort()}`), { message }, slug)
  await t.rejects(type('remote connect wiki --org org_none'), { message: 'There is no organization org_none.' })
  t.match(help('remote'), 'remote connect SLUG --org ORG [--user USER|EMAIL] [--token T|-]')
  t.notMatch(help(), 'connect-token')
  const registering = /dashboard, with POST \/connectors\/org, or with the tool manage__remote_add\./
  await t.rejects(async () => type('remote add wiki'), { message: registering })
  for (const text of [help('remote'), help()]) t.match(text, registering)
  t.notMatch(help('account'), registering)
})

t.test('a server is registered, authorized at its own authorization server, hidden and shown', async t => {
  const { services, directory } = await build(t)
  const upstream = await oauthUpstream(t)
  const [ada] = await directory.members('owner')
  const request = { slug: 'wiki', name: 'The wiki', upstream_url: upstream.url, auth: { mode: 'oauth' } } as const
  await services.remotes.register(ada.caller, request, 'http://localhost')
  const execute = (args: readonly string[]) => runCommand(services, args)
  const type = async (line: string) => {
    let browser: Promise<unknown> = Promise.resolve()
    const say = (text: string) => {
      const url = new URL(/^http\S+$/m.exec(text)?.[0] ?? '')
      browser = browserSignIn(url, 'ada').then(callback => fetch(callback))
    }
    const terminal = { execute, say, interruptible: () => new AbortController().signal }
    return runInTerminal(terminal, line.split(' ')).finally(() => browser)
  }
  const whose = `--org ${ada.orgId}`
  const listed = async () =>
    ((await type(`remote list ${whose}`)) as { remotes: { tools: number; set_aside: number }[] }).remotes
  t.match(await listed(), [{ id: 'wiki', auth_mode: 'oauth', status: 'disconnected', tools: null }])
  const answer = await type(`remote connect wiki ${whose} --port ${await freePort()}`)
  t.match(answer, { id: 'wiki', status: 'connected' })
  const [wiki] = await listed()
  t.match(wiki, { status: 'connected', hidden: false, created_by: ada.userId })
  t.equal((wiki?.tools ?? 0) + (wiki?.set_aside ?? 0), upstream.specimens.list.length)
  await type(`remote hide wiki ${whose}`)
  t.match(await listed(), [{ id: 'wiki', status: 'connected', hidden: true }])
  await type(`remote show wiki ${whose}`)
  t.match(await listed(), [{ id: 'wiki', hidden: false }])

  const trail = await forOrg(services.database.db, ada.orgId)
    .selectFrom('audit')
    .select(['action', 'user_id'])
    .execute()
  t.match(
    trail.filter(({ action }) => /^remote\.(hide|show)|^account\./.test(action)),
    [{ user_id: null }, { user_id: null }, { user_id: null }],
    'and the audit names the operator, not who was acted for',
  )
})
