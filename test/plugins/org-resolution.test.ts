import t from 'tap'
import errorEnvelope from '../../plugins/error-envelope/plugin.ts'
import identity from '../../plugins/identity/plugin.ts'
import orgResolution, { callerOf } from '../../plugins/org-resolution/plugin.ts'
import origin from '../../plugins/origin/plugin.ts'
import standing from '../../plugins/standing/plugin.ts'
import type { ActiveOrganization } from '../../services/identity/caller.ts'
import { bare, keyHolder, known, localhost, session } from '../fixtures/fixture.ts'

const orgId = `org_${'c'.repeat(32)}`

function fixture(t: Parameters<typeof bare>[0], ...actives: ActiveOrganization[]) {
  const next = () => (actives.length > 1 ? actives.shift() : actives[0]) ?? { state: 'none' }
  const app = bare(t)
  app.register(errorEnvelope)
  app.register(origin, localhost)
  app.register(async scope => {
    scope.register(
      identity,
      known({
        keys: {
          ada: keyHolder(),
          suspended: keyHolder({ agent: { id: 'agt_1', status: 'suspended' } }),
          retired: keyHolder({ agent: { id: 'agt_1', status: 'retired' } }),
          working: keyHolder({ agent: { id: 'agt_1', status: 'active' } }),
        },
        tokens: { 'a.b.c': session() },
      }),
    )
    scope.register(orgResolution, { activeOrganizations: { cached: () => undefined, of: async () => next() } })
    scope.register(standing)
    scope.register(async routes => {
      const caller = async (request: Parameters<typeof callerOf>[0]) => ({
        orgId: callerOf(request).orgId,
        role: callerOf(request).role,
      })
      routes.get('/connectors', { config: { group: 'connectors' } }, caller)
      routes.get('/me', { config: { group: 'account' } }, caller)
      routes.get('/customers/me', { config: { group: 'billing' } }, caller)
      routes.post('/checkout/topup', { config: { group: 'billing' } }, caller)
      routes.put('/capabilities/github', { config: { group: 'account' } }, caller)
      routes.delete('/members/ada', { config: { group: 'account' } }, caller)
      routes.post('/connectors', { config: { group: 'connectors' } }, caller)
      routes.post('/mcp', { config: { group: 'mcp' } }, async request => ({ caller: request.caller }))
    })
  })
  return app
}

t.test('a key acts in its own organization, a user in their active one', async t => {
  const app = fixture(t, { state: 'member', orgId, role: 'admin' })
  t.match((await app.inject({ url: '/connectors', headers: { 'x-api-key': 'ada' } })).json(), {
    orgId: keyHolder().orgId,
    role: 'owner',
  })
  t.same((await app.inject({ url: '/connectors', headers: { authorization: 'Bearer a.b.c' } })).json(), {
    orgId,
    role: 'admin',
  })
})

t.test(
  'a missing active organization is reported in each route’s envelope, and never rejects a request of /mcp',
  async t => {
    const app = fixture(t)
    const headers = { authorization: 'Bearer a.b.c' }
    for (const url of ['/connectors', '/me']) {
      const flat = await app.inject({ url, headers })
      t.equal(flat.statusCode, 400)
      t.match(flat.json(), { error: 'no_active_org', message: String })
    }
    const billing = await app.inject({ url: '/customers/me', headers })
    t.equal(billing.statusCode, 402)
    t.match(billing.json(), { error: String, code: 'no_active_org' })
    t.same((await app.inject({ method: 'POST', url: '/mcp', headers })).json(), { caller: null })
  },
)

t.test('a key of a suspended or retired agent is rejected, a key of an active one is not', async t => {
  const app = fixture(t)
  for (const [key, code] of [
    ['suspended', 'agent_suspended'],
    ['retired', 'agent_retired'],
  ]) {
    const response = await app.inject({ url: '/connectors', headers: { 'x-api-key': key } })
    t.equal(response.statusCode, 403)
    t.match(response.json(), { error: { type: 'forbidden', code } })
  }
  t.equal((await app.inject({ url: '/connectors', headers: { 'x-api-key': 'working' } })).statusCode, 200)
})

t.test(
  'a removed member gets MEMBERSHIP_REVOKED on account and billing routes, and no_active_org elsewhere',
  async t => {
    const app = fixture(t, { state: 'revoked' })
    const headers = { authorization: 'Bearer a.b.c' }
    for (const url of ['/me', '/customers/me']) {
      const revoked = await app.inject({ url, headers })
      t.equal(revoked.statusCode, 403)
      t.match(revoked.json(), { error: String, code: 'MEMBERSHIP_REVOKED' })
    }
    t.match((await app.inject({ url: '/connectors', headers })).json(), { error: 'no_active_org' })
  },
)

t.test('whoever loses their membership or role while they send a body changes nothing', async t => {
  const admin = { state: 'member', orgId, role: 'admin' } as const
  const headers = { authorization: 'Bearer a.b.c' }
  for (const [method, url] of [
    ['POST', '/checkout/topup'],
    ['PUT', '/capabilities/github'],
    ['DELETE', '/members/ada'],
    ['POST', '/connectors'],
  ] as const) {
    const request = { method, url, headers }
    for (const after of [{ state: 'revoked' }, { state: 'none' }, { ...admin, role: 'member' }] as const) {
      const answer = await fixture(t, admin, after).inject(request)
      t.equal(answer.statusCode, 403, url)
      t.match(answer.body, /changed while the request was sent/)
    }
    t.same((await fixture(t, admin).inject(request)).json(), { orgId, role: 'admin' })
  }
})

t.test('org-resolution and standing do not load without identity', async t => {
  for (const load of [
    (app: ReturnType<typeof bare>) =>
      app.register(orgResolution, {
        activeOrganizations: { cached: () => undefined, of: async () => ({ state: 'none' }) },
      }),
    (app: ReturnType<typeof bare>) => app.register(standing),
  ]) {
    const app = bare(t)
    load(app)
    await t.rejects(async () => app.ready(), { code: 'FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED' })
  }
})
