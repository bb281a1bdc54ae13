import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { runCommand } from '../cli/run-command.ts'
import type { Account } from '../services/accounts/account.ts'
import { newsHeard } from './fixtures/database.ts'
import { leakFixture, signedIn } from './fixtures/leak-fixture.ts'
import { dumpTables } from './fixtures/leak-markers.ts'
import { useLeakingUpstreams } from './fixtures/leak-markers-remotes.ts'
import { leakingConnectors, MISBEHAVIORS, type Misbehavior } from './fixtures/leaking-provider.ts'
import { sample } from './fixtures/sample.ts'

const REDIRECT_URI = 'http://127.0.0.1:9/callback'
const HOUR = 3_600_000

// On the embedded database, each step meets a sample of the misbehaviors. On PostgreSQL, all.
t.test('no secret of an account leaks, however its provider misbehaves', async t => {
  const { markers, provider, rings, clock, database, lines, answered, serve } = await leakFixture(t)
  const connectors = leakingConnectors(provider.origin)
  const service = await serve({}, { connectors })
  const { services, call, attempt, send } = service
  const [ada] = await service.directory.members('owner')
  const { caller } = ada
  const accounts = new Map<string, Account>()
  const toolsOf = (id: string) => connectors.find(connector => connector.id === id)?.tools ?? []

  let seen = 0
  /** Checks that no answer and no log line since the last check contains a secret. */
  function safe(t: Test) {
    t.same(markers.foundIn(answered.slice(seen).join('\n')), [], 'the answers contain no secret')
    t.same(markers.foundIn(lines.join('')), [], 'the log contains no secret')
    seen = answered.length
    lines.length = 0
  }

  /** Runs work while the provider misbehaves. */
  async function under<T>(misbehavior: Misbehavior, work: () => Promise<T>, misbehavesAt = /^/): Promise<T> {
    Object.assign(provider, { misbehavior, misbehavesAt })
    try {
      return await work()
    } finally {
      provider.misbehavior = undefined
    }
  }

  /** Connects an account through the provider’s pages. `comesBack` changes the callback URL. */
  async function signIn(connector: string, comesBack: (callback: URL) => void = () => {}, on = services) {
    const begun = await on.connecting.begin({ caller, connector, redirectUri: REDIRECT_URI, scope: 'private' })
    const isOauth1 = connector === 'board'
    if (!isOauth1) markers.add('state', begun.state)
    t.same(
      markers.foundIn(JSON.stringify(begun), /^(state|token of \/request)$/),
      [],
      'the authorization URL contains no other secret',
    )
    const callback = new URL(REDIRECT_URI)
    callback.searchParams.set(isOauth1 ? 'oauth_token' : 'state', begun.state)
    callback.searchParams.set(isOauth1 ? 'oauth_verifier' : 'code', markers.text('code'))
    comesBack(callback)
    return attempt(on.connecting.finish({ caller, callback: callback.href }))
  }

  await t.test('while an account is connected through the provider’s pages', async t => {
    for (const id of ['hub', 'lounge', 'board']) {
      for (const behavior of sample(MISBEHAVIORS)) {
        if (id === 'board')
          await under(behavior, () =>
            attempt(services.connecting.begin({ caller, connector: id, redirectUri: REDIRECT_URI, scope: 'private' })),
          )
        for (const at of [/^\/(token|access)/, /^\/me/]) {
          const account = await under(behavior, () => signIn(id), at)
          t.equal(account, undefined, `${id} with ${JSON.stringify(behavior)} at ${at}`)
        }
      }
      for (const comesBack of [
        (callback: URL) => callback.searchParams.set('state', markers.text('another state')),
        (callback: URL) => callback.searchParams.set('oauth_token', markers.text('another token')),
        (callback: URL) => callback.searchParams.set('error', `${markers.text('error of a callback')}/`),
        (callback: URL) => callback.searchParams.set('iss', `https://${markers.text('issuer')}.test`),
        (callback: URL) => {
          callback.searchParams.delete('code')
          callback.searchParams.set('error', 'access_denied')
          callback.searchParams.set('error_description', markers.text('description of a callback'))
        },
        (callback: URL) => {
          callback.search = `?${markers.text('a query without a state')}`
        },
      ])
        await signIn(id, comesBack)
      const account = await signIn(id)
      accounts.set(id, account!)
      t.match(account?.identity, /redacted/, 'the identity from the provider is redacted')
    }
    safe(t)
  })

  await t.test('while a key is pasted', async t => {
    const paste = (connector: string, key: string) =>
      attempt(services.connecting.connectWithKey({ caller, connector, scope: 'private', key }))
    for (const connector of ['mailer', 'sender']) {
      for (const key of ['two\nlines', 'ü', 'x'.repeat(9_000)]) await paste(connector, markers.text('bad key') + key)
      for (const behavior of sample(MISBEHAVIORS))
        await under(behavior, () => paste(connector, `user:${markers.text('refused key')}/+`))
      const account = await paste(connector, `user:${markers.text('key')}/+`)
      accounts.set(connector, account!)
    }
    safe(t)
  })

  /** Lets time pass until what failed is tried again, and has a connector's account work once more that was given up. */
  async function recover(connector: string) {
    clock.advance(10_000)
    await services.accounts.setStatus(accounts.get(connector)!.id, 'connected', 'operator')
    await newsHeard(database)
  }

  for (const id of ['hub', 'lounge', 'board', 'mailer', 'sender'])
    await t.test(`while ${id} is called`, async t => {
      const account = accounts.get(id)?.alias
      for (const tool of toolsOf(id)) {
        const name = `${id}__${tool.operation}`
        provider.setTool(tool)
        const args = { account, ...(tool.pagination && { limit: 1 }) }
        const result = await call(ada, name, args, randomUUID())
        t.notMatch(result, '"isError":true', name)
        for (const behavior of sample(MISBEHAVIORS)) {
          const before = provider.requests.length
          await under(behavior, () => call(ada, name, args))
          const since = provider.requests.slice(before)
          t.match(since.join(), '/things', `${name} with ${JSON.stringify(behavior)} sent a request to the provider`)
          await recover(id)
        }
      }
      safe(t)
    })
  const sentOn = provider.redirectTarget.requests.map(({ headers }) => headers)
  t.ok(sentOn.length > 0, 'redirects of reads are followed')
  t.same(markers.foundIn(JSON.stringify(sentOn)), [], 'redirects carry no credential')

  await t.test('while tokens are renewed', async t => {
    for (const id of ['hub', 'lounge']) {
      provider.setTool(toolsOf(id)[0]!)
      for (const behavior of sample(MISBEHAVIORS)) {
        clock.advance(HOUR)
        await under(behavior, () => call(ada, `${id}__read`, { account: accounts.get(id)?.alias }), /^\/token/)
        await recover(id)
      }
    }
    safe(t)
  })

  await t.test('in descriptions of accounts', async t => {
    for (const url of ['/connectors', ...connectors.map(({ id }) => `/connectors/${id}`)])
      t.equal((await send({ url, headers: signedIn(ada) })).statusCode, 200)
    await call(ada, 'manage__accounts_list', {})
    for (const { id, tools } of connectors)
      for (const { operation } of tools) await call(ada, 'manage__explain_tool', { name: `${id}__${operation}` })
    const { alias = '' } = accounts.get('hub') ?? {}
    t.match(await call(ada, 'manage__accounts_rename', { alias, connector: 'hub', new_alias: 'work' }), 'named work')
    safe(t)
  })

  await t.test('while a file is fetched by its signed URL', async t => {
    provider.setTool(toolsOf('hub').find(({ operation }) => operation === 'download')!)
    const { result } = JSON.parse(await call(ada, 'hub__download', { account: 'work' }))
    const { url } = result.structuredContent
    const signature = markers.add('signature of a URL', new URL(url).searchParams.get('signature') ?? '')
    t.equal((await send({ url })).statusCode, 200)
    const forged = url.replace(signature, markers.text('another signature'))
    t.equal((await send({ url: forged })).statusCode, 404)
    t.same(markers.foundIn(lines.join('')), [], 'the log contains no secret')
    // The caller may see the URL, and the file is what the provider sent.
    answered.length = seen
  })

  /** Runs a command as the control socket does. */
  const run = (...args: string[]) => attempt(runCommand(services, args) as Promise<Record<string, unknown>>)
  const owner = ['--org', ada.orgId, '--user', ada.userId]

  await t.test('while upstreams are registered, authorized, listed and called', async t => {
    await useLeakingUpstreams(t, { markers, clock, database }, service, ada)
    safe(t)
  })

  await t.test('in the output of the operator’s commands', async t => {
    const secrets = () => ({
      hub: [`--access-token=${markers.text('provided token')}`, `--refresh-token=${markers.text('provided token')}`],
      board: [`--token=${markers.text('provided token')}`, `--token-secret=${markers.text('provided secret')}`],
      sender: [`--api-key=${markers.text('provided key')}`],
    })
    const ids = ['hub', 'board', 'sender'] as const
    for (const id of ids) {
      const add = () => run('account', 'add', ...owner, '--connector', id, ...secrets()[id])
      t.ok(await add(), `account add ${id}`)
      for (const behavior of sample(MISBEHAVIORS)) await under(behavior, add)
      for (const other of ids)
        await run('account', 'add', ...owner, '--connector', other, ...secrets()[id], ...secrets()[other], '--no-probe')
      await run('account', 'add', ...owner, '--connector', id, markers.text('misplaced'), ...secrets()[id])
      await run('account', 'add', ...owner, ...secrets()[id], '--setting', markers.text('misplaced'))
    }
    for (const id of ['hub', 'sender', 'nothing']) {
      const client = [`--client-id`, 'own app', `--client-secret=${markers.text('secret of an organization’s app')}/+`]
      await run('oauth-client', 'set', '--org', ada.orgId, '--connector', id, ...client)
    }
    t.match(await run('oauth-client', 'list', '--org', ada.orgId), { oauth_clients: [{ client_id: 'own app' }] })
    t.match(await run('account', 'list', '--org', ada.orgId), { accounts: [{}] })
    await send({ url: '/connectors/hub', headers: signedIn(ada) })

    const begin = ['account', 'connect-begin', ...owner, '--connector', 'hub', '--redirect-uri', REDIRECT_URI]
    const begun = (await runCommand(services, begin)) as { state: string }
    markers.add('state', begun.state)
    t.same(markers.foundIn(JSON.stringify(begun), /^state$/), [], 'account connect')
    const callback = `${REDIRECT_URI}?state=${begun.state}&code=${markers.text('code')}`
    const finish = () => run('account', 'connect-finish', ...owner, '--callback', callback)
    t.match(await finish(), { connector: 'hub', status: 'connected' })
    t.equal(await finish(), undefined, 'once')
    safe(t)
  })

  await t.test('while vault keys are rotated, and while one is missing', async t => {
    const missing = await serve({ vaultKeys: [rings.both[0]] }, { connectors })
    await missing.call(ada, 'sender__read', { account: accounts.get('sender')?.alias })
    await missing.attempt(
      missing.services.connecting.begin({ caller, connector: 'hub', redirectUri: REDIRECT_URI, scope: 'private' }),
    )
    await missing.send({ url: '/health?ready' })
    const command = (...args: string[]) => missing.attempt(runCommand(missing.services, args))
    t.match(await command('vault', 'rotate'), { rotated: 0 })
    const next = await serve({ vaultKeys: rings.both }, { connectors })
    t.match(await next.attempt(runCommand(next.services, ['vault', 'rotate'])), { left: 0 })
    t.match(await command('vault', 'keys'), { keys: [{ id: 'v2', configured: true }] })
    provider.setTool(toolsOf('sender')[0]!)
    t.notMatch(await missing.call(ada, 'sender__read', { account: accounts.get('sender')?.alias }), '"isError":true')
    safe(t)
  })

  await t.test('while accounts are removed and their grants revoked', async t => {
    const { services: rotated } = await serve({ vaultKeys: rings.both }, { connectors })
    const failures: string[] = []
    // Not every sample fails a revocation.
    for (const behavior of [{ status: 500 }, ...sample(MISBEHAVIORS)])
      for (const id of ['hub', 'lounge', 'board']) {
        const account = await signIn(id, undefined, rotated)
        await attempt(rotated.accounts.remove(caller, account?.id ?? ''))
        await under(behavior, async () => {
          for (let tries = 0; tries < 3; tries++) {
            await rotated.jobs.runDue()
            const jobs = await database.db.selectFrom('jobs').select(['payload', 'last_error']).execute()
            failures.push(JSON.stringify(jobs))
            clock.advance(60_000)
          }
        })
      }
    t.ok(/"last_error":"[^"]/.test(failures.join()), 'failures were stored')
    t.same(markers.foundIn(failures.join()), [], 'the stored failures contain no secret')
    t.ok(provider.requests.includes('POST /revoke'))
    safe(t)
  })

  await t.test('in any table', async t => {
    await services.usage.flush()
    const { services: rotated, call } = await serve({ vaultKeys: rings.both }, { connectors })
    for (const id of ['lounge', 'board']) await signIn(id, undefined, rotated)
    const hub = await signIn('hub', undefined, rotated)
    // The file of the earlier test has expired by the clock of the tests between them.
    provider.setTool(toolsOf('hub').find(({ operation }) => operation === 'download')!)
    await call(ada, 'hub__download', { account: hub?.alias })
    await call(ada, 'sender__write', { account: accounts.get('sender')?.alias }, randomUUID())
    await rotated.connecting.begin({ caller, connector: 'board', redirectUri: REDIRECT_URI, scope: 'private' })
    const dump = await dumpTables(database.db)
    for (const table of [
      'accounts',
      'account_credentials',
      'oauth_clients',
      'connect_attempts',
      'artifacts',
      'idempotency',
    ])
      t.ok(new RegExp(`^${table} `, 'm').test(dump), `${table} has rows`)
    t.same(markers.foundIn(dump), [])
  })

  t.same(markers.foundIn(answered.join('\n')), [], 'no answer contains a secret')
})
