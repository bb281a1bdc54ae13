import t, { type Test } from 'tap'
import { forOrg } from '../../lib/database/tenant.ts'
import { readLines } from '../../lib/pages/pages.ts'
import usageRoutes from '../../routes/usage.ts'
import { createAuditLog } from '../../services/audit/audit-log.ts'
import { createCalls } from '../../services/usage/calls.ts'
import { createUsageSummaries } from '../../services/usage/usage-summary.ts'
import { testDatabase } from '../fixtures/database.ts'
import { directoryOn, type TestMember } from '../fixtures/directory.ts'
import { testClock } from '../fixtures/fixture.ts'
import { routeFixture } from '../fixtures/route-fixture.ts'

const database = await testDatabase(t)
const NOW = Date.UTC(2026, 10, 21, 12)
const DAY = 86_400_000

async function fixture(t: Test) {
  const { db } = database
  const clock = testClock(NOW)
  const made = await routeFixture(t, { directory: directoryOn(db, clock), clock }, scope => {
    scope.register(usageRoutes, {
      calls: createCalls({ db, clock }),
      auditLog: createAuditLog({ db }),
      usageSummaries: createUsageSummaries({ db, clock }),
    })
  })
  let ids = 0
  return {
    ...made,
    db,
    /** Adds a call of a member. */
    async called(
      { orgId, userId }: TestMember,
      call: { tool?: string; at?: number; key_id?: string; outcome?: string; message?: string; mended?: boolean } = {},
    ) {
      const { at = NOW, ...more } = call
      const id = `use_${orgId.slice(-20)}${String(ids++).padStart(12, '0')}`
      const row = { tool: 'memory__remember', outcome: 'ok', duration_ms: 5, cost_micros: 7, ...more }
      await forOrg(db, orgId)
        .insertInto('usage', { id, at: new Date(at), user_id: userId, ...row })
        .execute()
      return id
    },
    async changed({ orgId, userId }: TestMember, action: string, target = 'key_1') {
      const id = `aud_${orgId.slice(-20)}${String(ids++).padStart(12, '0')}`
      await forOrg(db, orgId)
        .insertInto('audit', { id, at: new Date(NOW), user_id: userId, action, target, detail: '{"a":1}' })
        .execute()
      return id
    },
  }
}

const error = (status: number, code: string, message: RegExp | StringConstructor = String) => ({
  status,
  body: { error: message, code },
})
const idsOf = ({ body }: { body: Record<string, { id: string }[]> }, name: string) => body[name]?.map(({ id }) => id)

t.test('GET /usage lists the calls of a member, to an admin those of all, newest first', async t => {
  const { ask, ada, bob, eve, called } = await fixture(t)
  const own = await called(bob)
  const later = await called(ada, { at: NOW + 1 })
  await called(eve)
  t.match(await ask('bob', 'GET', '/usage'), {
    status: 200,
    body: {
      next_cursor: null,
      calls: [
        {
          id: own,
          at: '2026-11-21T12:00:00.000Z',
          user_id: bob.userId,
          api_key_id: null,
          agent_id: null,
          client: null,
          tool: 'memory__remember',
          account_id: null,
          outcome: 'ok',
          duration_ms: 5,
          cost_micros: 7,
        },
      ],
    },
  })
  t.same(idsOf(await ask('ada.b.c', 'GET', '/usage'), 'calls'), [later, own])
  t.same(idsOf(await ask('ada', 'GET', `/usage?user_id=${bob.userId}`), 'calls'), [own])
  t.same(idsOf(await ask('bob', 'GET', `/usage?user_id=${bob.userId}`), 'calls'), [own])
  t.match(await ask('bob', 'GET', `/usage?user_id=${ada.userId}`), error(403, 'FORBIDDEN', /Omit user_id/))
  t.same(idsOf(await ask('ada', 'GET', `/usage?user_id=${eve.userId}`), 'calls'), [])
})

t.test('only the member of a failed call reads its message', async t => {
  const { ask, ada, bob, called } = await fixture(t)
  await called(bob, { outcome: 'timeout', message: 'No answer.' })
  await called(ada, { outcome: 'error', message: 'Not now.', at: NOW + 1 })
  t.match((await ask('bob', 'GET', '/usage')).body, { calls: [{ message: 'No answer.' }] })
  t.match((await ask('ada', 'GET', '/usage')).body, { calls: [{ message: 'Not now.' }, { message: null }] })
})

t.test('GET /usage says which calls got mended arguments', async t => {
  const { ask, ada, called } = await fixture(t)
  await called(ada, { mended: true })
  await called(ada, { at: NOW + 1 })
  t.match((await ask('ada', 'GET', '/usage')).body, { calls: [{ mended: false }, { mended: true }] })
})

t.test('filters of GET /usage', async t => {
  const { ask, ada, called } = await fixture(t)
  const one = await called(ada, { tool: 'github__list', key_id: 'key_1', outcome: 'timeout' })
  const two = await called(ada, { tool: 'githubx__list', at: NOW - 40 * DAY })
  const listed = async (query: string) => idsOf(await ask('ada', 'GET', `/usage?${query}`), 'calls')
  t.same(await listed('connector=github'), [one])
  t.same(await listed('tool=github__list'), [one])
  t.same(await listed('api_key_id=key_1'), [one])
  t.same(await listed('outcome=timeout'), [one])
  t.same(await listed('outcome=failed&from=2026-10-12'), [one])
  t.same(await listed('agent_id=agt_1'), [])
  t.same(await listed('account_id=acc_1'), [])
  t.same(await listed(''), [one], 'the last 30 days')
  t.same(await listed('from=2026-10-12&to=2026-10-12'), [two])
  t.same(await listed('from=2026-10-12'), [one, two])
})

t.test('GET /usage?by sums up calls like manage__usage_summary', async t => {
  const { ask, ada, bob, called } = await fixture(t)
  await called(ada)
  await called(bob, { outcome: 'error' })
  t.match(await ask('ada', 'GET', '/usage?by=tool&from=2026-11-21&to=2026-11-21'), {
    status: 200,
    body: { by: 'tool', total: { calls: 2, errors: 1, cost_micros: 14 }, groups: [{ name: 'memory__remember' }] },
  })
  t.match(await ask('bob', 'GET', '/usage?by=tool'), { body: { total: { calls: 1 } } })
  t.match(await ask('bob', 'GET', `/usage?by=day&user_id=${ada.userId}`), error(403, 'FORBIDDEN'))
})

t.test('GET /audit lists the changes that a member made, to an admin all', async t => {
  const { ask, ada, bob, changed } = await fixture(t)
  const first = await changed(bob, 'key.create')
  const second = await changed(ada, 'keyring.open', 'x')
  t.match(await ask('bob', 'GET', '/audit'), {
    status: 200,
    body: {
      changes: [{ id: first, user_id: bob.userId, action: 'key.create', target: 'key_1', detail: { a: 1 } }],
      next_cursor: null,
    },
  })
  const all = idsOf(await ask('ada.b.c', 'GET', '/audit'), 'changes') ?? []
  t.ok([first, second].every(id => all.includes(id)))
  t.ok(all.length > 2, 'also changes by the operator')
  const listed = async (query: string) => idsOf(await ask('ada', 'GET', `/audit?${query}`), 'changes')
  t.same(await listed('action=key'), [first], 'a kind of actions')
  t.same(await listed('action=key.create'), [first])
  t.same(await listed('target=x'), [second])
  t.same(await listed(`user_id=${bob.userId}`), [first])
  t.same(await listed('to=2020-01-01'), [])
  t.match(await ask('bob', 'GET', `/audit?user_id=${ada.userId}`), error(403, 'FORBIDDEN'))
})

t.test('both have pages, and as JSON Lines the same rows', async t => {
  const { ask, ada, called, changed } = await fixture(t)
  for (let i = 0; i < 5; i++) {
    await called(ada)
    await changed(ada, 'key.create')
  }
  for (const [path, name] of [
    ['/usage?', 'calls'],
    ['/audit?action=key.create&', 'changes'],
  ] as const) {
    const rows: unknown[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await ask('ada', 'GET', `${path}limit=2${cursor && `&cursor=${cursor}`}`)
      rows.push(...body[name])
      cursor = body.next_cursor
    }
    const lines = await ask('ada', 'GET', `${path}format=jsonl`)
    t.equal(lines.headers['content-type'], 'application/jsonl; charset=utf-8')
    t.match(lines.headers['content-disposition'], `filename="${name}.jsonl"`)
    t.equal(rows.length, 5)
    t.same(
      `${lines.body}`
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line)),
      rows,
    )
  }
})

t.test('invalid parameters are named, before the first line of an export', async t => {
  const { ask, ada, called } = await fixture(t)
  await called(ada)
  const { body } = await ask('ada', 'GET', '/usage?limit=1')
  t.equal(body.next_cursor, null)
  for (const [url, message] of [
    ['/usage?from=yesterday', /from must be a day/],
    ['/usage?from=2026-02-30', /does not exist/],
    ['/usage?from=2026-01-01&to=2026-11-01', /at most 92 days/],
    ['/usage?by=color', /`by`/],
    ['/usage?by=day&api_key_id=key_1', /`api_key_id` cannot be combined/],
    ['/usage?by=day&format=jsonl', /`format` cannot be combined/],
    ['/usage?cursor=x', /cursor is not/],
    ['/usage?format=csv', /`format`/],
    ['/usage?tools=x', /`tools`.*`tool`/],
    ['/audit?to=2026-13-01', /to is/],
    ['/audit?cursor=x&format=jsonl', /cursor is not/],
    ['/audit?from=x&format=jsonl', /from must be a day/],
  ] as const)
    t.match(await ask('ada', 'GET', url), error(400, 'INVALID_REQUEST', message), url)
  for (const url of ['/usage', '/audit']) {
    t.match(await ask('a.b.c', 'GET', url), { status: 400, body: { error: 'no_active_org', message: String } })
    t.match(await ask('gone.b.c', 'GET', url), error(403, 'MEMBERSHIP_REVOKED'))
  }
})

t.test(
  'an export reads page by page, stops at its maximum with a cursor, and stops when its reader leaves',
  async t => {
    const asked: (string | undefined)[] = []
    const read = async ({ limit, cursor }: { limit: number; cursor: string | undefined }) => {
      asked.push(cursor)
      const from = Number(cursor ?? 0)
      return { rows: Array.from({ length: limit }, (_, i) => from + i), nextCursor: String(from + limit) }
    }
    const lines = readLines(read, n => ({ n }), { cursor: undefined, mostRows: 5, rows: 2 })
    const sent: string[] = []
    for await (const chunk of lines) sent.push(String(chunk))
    t.same(
      sent
        .join('')
        .trim()
        .split('\n')
        .map(line => JSON.parse(line)),
      [{ n: 0 }, { n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }, { next_cursor: '5' }],
    )
    t.same(asked, [undefined, '2', '4'])

    asked.length = 0
    for await (const _ of readLines(read, n => ({ n }), { cursor: undefined, rows: 2 })) break
    t.ok(asked.length <= 3)
  },
)
