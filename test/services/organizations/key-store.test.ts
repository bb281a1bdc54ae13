import { createSecretKey, randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { createAudit } from '../../../lib/audit/audit.ts'
import type { KeyRing } from '../../../lib/configuration/key-ring.ts'
import { acrossOrgs } from '../../../lib/database/tenant.ts'
import { warnOfMissingPeppers } from '../../../services/organizations/key-queries.ts'
import { createKeyStore } from '../../../services/organizations/key-store.ts'
import { testDatabase } from '../../fixtures/database.ts'
import { directory, directoryServices, testIds } from '../../fixtures/directory.ts'
import { testClock } from '../../fixtures/fixture.ts'

async function fixture(t: Test) {
  const { db } = await testDatabase(t)
  const clock = testClock()
  const ids = testIds(clock)
  const services = directoryServices(db, clock)
  return {
    ...services,
    clock,
    hand: acrossOrgs(db),
    directory: directory(services),
    /** A store with peppers of these names; the first makes. */
    storeWith: (...names: [string, ...string[]]) =>
      createKeyStore({
        db,
        clock,
        ids,
        audit: createAudit({ clock, ids }),
        environment: 'staging',
        peppers: ring(...names),
        policies: services.policies,
      }),
  }
}

function ring(first: string, ...others: string[]): KeyRing {
  const named = (id: string) => ({ id, key: createSecretKey(randomBytes(32)) })
  return [named(first), ...others.map(named)]
}

t.test('lists show what distinguishes keys, never their secret or its hash', async t => {
  const { keys, directory, clock, hand } = await fixture(t)
  const [ada] = await directory.members('owner')
  const [eve] = await directory.members('owner')
  const agent = await ada.agent()
  const expiresAt = new Date(clock.now() + 60_000)
  const made = await keys.create({ ...ada, agentId: agent.id, name: 'Build', expiresAt, by: ada })
  await eve.key()
  const { key } = made
  t.strictSame(await keys.list(ada.orgId), [
    {
      id: made.id,
      prefix: key.slice(0, 12),
      last4: key.slice(-4),
      name: 'Build',
      userId: ada.userId,
      agentId: agent.id,
      createdAt: new Date(clock.now()),
      expiresAt,
      revokedAt: null,
      previousLast4: null,
      previousExpiresAt: null,
      monthlyCapMicros: null,
      spentThisMonthMicros: 0,
      lastUsedAt: null,
      policy: null,
    },
  ])
  const stored = await hand.selectFrom('audit').where('target', '=', made.id).selectAll().execute()
  t.match(stored, [{ action: 'key.create', user_id: ada.userId, detail: { agentId: agent.id, userId: ada.userId } }])
  t.notMatch(JSON.stringify(stored), key)
  await t.rejects(keys.list('org_1'), { message: 'There is no organization org_1.' })
})

t.test('a key was last used when its last call ended', async t => {
  const { directory, keys, hand } = await fixture(t)
  const [ada] = await directory.members('member')
  const { orgId, userId } = ada
  const [{ id: used }, { id: other }] = [await ada.key(), await ada.key()]
  const call = {
    user_id: userId,
    agent_id: null,
    tool: 'a__b',
    account_id: null,
    outcome: 'ok',
    duration_ms: 1,
    cost_micros: 0,
  }
  for (const [id, key_id, at] of [
    ['use_1', used, '2026-11-01T00:00:00Z'],
    ['use_2', used, '2026-11-02T00:00:00Z'],
    ['use_3', null, '2026-11-03T00:00:00Z'],
  ] as const)
    await hand
      .insertInto('usage')
      .values({ org_id: orgId, id, key_id, at: new Date(at), ...call })
      .execute()
  const lastUsed = new Map((await keys.list(orgId)).map(key => [key.id, key.lastUsedAt?.toISOString() ?? null]))
  t.same([lastUsed.get(used), lastUsed.get(other)], ['2026-11-02T00:00:00.000Z', null])
})

t.test('a key cannot be created with an expiry in the past', async t => {
  const { keys, directory, clock } = await fixture(t)
  const [ada] = await directory.members('owner')
  for (const late of [0, -1]) {
    await t.rejects(ada.key({ expiresAt: new Date(clock.now() + late) }), {
      code: 'invalid_request',
      message: 'The expiry of a key must be in the future. Use a later time, or none.',
    })
  }
  t.same(await keys.list(ada.orgId), [])
  t.ok(await ada.key({ expiresAt: new Date(clock.now() + 1) }))
})

t.test('a key is revoked once, and a second revocation returns false', async t => {
  const { keys, directory, clock, hand } = await fixture(t)
  const [ada] = await directory.members('owner')
  const { id } = await ada.key()
  const at = new Date(clock.now())
  t.equal(await keys.revoke(id, { by: ada }), true)
  clock.advance(1_000)
  t.equal(await keys.revoke(id, { by: 'operator' }), false)
  t.match(await keys.list(ada.orgId), [{ revokedAt: at }])
  const rows = await hand.selectFrom('audit').where('action', '=', 'key.revoke').selectAll().execute()
  t.equal(rows.length, 1)
  t.match(rows, [{ target: id, user_id: ada.userId, detail: {} }])
})

t.test('a key has its latest cap and shows what it has spent this month', async t => {
  const { keys, wallets, ledger, directory, clock, hand } = await fixture(t)
  const [ada] = await directory.members('owner')
  const { orgId, userId } = ada
  const { id } = await ada.key()
  clock.advance(1)
  await keys.create({ orgId, userId, monthlyCapMicros: 0, by: ada })
  const caps = async () => (await keys.list(orgId)).map(({ monthlyCapMicros }) => monthlyCapMicros)
  t.same(await caps(), [null, 0])
  await keys.update(id, { monthlyCapMicros: 10 }, { by: ada })
  await keys.update(id, { monthlyCapMicros: 10 }, { by: ada })
  t.same(await caps(), [10, 0])

  await wallets.credit({ orgId, amountMicros: 100, by: 'operator' })
  const hold = { orgId, id: 'hld_1', userId, keyId: id, tool: 'test__fixed', amountMicros: 9 }
  await ledger.hold(hold)
  await hand
    .insertInto('key_months')
    .values({ org_id: orgId, key_id: id, month: '2020-01-01', spent_micros: 5 })
    .execute()
  t.match(
    await keys.list(orgId),
    [{ spentThisMonthMicros: 0 }, {}],
    'not what is held, nor what another month has cost',
  )
  await ledger.capture(hand, hold, 12)
  t.match(await keys.list(orgId), [{ monthlyCapMicros: 10, spentThisMonthMicros: 12 }, { spentThisMonthMicros: 0 }])
  const next = { ...hold, id: 'hld_2' }
  await t.rejects(ledger.hold(next), { code: 'key_spend_limit_exceeded' })
  await keys.update(id, { monthlyCapMicros: null }, { by: 'operator' })
  await ledger.hold(next)

  const rows = await hand.selectFrom('audit').where('action', 'like', 'key.c%').orderBy('id').selectAll().execute()
  t.same(
    new Set(
      rows.map(({ action, user_id, detail }) => JSON.stringify([action, user_id, Object(detail).monthlyCapMicros])),
    ),
    new Set([
      `["key.create",null,null]`,
      `["key.create","${userId}",0]`,
      `["key.cap","${userId}",10]`,
      `["key.cap",null,null]`,
    ]),
  )
  t.equal(rows.length, 4, 'what changes nothing leaves no row')
})

t.test('an invalid cap is rejected by its name, and nothing changes', async t => {
  const { keys, directory } = await fixture(t)
  const [ada] = await directory.members('owner')
  const { id } = await ada.key()
  await keys.update(id, { monthlyCapMicros: 7 }, { by: ada })
  for (const cap of [-1, 0.5, -0, 2 ** 53 + 2, Number.NaN, '5']) {
    const refused = { code: 'invalid_request', message: /^monthly_cap_micros must be an integer/ }
    await t.rejects(keys.update(id, { monthlyCapMicros: cap as number }, { by: ada }), refused)
    await t.rejects(keys.create({ ...ada, monthlyCapMicros: cap as number, by: ada }), refused)
  }
  t.match(await keys.list(ada.orgId), [{ monthlyCapMicros: 7 }])
  t.equal((await keys.list(ada.orgId)).length, 1)
})

t.test('a key does not exist for users of other organizations', async t => {
  const { keys, directory } = await fixture(t)
  const [ada] = await directory.members('owner')
  const [eve] = await directory.members('owner')
  const own = await ada.key()
  for (const id of [own.id, 'key_1']) {
    const unknown = { code: 'not_found', message: `There is no key ${id}.` }
    await t.rejects(keys.revoke(id, { by: eve }), unknown)
    await t.rejects(keys.update(id, { monthlyCapMicros: 1 }, { by: eve }), unknown)
  }
  t.match(await keys.list(ada.orgId), [{ revokedAt: null, monthlyCapMicros: null }])
})

t.test('active keys of the environment are counted per pepper, and missing peppers log one warning', async t => {
  const { directory, keys, storeWith, clock } = await fixture(t)
  const [ada] = await directory.members('owner')
  const [eve] = await directory.members('owner')
  const [old, rotated] = [storeWith('old'), storeWith('new', 'old')]
  const warnings: unknown[] = []
  const log = { info: t.fail, error: t.fail, warn: (...args: unknown[]) => warnings.push(args) } as never

  t.same(await rotated.pepperUse(), [
    { id: 'new', keys: 0, configured: true },
    { id: 'old', keys: 0, configured: true },
  ])
  for (const { orgId, userId } of [ada, eve]) await old.create({ orgId, userId, by: 'operator' })
  // A key of development, as a move copies it: this environment accepts none.
  await keys.create({ ...ada, by: 'operator' })
  const revoked = await old.create({ ...ada, by: 'operator' })
  await old.revoke(revoked.id, { by: 'operator' })
  await rotated.create({ ...ada, by: 'operator', expiresAt: new Date(clock.now() + 1_000) })
  t.same(await rotated.pepperUse(), [
    { id: 'new', keys: 1, configured: true },
    { id: 'old', keys: 2, configured: true },
  ])
  warnOfMissingPeppers(await rotated.pepperUse(), log)
  t.same(warnings, [], 'nothing is said while all are there')

  clock.advance(1_000)
  const hasty = storeWith('newer')
  t.same(
    await hasty.pepperUse(),
    [
      { id: 'newer', keys: 0, configured: true },
      { id: 'old', keys: 2, configured: false },
    ],
    'and the expired key does not count',
  )
  await storeWith('test').create({ ...ada, by: 'operator' })
  warnOfMissingPeppers(await hasty.pepperUse(), log)
  t.same(warnings, [
    [
      {
        missing: [
          { id: 'old', keys: 2 },
          { id: 'test', keys: 1 },
        ],
      },
      'API_KEY_PEPPERS does not name the peppers of some API keys, which are rejected as unknown',
    ],
  ])
})
