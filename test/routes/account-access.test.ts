import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { GatewayError } from '../../lib/errors/errors.ts'
import {
  requireAdmin,
  requireAdminSession,
  requireBillingAdmin,
  requireOrganization,
  requireSession,
} from '../../routes/define-routes.ts'
import { oncePerKey } from '../../routes/idempotency-key.ts'
import { createIdempotency } from '../../services/idempotency/idempotency.ts'
import { testDatabase } from '../fixtures/database.ts'
import { directoryOn } from '../fixtures/directory.ts'
import { testClock } from '../fixtures/fixture.ts'
import { routeFixture } from '../fixtures/route-fixture.ts'
import { RESULT_LIMITS } from '../fixtures/settings.ts'

const database = await testDatabase(t)

// The shapes are those of the handlers below.
const AnyObject = Type.Object({}, { additionalProperties: true })
const schema = { response: { 200: AnyObject, 201: AnyObject } }

async function fixture(t: Test, keys: Record<string, { capMicros: number; spentMicros: number }> = {}) {
  const clock = testClock()
  const { db } = database
  const { once } = createIdempotency({ db, clock, limits: RESULT_LIMITS })
  const ran: string[] = []
  let fault: GatewayError | undefined
  const standings = {
    of: async ({ keyId }: { keyId: string | null }) => ({
      suspendedAt: null,
      balanceMicros: -1,
      heldMicros: 0,
      thresholdMicros: 0,
      key: keys[keyId ?? ''] === undefined ? null : { heldMicros: 0, ...keys[keyId ?? ''] },
    }),
  }
  const guards = {
    organization: requireOrganization,
    session: requireSession,
    admin: requireAdmin,
    'admin-session': requireAdminSession,
    money: requireBillingAdmin(standings as never),
  }
  const made = await routeFixture(t, { directory: directoryOn(db, clock), clock }, scope => {
    for (const [name, onRequest] of Object.entries(guards))
      scope.get(
        `/${name}`,
        { onRequest, config: { group: name === 'money' ? 'billing' : 'account' }, schema },
        async () => ({}),
      )
    scope.post<{ Body: { name: string } }>(
      '/things',
      { config: { group: 'account' }, schema },
      oncePerKey(once, async request => {
        ran.push(request.body.name)
        if (fault !== undefined) throw fault
        return { status: 201, body: { name: request.body.name, run: ran.length }, shownOnce: { secret: 'shown-once' } }
      }),
    )
  })
  return {
    ...made,
    db,
    ran,
    fail(error: GatewayError | undefined) {
      fault = error
    },
  }
}

t.test('each guard lets in whom it should, with the code of its route group for the others', async t => {
  const { ask, ada } = await fixture(t)
  const rejected = (status: number, code: string) => ({ status, body: { error: String, code } })
  const ok = { status: 200 }
  const noOrg = { status: 400, body: { error: 'no_active_org', message: String } }
  const session = rejected(403, 'SESSION_REQUIRED')
  const forbidden = rejected(403, 'FORBIDDEN')
  const expected = {
    //               owner's key, member's key, owner, member, user without an organization
    organization: [ok, ok, ok, ok, noOrg],
    session: [session, session, ok, ok, noOrg],
    admin: [ok, forbidden, ok, forbidden, noOrg],
    'admin-session': [session, session, ok, forbidden, noOrg],
    money: [session, session, ok, forbidden, rejected(402, 'no_active_org')],
  }
  for (const [name, answers] of Object.entries(expected))
    for (const [index, who] of ['ada', 'bob', 'ada.b.c', 'bob.b.c', 'a.b.c'].entries())
      t.match(await ask(who, 'GET', `/${name}`), answers[index] ?? {}, `${name} for ${who}`)
  t.match(await ask('gone.b.c', 'GET', '/session'), rejected(403, 'MEMBERSHIP_REVOKED'))
  t.match(await ask('agent', 'GET', '/session'), session)
  t.match(await ask('idle', 'GET', '/session'), { status: 403, body: { error: { code: 'agent_suspended' } } })

  const atCap = await fixture(t, { [ada.identity.keyId]: { capMicros: 5, spentMicros: 5 } })
  t.match(await atCap.ask('ada', 'GET', '/money'), session, 'this key belongs to another fixture')
})

t.test('a key at its cap gets key_spend_limit_exceeded on routes of money, whatever the balance', async t => {
  const keys: Record<string, { capMicros: number; spentMicros: number }> = {}
  const { ask, ada } = await fixture(t, keys)
  keys[ada.identity.keyId] = { capMicros: 5, spentMicros: 4 }
  t.match(await ask('ada', 'GET', '/money'), { status: 403, body: { code: 'SESSION_REQUIRED' } })
  keys[ada.identity.keyId] = { capMicros: 5, spentMicros: 5 }
  t.match(await ask('ada', 'GET', '/money'), { status: 402, body: { error: String, code: 'key_spend_limit_exceeded' } })
})

t.test('a POST runs once per Idempotency-Key, and only the first answer has what is shown once', async t => {
  const { ask, ran, db, ada } = await fixture(t)
  const post = (who: string, key: string, name = 'a') =>
    ask(who, 'POST', '/things', { body: { name }, headers: { 'idempotency-key': key } })
  const first = await post('ada.b.c', 'k1')
  t.match(first, { status: 201, body: { name: 'a', run: 1, secret: 'shown-once' } })
  t.notOk('idempotent-replayed' in first.headers)
  const second = await post('ada.b.c', 'k1')
  t.strictSame(second.body, { name: 'a', run: 1 })
  t.match(second, { status: 201, headers: { 'idempotent-replayed': 'true' } })
  t.match(await post('ada.b.c', 'k1', 'b'), { status: 409, body: { code: 'IDEMPOTENCY_CONFLICT' } })
  t.match(await post('ada.b.c', 'ä'), { status: 400, body: { code: 'INVALID_REQUEST' } })
  t.match(await post('bob.b.c', 'k1'), { body: { run: 2 } }, 'another caller has keys of their own')
  t.match(await post('ada', 'k1'), { body: { run: 3 } }, 'so has an API key')
  t.match(await ask('ada.b.c', 'POST', '/things', { body: { name: 'a' } }), { body: { run: 4, secret: 'shown-once' } })
  t.equal(ran.length, 4)
  const rows = await db.selectFrom('idempotency').where('org_id', '=', ada.orgId).selectAll().execute()
  t.equal(rows.length, 3)
  t.notMatch(JSON.stringify(rows), 'shown-once')
})

t.test('a POST with two Idempotency-Key headers does not run', async t => {
  const { app, ran } = await fixture(t)
  const headers = { authorization: 'Bearer ada.b.c', 'idempotency-key': ['k1', 'k2'] }
  const answer = await app.inject({ method: 'POST', url: '/things', payload: { name: 'a' }, headers })
  t.match(
    [answer.statusCode, answer.json()],
    [400, { code: 'INVALID_REQUEST', error: /more than one Idempotency-Key/ }],
  )
  t.same(ran, [])
})

t.test('of concurrent POSTs with one key, one runs and one answer has the secret', async t => {
  const { ask, ran } = await fixture(t)
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      ask('ada.b.c', 'POST', '/things', { body: { name: 'a' }, headers: { 'idempotency-key': 'k' } }),
    ),
  )
  t.equal(ran.length, 1)
  t.equal(answers.filter(({ body }) => 'secret' in body).length, 1)
  t.ok(answers.every(({ status, body }) => status === 201 && body.run === 1))
})

t.test('after an error, a POST with the same key runs again', async t => {
  const { ask, ran, fail } = await fixture(t)
  const post = () => ask('ada.b.c', 'POST', '/things', { body: { name: 'a' }, headers: { 'idempotency-key': 'k' } })
  fail(new GatewayError('upstream_unavailable', 'The provider does not answer.'))
  t.match(await post(), { status: 502, body: { error: { code: 'internal_error', type: 'api_error' } } })
  fail(undefined)
  t.match(await post(), { status: 201, body: { run: 2 } })
  t.equal(ran.length, 2)
})
