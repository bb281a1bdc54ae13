import { sql } from 'kysely'
import t from 'tap'
import { TENANT_TABLES } from '../../../lib/database/tables.ts'
import { acrossOrgs, forOrg } from '../../../lib/database/tenant.ts'
import { newsHeard, testDatabase } from '../../fixtures/database.ts'
import { grantFixture, outcomeOf } from '../../fixtures/grant-fixture.ts'

const database = await testDatabase(t)
const HOUR = 3_600_000

/** The events of one account's credential that arrive while `work` runs. */
async function heard(accountId: string, work: () => Promise<unknown>): Promise<number> {
  let events = 0
  const stop = database.events.on('account_credential', ({ id }) => {
    if (id === accountId) events++
  })
  await work()
  await newsHeard(database)
  stop()
  return events
}

t.test('a refreshed token notifies nobody, and other processes find it by its version', async t => {
  const { grants, process, connector, server, account, clock, row } = await grantFixture(t, { database })
  const one = await account()
  const other = process().grants
  const before = await outcomeOf(other, one, connector, server)
  clock.advance(HOUR)
  t.equal(await heard(one.id, () => outcomeOf(grants, one, connector, server)), 0)
  t.equal((await row(one.id)).version, 2)
  const after = await outcomeOf(other, one, connector, server)
  t.match(after, /^at_/)
  t.not(after, before)
  t.equal(server.refreshed, 1, 'the other process did not refresh again')
})

t.test('leases, failures and re-sealing notify nobody', async t => {
  const { account, member } = await grantFixture(t, { database })
  const { id } = await account()
  const org = forOrg(database.db, member.orgId)
  const update = (set: object) => () =>
    org.updateTable('account_credentials').where('account_id', '=', id).set(set).execute()
  const at = new Date()
  for (const set of [
    { refresh_owner: 'a', refresh_until: at },
    { refresh_failures: 1, retry_at: at },
    { sealed: 'x', key_id: 'two' },
    { refused_at: at },
  ])
    t.equal(await heard(id, update(set)), 0, Object.keys(set).join())
})

t.test('a new authorization notifies once, a new account and a removal too', async t => {
  const { grants, account, server, clock, member } = await grantFixture(t, { database })
  const one = await account()
  const org = forOrg(database.db, member.orgId)
  const credential = { v: 1, kind: 'oauth2', ...server.grant(), expiresAt: clock.now() + HOUR } as const
  const authorize = () => grants.store(org, one, { credential, grantedScopes: null, client: null })
  t.equal(await heard(one.id, authorize), 1)
  const remove = () => org.deleteFrom('account_credentials').where('account_id', '=', one.id).execute()
  t.equal(await heard(one.id, remove), 1)
  t.equal(await heard(one.id, authorize), 1, 'inserted')
})

t.test('what members see of an account notifies: status, alias, scope, granted scopes, settings', async t => {
  const { account, member } = await grantFixture(t, { database })
  const { id } = await account()
  const org = forOrg(database.db, member.orgId)
  for (const set of [
    { status: 'needs_reauth' },
    { alias: 'other' },
    { scope: 'shared' },
    { granted_scopes: '["a"]' },
    { settings: '{"region":"eu"}' },
  ] as const) {
    let events = 0
    const stop = database.events.on('surface', ({ orgId }) => void (orgId === member.orgId && events++))
    await org.updateTable('accounts').where('id', '=', id).set(set).execute()
    await newsHeard(database)
    stop()
    t.equal(events, 1, Object.keys(set).join())
  }
})

t.test(
  'every statement of the database’s functions names the organization of the tenant tables that it touches',
  async t => {
    const { rows } = await sql<{ name: string; body: string }>`
    select proname as name, prosrc as body from pg_proc where proname like 'gateway\\_%' order by 1`.execute(
      acrossOrgs(database.db),
    )
    t.ok(rows.length > 20)
    const touches = new RegExp(`\\b(?:from|join|into|update)\\s+(?:only\\s+)?(?:${TENANT_TABLES.join('|')})\\b`, 'i')
    const faults = rows.flatMap(({ name, body }) =>
      body
        .replaceAll(/--[^\n]*/g, '')
        .split(';')
        .filter(statement => touches.test(statement) && !/\borg_id\b/.test(statement))
        .map(statement => `${name}: ${statement.trim().replaceAll(/\s+/g, ' ').slice(0, 80)}`),
    )
    t.same(faults, EVERY_ORGANIZATION)
  },
)

/** Statements that concern all organizations: those of truncations, and a sign-in, which belongs to one user or agent. */
const EVERY_ORGANIZATION = [
  'gateway_forget_memory_totals: begin delete from memory_totals',
  'gateway_forget_result_totals: begin delete from result_totals',
  'gateway_refuse_agents_pair: begin if exists (select from agent_sign_ins where subject = new.subject and issu',
  'gateway_truncated: begin update org_surface set version = version + 1',
]
