import type { Kysely } from 'kysely'
import t from 'tap'
import type { Database } from '../../../lib/database/tables.ts'
import { createJobs } from '../../../lib/jobs/jobs.ts'
import type { RemovedAccount } from '../../../services/accounts/account-writes.ts'
import { createRevocation } from '../../../services/connectors/connect/revocation.ts'
import type { Credential } from '../../../services/credentials/credential.ts'
import type { Sent } from '../../../services/credentials/grants.ts'
import { silent, testDatabase } from '../../fixtures/database.ts'
import { testIds } from '../../fixtures/directory.ts'
import { waitedMs } from '../../fixtures/elapsed.ts'
import { callApi, grantFixture, outcomeOf } from '../../fixtures/grant-fixture.ts'
import { memoryLog } from '../../fixtures/memory-log.ts'
import { rotatingConnector } from '../../fixtures/token-server.ts'

const HOUR = 3_600_000

// Created once: the database would take most of the time of each test.
const database = await testDatabase(t)

/** A database that rejects updates with this error while `broken`. */
function breakable(db: Kysely<Database>, error: Error) {
  const state = { broken: false, refused: 0 }
  const breaking = db.withPlugin({
    transformQuery({ node }) {
      if (!state.broken || node.kind !== 'UpdateQueryNode') return node
      state.refused += 1
      throw error
    },
    transformResult: async ({ result }) => result,
  })
  return Object.assign(state, { db: breaking })
}

t.test('an invalid lifetime loses no grant: the token is stored without an expiry', async t => {
  const { grants, process, connector, server, account, clock, row } = await grantFixture(t, { database })
  const one = await account()
  const lives = [1_795_259_426_311, 2 ** 63, '9223372036854775807', 1e12, 1e308, -1, 'soon', [60], null]
  for (const [i, life] of lives.entries()) {
    clock.advance(2 * HOUR)
    server.dress = answer => ({ ...answer, expires_in: life })
    server.endAccess()
    t.match(await outcomeOf(i % 2 ? grants : process().grants, one, connector, server), /^at_/, `expires_in ${life}`)
    t.match(await row(one.id), { expires_at: null, refresh_owner: null, refresh_failures: 0 })
  }
  t.equal(server.refreshed, lives.length)
  server.dress = answer => ({ ...answer, expires_in: '60' })
  server.endAccess()
  await grants.send(one, connector, callApi(server))
  t.same((await row(one.id)).expires_at, new Date(clock.now() + 60_000))
})

t.test('an expiry that no database can store is stored as none', async t => {
  const { account, clock, row, server } = await grantFixture(t, { database })
  for (const [i, end] of [9e18, 8.64e15, 1e15, -1, Number.NaN, Number.POSITIVE_INFINITY].entries()) {
    const credential: Credential = {
      v: 1,
      kind: 'oauth2',
      ...server.grant(),
      expiresAt: clock.now() * (end < 0 ? -1 : 1) + end,
    }
    const { id } = await account({ credential, alias: `number ${i}` })
    t.equal((await row(id)).expires_at, null, `${end}`)
  }
})

t.test(
  'a call on an account that is removed during its refresh ends at once, and its new grant is revoked',
  async t => {
    const fixture = await grantFixture(t, { database })
    const { db, clock, vault, egress, clients, server, account, process, allOrgs } = fixture
    const connector = rotatingConnector(server.origin, {
      revocation: { url: `${server.origin}/revoke`, method: 'POST', as: 'token', form: { token: '{refresh_token}' } },
    })
    const jobs = createJobs({ db, clock, ids: testIds(clock), log: silent, scrub: text => text, owner: 'test' })
    const connectorOf = () => connector
    const { enqueue } = createRevocation({ jobs, vault, egress, clients, connectorOf, clock, log: silent })
    const { log, lines } = memoryLog()
    const { grants, accounts } = process({ enqueueRevocation: enqueue }, log)
    const one = await account()
    clock.advance(HOUR)
    server.rotated = async () => void (await accounts.remove('operator', one.id))
    const waited = await waitedMs(async () =>
      t.equal(await outcomeOf(grants, one, connector, server), 'account_not_found'),
    )
    t.ok(waited < 5_000)
    t.notMatch(lines.join(''), /could not be stored/)
    t.notMatch(JSON.stringify(await allOrgs.selectFrom('jobs').selectAll().execute()), /rt_|at_/)
    await jobs.runDue()
    const [given] = server.revocations
    t.ok(server.isNewest(new URLSearchParams(given?.body).get('token') ?? ''), 'the latest token')
    t.equal(server.revocations.length, 1)
    await grants.close()
  },
)

t.test('the revocation of a grant survives an outage between the removal and its job', async t => {
  const { connector, server, account, clock, process } = await grantFixture(t, { database })
  const removed: RemovedAccount[] = []
  let refusals = 2
  const { grants, accounts } = process({
    async enqueueRevocation(_org, account) {
      if (refusals-- > 0) throw new Error('Connection terminated')
      removed.push(account)
    },
  })
  const one = await account({ settings: { site: 'acme' } })
  clock.advance(HOUR)
  server.rotated = async () => void (await accounts.remove('operator', one.id))
  t.equal(await outcomeOf(grants, one, connector, server), 'account_not_found')
  t.match(removed, [{ accountId: one.id, connector: 'rotor', settings: { site: 'acme' }, clientId: 'app.1' }])
  t.equal(removed.length, 1)
})

t.test('if a reachable database refuses, the call ends, and the token is held, logged and stored later', async t => {
  const { process, connector, server, account, clock, db, row } = await grantFixture(t, { database })
  const one = await account()
  const breaking = breakable(db, Object.assign(new Error('permission denied'), { code: '42501' }))
  const { log, lines } = memoryLog()
  const { grants } = process({ db: breaking.db }, log)
  clock.advance(HOUR)
  server.rotated = async () => {
    breaking.broken = true
  }
  const error = await grants.send(one, connector, callApi(server)).catch(error => error)
  t.match(error, { code: 'internal_error', message: /new token of account "work".*held in memory.*operator/ })
  t.equal(await outcomeOf(grants, one, connector, server), 'internal_error', 'a used refresh token is not used again')
  t.equal(server.asked, 1)
  t.match(lines.join(''), /held in memory.*permission denied|permission denied.*held in memory/)
  t.notMatch(lines.join(''), /rt_|at_/)
  t.equal((await row(one.id)).version, 1)
  breaking.broken = false
  await grants.close()
  t.match(await row(one.id), { version: 2, refresh_owner: null })
  t.match(await outcomeOf(grants, one, connector, server), /^at_/)
  t.equal(server.asked, 1)
})

t.test('closing reports the tokens that a refusing database loses', async t => {
  const { process, connector, server, account, clock, db } = await grantFixture(t, { database })
  const one = await account()
  const breaking = breakable(db, Object.assign(new Error('permission denied'), { code: '42501' }))
  const { log, lines } = memoryLog()
  const { grants } = process({ db: breaking.db }, log)
  clock.advance(HOUR)
  server.rotated = async () => {
    breaking.broken = true
  }
  t.equal(await outcomeOf(grants, one, connector, server), 'internal_error')
  const refused = breaking.refused
  t.ok((await waitedMs(() => grants.close())) < 5_000)
  t.ok(breaking.refused > refused, 'after a last try')
  t.match(lines.at(-1), /could not be stored and is lost/)
})

t.test('a transient refusal of the database is retried', async t => {
  const { process, connector, server, account, clock, db, row } = await grantFixture(t, { database })
  const one = await account()
  const breaking = breakable(db, Object.assign(new Error('deadlock detected'), { code: '40P01' }))
  const { grants } = process({ db: breaking.db })
  clock.advance(HOUR)
  server.rotated = async () => {
    breaking.broken = true
    setTimeout(() => {
      breaking.broken = false
    }, 100)
  }
  t.match(await outcomeOf(grants, one, connector, server), /^at_/)
  t.equal((await row(one.id)).version, 2)
})

t.test('a late new token makes an account usable again that needed reauthorization without it', async t => {
  const { process, connector, server, account, clock, allOrgs, statusOf, row } = await grantFixture(t, { database })
  const one = await account()
  const [slow, other] = [process().grants, process().grants]
  clock.advance(HOUR)
  const rotated = Promise.withResolvers<void>()
  const given = Promise.withResolvers<void>()
  server.rotated = () => {
    rotated.resolve()
    return given.promise
  }
  const late = outcomeOf(slow, one, connector, server)
  await rotated.promise
  // Like an expired lease, without the grace period for its next holder.
  await allOrgs
    .updateTable('account_credentials')
    .where('account_id', '=', one.id)
    .set({ refresh_owner: null, refresh_until: null })
    .execute()
  t.equal(await outcomeOf(other, one, connector, server), 'needs_reauth')
  t.equal(await statusOf(one.id), 'needs_reauth')
  t.match(await row(one.id), { version: 1, refused_at: Date })
  given.resolve()
  const token = await late
  t.match(token, /^at_/)
  t.equal(await statusOf(one.id), 'connected')
  t.match(await row(one.id), { version: 2, refused_at: null })
  t.equal(await outcomeOf(other, one, connector, server), token)
  const audit = await allOrgs
    .selectFrom('audit')
    .where('target', '=', one.id)
    .where('action', '=', 'account.status')
    .select('detail')
    .execute()
  // All have the same time of the test's clock, so their order is undefined.
  t.same(
    new Set(audit.map(({ detail }) => (detail as { status: string }).status)),
    new Set(['needs_reauth', 'connected']),
  )
})

t.test('storing a token keeps a status that the operator has set', async t => {
  const { grants, accounts, connector, server, account, clock, statusOf, row } = await grantFixture(t, { database })
  const one = await account()
  clock.advance(HOUR)
  server.rotated = () => accounts.setStatus(one.id, 'needs_reauth', 'operator')
  await outcomeOf(grants, one, connector, server)
  t.equal((await row(one.id)).version, 2)
  t.equal(await statusOf(one.id), 'needs_reauth')
})

t.test('a rejected token of the user does not affect the connector’s own token', async t => {
  const { grants, connector, server, account, statusOf, row } = await grantFixture(t, { database })
  const own = server.grant()
  const one = await account({ credential: { v: 1, kind: 'oauth2', ...own, user: { accessToken: 'xoxp-dead' } } })
  const asUser = async (): Promise<Sent<string>> => ({ answer: '', unauthorized: true, tokenOwner: 'user' })
  for (let i = 0; i < 2; i++) {
    const error = await grants.send(one, connector, asUser).catch(error => error)
    t.match(error, {
      code: 'scope_missing',
      details: { account: one.id },
      message: new RegExp(`as the user who connected account "work".*account connect --account ${one.id}$`),
    })
    t.equal(await outcomeOf(grants, one, connector, server), own.accessToken)
  }
  t.equal(await statusOf(one.id), 'connected')
  t.equal((await row(one.id)).version, 1)
  t.equal(server.asked, 0)
})

t.test('a rejected token of the user is renewed if possible, and sent again', async t => {
  const { grants, connector, server, account, statusOf } = await grantFixture(t, { database })
  const own = server.grant()
  const one = await account({ credential: { v: 1, kind: 'oauth2', ...own, user: server.grant() } })
  const sent: unknown[] = []
  const asUser = async (credential: Credential): Promise<Sent<string>> => {
    const token = credential.kind === 'oauth2' ? credential.user?.accessToken : undefined
    sent.push(token)
    return { answer: token ?? 'none', unauthorized: sent.length === 1, tokenOwner: 'user' }
  }
  t.match(await grants.send(one, connector, asUser), /^at_/)
  t.equal(new Set(sent).size, 2)
  const refused = async () => ({ answer: '', unauthorized: true, tokenOwner: 'user' }) as const
  await t.rejects(grants.send(one, connector, refused), { code: 'scope_missing' })
  t.match(await outcomeOf(grants, one, connector, server), /^at_/)
  t.equal(await statusOf(one.id), 'connected')
})

t.test('an ended grant of the user is dropped, and the connector’s own is renewed', async t => {
  const { grants, connector, server, account, clock, statusOf, row } = await grantFixture(t, { database })
  const expiresAt = clock.now() + HOUR
  const user = { accessToken: 'xoxp', refreshToken: 'ended', expiresAt }
  const one = await account({ credential: { v: 1, kind: 'oauth2', ...server.grant(), expiresAt, user } })
  clock.advance(HOUR)
  const seen: Credential[] = []
  await grants.send(one, connector, async credential => {
    seen.push(credential)
    return { answer: undefined, unauthorized: false }
  })
  t.match(seen, [{ kind: 'oauth2', accessToken: /^at_/, user: undefined }])
  t.match(await row(one.id), { version: 3, refresh_owner: null, expires_at: new Date(clock.now() + HOUR) })
  t.equal(await statusOf(one.id), 'connected')
  const asked = server.asked
  t.match(await outcomeOf(grants, one, connector, server), /^at_/)
  t.equal(server.asked, asked)
})

t.test('an error that contains a sent secret is neither shown nor logged', async t => {
  const { process, connector, server, account, clock } = await grantFixture(t, { database })
  const { accessToken } = server.grant()
  const refreshToken = 'refresh_token_of_somebody'
  const one = await account({ credential: { v: 1, kind: 'oauth2', accessToken, refreshToken, expiresAt: clock.now() } })
  const { log, lines } = memoryLog()
  const { grants } = process({}, log)
  const codes = [refreshToken, `no_${refreshToken}`, refreshToken.slice(0, 15), 'No_Code', 'x'.repeat(41), '1_numbered']
  for (const code of codes) {
    server.misbehavior = { status: 400, body: JSON.stringify({ error: code }) }
    const error = await grants.send(one, connector, callApi(server)).catch(error => error)
    t.match(error, { code: 'upstream_unavailable', message: /rejected the request \(unnamed\)/ })
    t.notOk(`${error.stack} ${JSON.stringify(error)} ${error.cause?.stack}`.includes(code))
    clock.advance(HOUR)
  }
  for (const code of codes) t.notOk(lines.join('').includes(code))
})

t.test('a missing vault key of an organization’s app gives an error with advice, not the raw failure', async t => {
  const { clients, connector, server, account, clock, member, process, allOrgs, statusOf } = await grantFixture(t, {
    database,
  })
  const { orgId } = member
  const app = {
    orgId,
    connector: connector.id,
    clientId: 'own.app',
    clientSecret: 'own secret',
    by: 'operator',
  } as const
  await clients.set({ ...app, setBy: null })
  const one = await account({ client: { id: 'own.app', source: 'org' } })
  const shared = await account({ alias: 'shared' })
  await allOrgs.updateTable('oauth_clients').set({ sealed: 'v1.lost.AAAA.AAAA' }).where('org_id', '=', orgId).execute()
  const restarted = process()
  clock.advance(HOUR)
  const refusal = {
    code: 'internal_error',
    message: /VAULT_KEYS.*oauth-client set --org \S+ --connector rotor --client-id own.app/,
    cause: { name: 'VaultError', message: /VAULT_KEYS lacks the key lost/ },
  }
  await t.rejects(restarted.clients.of(orgId, connector.id), refusal)
  await t.rejects(restarted.grants.send(one, connector, callApi(server)), refusal)
  t.equal(await statusOf(one.id), 'connected')
  t.match(
    await outcomeOf(restarted.grants, shared, connector, server),
    /^at_/,
    'a grant of another app does not need it',
  )
  t.equal(await restarted.clients.ofGrant(orgId, connector.id, 'gone.app'), undefined)
})
