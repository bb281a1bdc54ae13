import { type ChildProcess, fork } from 'node:child_process'
import { createSecretKey, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { openDatabase } from '../../lib/database/open-database.ts'
import { acrossOrgs, forOrg } from '../../lib/database/tenant.ts'
import { createVault } from '../../lib/vault/vault.ts'
import type { Account } from '../../services/accounts/account.ts'
import type { Credential } from '../../services/credentials/credential.ts'
import { silent, testDatabaseUrl, testPostgres } from '../fixtures/database.ts'
import { directory, directoryServices } from '../fixtures/directory.ts'
import { egressOf } from '../fixtures/egress-fixture.ts'
import { grantFixture, grantProcess, outcomeOf, platformApp } from '../fixtures/grant-fixture.ts'
import { type TokenServerOptions, tokenServer } from '../fixtures/token-server.ts'
import type { Order, Start } from './refresh-process.ts'

const HOUR = 3_600_000
const CALLS = 50
const MINUTES = 60_000

const onServer =
  testDatabaseUrl === undefined
    ? { skip: 'TEST_DATABASE_URL is not set: the embedded database is for one process' }
    : {}

/** A PostgreSQL database, a provider that rotates its tokens, and the start messages of processes on that database. */
async function fixture(t: Test, options: TokenServerOptions = {}) {
  const url = await testPostgres(t, testDatabaseUrl ?? '')
  const database = await openDatabase({ postgres: { url, maxConnections: 3 }, dataDir: '', log: silent })
  t.teardown(() => database.close())
  const { db } = database
  const clock = { now: Date.now }
  const server = await tokenServer(t, options)
  const secrets = ['old', 'new'].map(id => ({ id, key: randomBytes(32).toString('base64') }))
  const [old, next] = secrets.map(({ id, key }) => ({ id, key: createSecretKey(Buffer.from(key, 'base64')) }))
  if (old === undefined || next === undefined) throw new Error('no keys')
  const { accounts, grants } = grantProcess({ database, clock, egress: egressOf(t), ring: [old] })
  const people = directory(directoryServices(db, clock))
  const [first, ...others] = await people.members('owner', 'member', 'member', 'member', 'member', 'member')

  return {
    url,
    db,
    allOrgs: acrossOrgs(db),
    server,
    old,
    next,
    /** The start message of a process. Its clock is two hours ahead, so that tokens with a lifetime of one hour have expired. */
    start: (own: Partial<Start> = {}): Start => ({
      url,
      origin: server.origin,
      keys: secrets.slice(0, 1),
      aheadMs: 2 * HOUR,
      ...own,
    }),
    secrets,
    members: [first, ...others],
    async account(alias = 'work', member = first): Promise<Account> {
      const credential: Credential = { v: 1, kind: 'oauth2', ...server.grant(), expiresAt: Date.now() + HOUR }
      const identity = { identity: 'ada', identityKey: alias, authKind: 'oauth2', keyVerified: null } as const
      return forOrg(db, member.orgId).transaction(async org => {
        const account = await accounts.insert(org, {
          connector: 'rotor',
          userId: member.userId,
          scope: 'private',
          alias,
          settings: {},
          grantedScopes: null,
          by: 'operator',
          ...identity,
        })
        const client = { id: platformApp.id, source: 'platform' } as const
        await grants.store(org, account, { credential, grantedScopes: null, client })
        return account
      })
    },
  }
}

/** Starts a process that carries out orders. */
async function worker(t: Test, start: Start) {
  const child: ChildProcess = fork(fileURLToPath(new URL('refresh-process.ts', import.meta.url)), {
    env: { PATH: process.env.PATH ?? '' },
    // Without the loaders of the test runner, which would make the child report to it.
    execArgv: [],
  })
  t.teardown(() => void child.kill('SIGKILL'))
  child.send(start)
  await once(child, 'message')
  return {
    send: (order: Order) => child.send(order),
    /** Sends an order and resolves with the answer. */
    async ask<A>(order: Order): Promise<A> {
      const answer = once(child, 'message')
      child.send(order)
      const [value] = await answer
      return value
    },
    async kill() {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

t.test('50 concurrent calls with an expired token cause one refresh and get 50 answers', async t => {
  const { grants, connector, server, account, clock } = await grantFixture(t)
  const one = await account()
  clock.advance(HOUR)
  server.rotated = () => delay(200)
  const answers = await Promise.all(Array.from({ length: CALLS }, () => outcomeOf(grants, one, connector, server)))
  t.equal(answers.filter(answer => answer.startsWith('at_')).length, CALLS)
  t.same([server.refreshed, server.reused, server.asked], [1, 0, 1])
})

t.test('50 concurrent calls on two processes cause one refresh and get 50 answers', onServer, async t => {
  const { account, start, server } = await fixture(t)
  const one = await account()
  server.rotated = () => delay(500)
  const workers = await Promise.all([worker(t, start()), worker(t, start())])
  const answers = await Promise.all(workers.map(({ ask }) => ask<string[]>({ calls: CALLS / 2, account: one })))
  t.equal(answers.flat().filter(answer => answer.startsWith('at_')).length, CALLS)
  t.equal(new Set(answers.flat()).size, 1)
  t.same([server.refreshed, server.reused, server.asked], [1, 0, 1])
})

t.test('a token endpoint that is down for hours loses no account and gets requests with increasing pauses', async t => {
  const { grants, connector, server, account, clock, statusOf, row } = await grantFixture(t)
  const one = await account()
  clock.advance(HOUR)
  server.misbehavior = { status: 503 }
  for (let second = 0; second < 6 * 3_600; second += 10) {
    const answer = await outcomeOf(grants, one, connector, server)
    if (answer !== 'upstream_unavailable') t.fail(`answered ${answer}`)
    clock.advance(10_000)
  }
  t.comment(`${server.asked} requests in six hours with a call every ten seconds`)
  t.ok(server.asked > 6 * 10 && server.asked < 6 * 13 + 12)
  t.equal((await row(one.id)).refresh_failures, server.asked)
  t.equal(await statusOf(one.id), 'connected')
  server.misbehavior = undefined
  clock.advance(300_000)
  t.match(await outcomeOf(grants, one, connector, server), /^at_/)
})

t.test('a token endpoint that hangs delays a call at most by its wait limit and loses no account', async t => {
  const { process, connector, server, account, clock, statusOf, row } = await grantFixture(t)
  const one = await account()
  const { grants } = process({ waitMs: 1_000 })
  clock.advance(HOUR)
  server.misbehavior = 'hang'
  const started = performance.now()
  t.equal(await outcomeOf(grants, one, connector, server), 'upstream_unavailable')
  t.ok(performance.now() - started < 2_000)
  while ((await row(one.id)).refresh_failures === 0) await delay(100)
  t.ok(performance.now() - started < 15_000)
  t.equal(await statusOf(one.id), 'connected')
})

/** Kills a process after the provider rotated and before it stored the new token. Returns what another process then gets. */
async function killedBetween(t: Test, options: TokenServerOptions) {
  const { account, start, server, allOrgs } = await fixture(t, options)
  const one = await account()
  const victim = await worker(t, start())
  let killed = Promise.resolve()
  server.rotated = async () => {
    server.rotated = async () => {}
    killed = victim.kill()
    await killed
  }
  victim.send({ calls: 1, account: one })
  while (server.refreshed === 0) await delay(20)
  await killed
  t.equal(server.refreshed, 1)
  // Shortens the lease of the killed process, which would last half a minute.
  await allOrgs
    .updateTable('account_credentials')
    .set({ refresh_until: sql<Date>`now() + interval '1 second'` })
    .execute()
  const other = await worker(t, start())
  const answers = await other.ask<string[]>({ calls: 5, account: one })
  const status = await allOrgs.selectFrom('accounts').select('status').executeTakeFirstOrThrow()
  return { answers, status: status.status, server }
}

t.test(
  'a kill between the provider’s rotation and the commit: the reuse grace period lets the next process refresh',
  onServer,
  async t => {
    const { answers, status, server } = await killedBetween(t, { grace: true })
    t.ok(answers.every(answer => answer.startsWith('at_')))
    t.equal(status, 'connected')
    t.equal(server.refreshed, 2)
  },
)

t.test(
  'a kill between the provider’s rotation and the commit, without a grace period: needs_reauth',
  onServer,
  async t => {
    const { answers, status, server } = await killedBetween(t, {})
    t.same(new Set(answers), new Set(['needs_reauth']))
    t.equal(status, 'needs_reauth')
    t.equal(server.reused, 1)
  },
)

t.test('a refresh is repeated after a lost answer of the token endpoint', async t => {
  const { grants, connector, server, account, clock, statusOf } = await grantFixture(t, { grace: true })
  const one = await account()
  clock.advance(HOUR)
  server.misbehavior = 'lose the answer'
  t.equal(await outcomeOf(grants, one, connector, server), 'upstream_unavailable')
  t.equal(await statusOf(one.id), 'connected')
  server.misbehavior = undefined
  clock.advance(1_000)
  t.match(await outcomeOf(grants, one, connector, server), /^at_/)
})

t.test('the next rotation of vault keys continues a killed one while tokens are refreshed', onServer, async t => {
  const { account, members, start, server, allOrgs, secrets, next } = await fixture(t)
  const accounts: Account[] = []
  // Each member has the maximum number of accounts.
  for (const member of members) for (let i = 0; i < 50; i++) accounts.push(await account(`number ${i}`, member))
  const moved = async () =>
    (await allOrgs.selectFrom('account_credentials').where('key_id', '=', 'new').select('account_id').execute()).length
  const keys = [...secrets].reverse()
  const victim = await worker(t, start({ keys }))
  victim.send({ rotate: true })
  while ((await moved()) < 20) await delay(1)
  await victim.kill()
  const half = await moved()
  t.comment(`killed after ${half} of ${accounts.length}`)
  t.ok(half < accounts.length)

  const [rotating, refreshing] = await Promise.all([worker(t, start({ keys })), worker(t, start({ keys }))])
  const refreshed = (async () => {
    const answers: string[] = []
    for (const one of accounts.slice(-20)) answers.push(...(await refreshing.ask<string[]>({ calls: 2, account: one })))
    return answers
  })()
  const { left } = await rotating.ask<{ left: number }>({ rotate: true })
  t.ok((await refreshed).every(answer => answer.startsWith('at_')))
  t.equal(left, 0)
  const only = createVault([next])
  const rows = await allOrgs.selectFrom('account_credentials').selectAll().execute()
  for (const { org_id: orgId, account_id: id, sealed } of rows) {
    const credential = JSON.parse(
      only.open({ table: 'account_credentials', column: 'sealed', orgId, id, of: 'rotor' }, sealed),
    )
    if (!server.isNewest(credential.refreshToken)) t.fail(`${id} has lost its token`)
  }
  t.same([rows.length, server.refreshed, server.reused], [300, 20, 0])
})

t.setTimeout(10 * MINUTES)
