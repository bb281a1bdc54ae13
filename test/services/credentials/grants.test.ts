import { sql } from 'kysely'
import t from 'tap'
import { forOrg } from '../../../lib/database/tenant.ts'
import type { Credential } from '../../../services/credentials/credential.ts'
import { newsHeard, testDatabase } from '../../fixtures/database.ts'
import { callApi, grantFixture, outcomeOf, platformApp } from '../../fixtures/grant-fixture.ts'
import { memoryLog } from '../../fixtures/memory-log.ts'
import { rotatingConnector } from '../../fixtures/token-server.ts'
import { until } from '../../fixtures/until.ts'

const HOUR = 3_600_000

// Created once: the database would take most of the time of each test.
const database = await testDatabase(t)

t.test('a call with a valid token needs neither the database nor the token endpoint', async t => {
  const { process, connector, server, account } = await grantFixture(t, { database })
  const one = await account()
  let queries = 0
  const counted = database.db.withPlugin({
    transformQuery({ node }) {
      queries += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const { grants } = process({ db: counted })
  const first = await grants.send(one, connector, callApi(server))
  t.equal(queries, 1)
  for (let i = 0; i < 5; i++) t.equal(await grants.send(one, connector, callApi(server)), first)
  t.equal(queries, 1)
  t.equal(server.asked, 0)
})

t.test('a credential is stored sealed, and its text appears nowhere in the row', async t => {
  const { account, row } = await grantFixture(t, { database })
  const credential: Credential = { v: 1, kind: 'api_key', key: 'a key that is pasted' }
  const { id } = await account({ credential, client: null })
  const stored = await row(id)
  t.notMatch(JSON.stringify(stored), /pasted/)
  t.match(stored, { key_id: 'one', version: 1, expires_at: null, client_id: null, client_source: null })
})

t.test('calls with an expired token share one refresh, also across two processes', async t => {
  const { grants, process, connector, server, account, clock, row } = await grantFixture(t, { database })
  const one = await account()
  const other = process().grants
  clock.advance(HOUR)
  const calls = Array.from({ length: 20 }, (_, i) => outcomeOf(i % 2 ? grants : other, one, connector, server))
  const tokens = new Set(await Promise.all(calls))
  t.equal(server.refreshed, 1)
  t.equal(server.asked, 1)
  t.match([...tokens], [/^at_/])
  t.match(await row(one.id), { version: 2, refresh_owner: null, refresh_until: null, refresh_failures: 0 })
  const [request] = server.requests
  t.equal(request?.authorization, `Basic ${Buffer.from(`${platformApp.id}:${platformApp.secret}`).toString('base64')}`)
})

t.test('a token that expires soon is renewed in the background of the call', async t => {
  const { grants, connector, server, account, clock, row } = await grantFixture(t, { database })
  const one = await account()
  const before = await grants.send(one, connector, callApi(server))
  clock.advance(HOUR - 59_000)
  t.equal(await outcomeOf(grants, one, connector, { origin: server.origin }), before)
  await grants.close()
  t.equal((await row(one.id)).version, 2, 'closing waits for renewals in flight')
  t.equal(server.refreshed, 1)
  t.not(await grants.send(one, connector, callApi(server)), before)
  t.equal(server.asked, 1)
})

t.test('a token with a short lifetime is renewed a tenth of it before the expiry', async t => {
  const { grants, process, connector, server, account, clock } = await grantFixture(t, { database })
  const expiresAt = clock.now() + 100_000
  const one = await account({ credential: { v: 1, kind: 'oauth2', ...server.grant(), expiresAt } })
  clock.advance(89_000)
  const early = process().grants
  await early.send(one, connector, callApi(server))
  await early.close()
  t.equal(server.asked, 0)
  clock.advance(1_000)
  await grants.send(one, connector, callApi(server))
  await grants.close()
  t.equal(server.refreshed, 1)
})

t.test('a token that the provider ends early is renewed after a 401', async t => {
  const { grants, process, connector, server, account, statusOf } = await grantFixture(t, { database })
  const one = await account()
  const other = process().grants
  await Promise.all([grants, other].map(one_ => one_.send(one, connector, callApi(server))))
  server.endAccess()
  const tokens = await Promise.all(
    Array.from({ length: 10 }, (_, i) => outcomeOf(i % 2 ? grants : other, one, connector, server)),
  )
  t.equal(server.refreshed, 1)
  t.equal(new Set(tokens).size, 1)
  t.equal(await statusOf(one.id), 'connected')
})

t.test('invalid_grant records needs_reauth and says what to do; no more requests are sent', async t => {
  const { grants, process, connector, server, account, clock, statusOf, allOrgs } = await grantFixture(t, { database })
  const one = await account()
  server.endGrants()
  clock.advance(HOUR)
  const other = process().grants
  const message = new RegExp(`Rotor .* account "work"\\. .*account connect --account ${one.id}`)
  await t.rejects(grants.send(one, connector, callApi(server)), { code: 'needs_reauth', message })
  t.equal(await statusOf(one.id), 'needs_reauth')
  t.equal(server.asked, 1)
  t.equal(
    await outcomeOf(other, one, connector, server),
    'needs_reauth',
    'a process with a stale cache finds the recorded status',
  )
  t.equal(await outcomeOf(grants, { ...one, status: 'needs_reauth' }, connector, server), 'needs_reauth')
  t.equal(server.asked, 1)
  const audit = await allOrgs
    .selectFrom('audit')
    .where('target', '=', one.id)
    .where('action', '=', 'account.status')
    .selectAll()
    .execute()
  t.match(audit, [{ target: one.id, user_id: null, detail: { status: 'needs_reauth' } }])
})

t.test('a connector’s own code can mean invalid_grant, also under HTTP 200', async t => {
  const { grants, server, account, clock, statusOf } = await grantFixture(t, { database })
  const quirks = { errors: { code: '/error' }, invalidGrant: ['no_longer_good'] }
  const connector = rotatingConnector(server.origin, { quirks })
  const one = await account()
  clock.advance(HOUR)
  server.misbehavior = { status: 200, body: JSON.stringify({ error: 'no_longer_good' }) }
  t.equal(await outcomeOf(grants, one, connector, server), 'needs_reauth')
  t.equal(await statusOf(one.id), 'needs_reauth')
})

t.test('the codes that servers send for invalid_grant end every grant, also under HTTP 200', async t => {
  const { grants, connector, server, account, clock, statusOf } = await grantFixture(t, { database })
  for (const error of ['bad_refresh_token', 'invalid_refresh_token', 'token_revoked', 'refresh_token_expired']) {
    const one = await account({ alias: error })
    clock.advance(HOUR)
    server.misbehavior = { status: 200, body: JSON.stringify({ error, error_description: 'It is too old.' }) }
    t.equal(await outcomeOf(grants, one, connector, server), 'needs_reauth', error)
    t.equal(await statusOf(one.id), 'needs_reauth')
    server.misbehavior = undefined
  }
})

t.test('5xx, 429, a rejected client and invalid answers lose no account: back-off, then the next try', async t => {
  const { grants, connector, server, account, clock, statusOf, row } = await grantFixture(t, { database })
  const one = await account()
  clock.advance(HOUR)
  const troubles = [
    { status: 503, body: JSON.stringify({ error: 'invalid_grant' }) },
    { status: 429, headers: { 'retry-after': '7' } },
    { status: 401, body: JSON.stringify({ error: 'invalid_client' }) },
    { status: 403, body: '<html>' },
    { status: 200, body: 'maintenance' },
    { status: 200, body: '{}' },
  ]
  const waits: (number | undefined)[] = []
  for (const trouble of troubles) {
    server.misbehavior = trouble
    const asked = server.asked
    const refusal = await grants.send(one, connector, callApi(server)).catch(error => error)
    t.match(refusal, { code: 'upstream_unavailable', message: /account "work".*The account stays connected/ })
    waits.push(refusal.retryAfter)
    const again = await grants.send(one, connector, callApi(server)).catch(error => error)
    t.match(again, { code: 'upstream_unavailable', retryAfter: refusal.retryAfter })
    t.equal(server.asked, asked + 1, 'no request is sent during the back-off')
    clock.advance(refusal.retryAfter * 1_000)
  }
  t.same(waits, [1, 7, 4, 8, 16, 32])
  t.equal((await row(one.id)).refresh_failures, troubles.length)
  t.equal(await statusOf(one.id), 'connected')
  server.misbehavior = undefined
  t.match(await outcomeOf(grants, one, connector, server), /^at_/)
  t.match(await row(one.id), { refresh_failures: 0, retry_at: null })
})

t.test('the message names the rejected client and contains no secret', async t => {
  const { grants, connector, server, account, clock } = await grantFixture(t, { database })
  const one = await account()
  clock.advance(HOUR)
  server.refusal = form => ({
    error: 'invalid_client',
    error_description: `AADSTS7000215 ${form.get('refresh_token')}`,
  })
  const error = await grants.send(one, connector, callApi(server)).catch(error => error)
  t.match(
    error.message,
    /rejected the request \(invalid_client: “AADSTS7000215 \[redacted\]”\).*operator to check the OAuth app of Rotor/,
  )
  const whole = `${error.stack} ${JSON.stringify(error)} ${error.cause?.stack} ${JSON.stringify(error.cause)}`
  t.notMatch(whole, /rt_|at_/)
  t.notOk(whole.includes(platformApp.secret))
})

t.test('a valid token stays in use while its renewal fails and is postponed', async t => {
  const { grants, connector, server, account, clock, row } = await grantFixture(t, { database })
  const one = await account()
  server.misbehavior = { status: 500 }
  clock.advance(HOUR - 30_000)
  t.match(await outcomeOf(grants, one, connector, server), /^at_/)
  await grants.close()
  t.equal((await row(one.id)).refresh_failures, 1)
  await newsHeard(database)
  for (let i = 0; i < 5; i++) t.match(await outcomeOf(grants, one, connector, server), /^at_/)
  t.equal(server.asked, 1)
})

t.test('a rejected token that was just refreshed means needs_reauth', async t => {
  const { grants, connector, server, account, statusOf } = await grantFixture(t, { database })
  const one = await account()
  server.refusesAll = true
  t.equal(await outcomeOf(grants, one, connector, server), 'needs_reauth')
  t.equal(server.refreshed, 1)
  t.equal(await statusOf(one.id), 'needs_reauth')
})

t.test('a rejected key, or a rejected token without refresh token, means needs_reauth', async t => {
  const { grants, connector, server, account, statusOf } = await grantFixture(t, { database })
  const { accessToken } = server.grant()
  const credentials: Credential[] = [
    { v: 1, kind: 'api_key', key: 'key' },
    { v: 1, kind: 'oauth1a', token: 'token', tokenSecret: 'secret' },
    { v: 1, kind: 'oauth2', accessToken: 'not known' },
  ]
  for (const [i, credential] of credentials.entries()) {
    const one = await account({ credential, client: null, alias: `number ${i}` })
    t.equal(await outcomeOf(grants, one, connector, server), 'needs_reauth')
    t.equal(await statusOf(one.id), 'needs_reauth')
  }
  const credential: Credential = { v: 1, kind: 'oauth2', accessToken, expiresAt: 1 }
  const late = await account({ credential, alias: 'late' })
  t.equal(
    await outcomeOf(grants, late, connector, server),
    accessToken,
    'only the provider knows whether it has expired',
  )
  t.equal(server.asked, 0)
})

t.test('a reauthorization during a refresh is used and stays connected', async t => {
  const { grants, connector, server, account, member, db, statusOf, clock } = await grantFixture(t, { database })
  const one = await account()
  clock.advance(HOUR)
  let accessToken = ''
  server.before = async () => {
    server.endGrants()
    const again = server.grant()
    accessToken = again.accessToken
    const credential: Credential = { v: 1, kind: 'oauth2', ...again, expiresAt: clock.now() + HOUR }
    const issued = {
      credential,
      grantedScopes: null,
      client: { ...platformApp, source: 'platform' },
    } as const
    await forOrg(db, member.orgId).transaction(org => grants.store(org, one, issued))
  }
  t.equal(await outcomeOf(grants, one, connector, server), accessToken)
  t.equal(server.reused, 1, 'even if the token endpoint answered invalid_grant')
  t.equal(await statusOf(one.id), 'connected')
})

t.test('a credential stored by another process is found after the provider rejects the cached one', async t => {
  const { grants, process, connector, server, account, clock } = await grantFixture(t, { database })
  const one = await account()
  const deaf = process({ events: { on: () => () => {}, onReset: () => () => {} } }).grants
  const old = await deaf.send(one, connector, callApi(server))
  clock.advance(HOUR)
  const fresh = await grants.send(one, connector, callApi(server))
  await newsHeard(database)
  clock.advance(-HOUR)
  t.not(fresh, old)
  t.equal(await deaf.send(one, connector, callApi(server)), fresh)
  t.equal(server.refreshed, 1)
})

t.test(
  'the lease of a dead process is taken over after it expires: a provider with a reuse grace accepts it',
  async t => {
    const { grants, connector, server, account, clock, allOrgs, row } = await grantFixture(t, { database, grace: true })
    const one = await account()
    clock.advance(HOUR)
    const started = performance.now()
    await allOrgs
      .updateTable('account_credentials')
      .where('account_id', '=', one.id)
      .set({ refresh_owner: 'dead', refresh_until: sql<Date>`now() + interval '150 milliseconds'` })
      .execute()
    t.match(await outcomeOf(grants, one, connector, server), /^at_/)
    t.ok(performance.now() - started >= 150, 'and not earlier')
    t.match(await row(one.id), { version: 2, refresh_owner: null })
  },
)

t.test('a slow lease holder can still store its token after another process took over the lease', async t => {
  const { process, connector, server, account, clock, statusOf } = await grantFixture(t, { database })
  const one = await account()
  const slow = process({ leaseMs: 100 }).grants
  const other = process({ leaseMs: 30_000 }).grants
  await Promise.all([slow, other].map(grants => grants.send(one, connector, callApi(server))))
  clock.advance(HOUR)
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  server.before = async () => (server.asked === 1 ? first : second).resolve()
  server.rotated = () => second.promise
  const [mine, theirs] = await Promise.all([
    outcomeOf(slow, one, connector, server),
    first.promise.then(() => outcomeOf(other, one, connector, server)),
  ])
  t.equal(server.refreshed, 1)
  t.equal(server.reused, 1, 'the second process sent the old token')
  t.match(mine, /^at_/)
  t.equal(theirs, mine)
  t.equal(await statusOf(one.id), 'connected')
})

t.test('a token that cannot be stored is held and stored later; nobody uses it before', async t => {
  const { process, connector, server, account, clock, db, row } = await grantFixture(t, { database })
  const one = await account()
  let broken = false
  const breaking = db.withPlugin({
    transformQuery({ node }) {
      if (broken && node.kind === 'UpdateQueryNode') throw new Error('Connection terminated')
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const log = memoryLog()
  const { grants } = process({ db: breaking, waitMs: 400 }, log.log)
  clock.advance(HOUR)
  server.rotated = async () => {
    broken = true
  }
  t.equal(await outcomeOf(grants, one, connector, server), 'upstream_unavailable')
  t.equal((await row(one.id)).version, 1)
  await until(() => /held in memory/.test(log.lines.join('')))
  t.notMatch(log.lines.join(''), /rt_|at_/)
  broken = false
  await grants.close()
  t.equal((await row(one.id)).version, 2)
  t.match(await outcomeOf(grants, one, connector, server), /^at_/)
  t.equal(server.asked, 1)
})

t.test('a grant stays when its OAuth app is gone, with advice; setting the app again allows the renewal', async t => {
  const { grants, clients, connector, server, account, member, clock, statusOf } = await grantFixture(t, { database })
  const { orgId } = member
  const mine = {
    orgId,
    connector: connector.id,
    clientId: 'own.app',
    clientSecret: 'own secret',
    by: 'operator',
    setBy: null,
  } as const
  await clients.set(mine)
  const one = await account({ client: { id: 'own.app', source: 'org' } })
  await clients.set({ ...mine, clientId: 'another.app' })
  t.match(await outcomeOf(grants, one, connector, server), /^at_/, 'a valid token needs no app')
  clock.advance(HOUR)
  const message = /that issued it \(client id own.app\) is no longer configured.*account connect --account/
  await t.rejects(grants.send(one, connector, callApi(server)), { code: 'upstream_unavailable', message })
  await clients.remove({ orgId, connector: connector.id, by: 'operator' })
  await t.rejects(grants.send(one, connector, callApi(server)), { code: 'upstream_unavailable', message })
  t.equal(await statusOf(one.id), 'connected')
  t.equal(server.asked, 0)
  await clients.set(mine)
  t.match(await outcomeOf(grants, one, connector, server), /^at_/)
})

t.test('the authorizing user’s token is renewed separately, with its own refresh token', async t => {
  const { grants, connector, server, account, clock, row, vault, member } = await grantFixture(t, { database })
  const expiresAt = clock.now() + HOUR
  const user = { ...server.grant(), expiresAt }
  const one = await account({ credential: { v: 1, kind: 'oauth2', ...server.grant(), expiresAt, user } })
  clock.advance(HOUR)
  const seen: Credential[] = []
  await grants.send(one, connector, async credential => {
    seen.push(credential)
    return { answer: undefined, unauthorized: false }
  })
  t.equal(server.refreshed, 2)
  const [credential] = seen
  if (credential?.kind !== 'oauth2') throw new Error('not OAuth 2')
  t.ok(server.isNewest(credential.refreshToken))
  t.ok(server.isNewest(credential.user?.refreshToken))
  const stored = await row(one.id)
  t.match(stored, { version: 3, refresh_owner: null, expires_at: new Date(clock.now() + HOUR) })
  const place = { table: 'account_credentials', column: 'sealed', orgId: member.orgId, id: one.id, of: 'rotor' }
  t.same(JSON.parse(vault.open(place, stored.sealed)), credential)
})

t.test(
  'without a new refresh token in the answer the old one stays, and without a lifetime the token has no expiry',
  async t => {
    const { grants, connector, server, account, clock, row } = await grantFixture(t, { database })
    const grant = server.grant()
    const one = await account({ credential: { v: 1, kind: 'oauth2', ...grant, expiresAt: clock.now() + HOUR } })
    clock.advance(HOUR)
    server.dress = ({ access_token }) => ({ access_token, token_type: 'bot' })
    let refreshToken: string | undefined
    await grants.send(one, connector, async credential => {
      refreshToken = credential.kind === 'oauth2' ? credential.refreshToken : undefined
      return { answer: undefined, unauthorized: false }
    })
    t.equal(refreshToken, grant.refreshToken)
    t.equal((await row(one.id)).expires_at, null)
  },
)

t.test(
  'an account removed during a call is reported as removed, and one of another organization as unknown',
  async t => {
    const { grants, accounts, connector, server, account, people } = await grantFixture(t, { database })
    const one = await account()
    const [stranger] = await people.members('owner')
    t.equal(await outcomeOf(grants, { ...one, orgId: stranger.orgId }, connector, server), 'account_not_found')
    await accounts.remove('operator', one.id)
    t.equal(await outcomeOf(grants, one, connector, server), 'account_not_found')
  },
)

t.test('the wait for another process’s renewal is limited', async t => {
  const { process, connector, server, account, clock, allOrgs } = await grantFixture(t, { database })
  const one = await account()
  clock.advance(HOUR)
  await allOrgs
    .updateTable('account_credentials')
    .where('account_id', '=', one.id)
    .set({ refresh_owner: 'alive', refresh_until: sql<Date>`now() + interval '1 minute'` })
    .execute()
  const { grants } = process({ waitMs: 100 })
  const error = await grants.send(one, connector, callApi(server)).catch(error => error)
  t.match(error, { code: 'upstream_unavailable', message: /The renewal of the token .* takes too long/, retryAfter: 5 })
  t.equal(server.asked, 0)
})
