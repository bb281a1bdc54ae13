import { pino } from 'pino'
import t, { type Test } from 'tap'
import { buildDashboard } from '../../dashboard-app.ts'
import type { Services } from '../../services/create-services.ts'
import { until } from '../fixtures/until.ts'
import { DASHBOARD, dashboardFixture } from './dashboard-fixture.ts'

/** A second dashboard with other services, and a signed-in owner, who calls a tool of it. */
async function withServices(t: Test, replaced: (services: Services) => Partial<Services>) {
  const { signIn, directory, services, host } = await dashboardFixture(t)
  const { userId } = await (await directory.org()).member('owner')
  const { cookie, token } = await signIn(userId)
  const dashboard = buildDashboard(
    { ...services, ...replaced(services) },
    {
      logger: pino({ level: 'silent' }),
      url: DASHBOARD,
      pages: { find: () => undefined, shell: () => undefined },
    },
  )
  t.teardown(() => dashboard.close())
  const accept = 'application/json, text/event-stream'
  const answer = await dashboard.inject({
    method: 'POST',
    url: '/api/mcp',
    headers: { host, origin: DASHBOARD, cookie, 'x-dashboard-token': token, accept },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'manage__accounts_list', arguments: {} } },
  })
  return { answer, dashboard, services, userId }
}

t.test('the dashboard bounds connections and unread answers like the gateway', async t => {
  const asked: string[] = []
  const { dashboard, services, userId } = await withServices(t, ({ unread }) => ({
    // Its methods read private members, so they belong to the original, also when a timer calls them.
    unread: new Proxy(unread, {
      get(target, name) {
        const member = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return (...args: unknown[]) => {
          if (name === 'refusal') asked.push(String(args[0]))
          return member.apply(target, args)
        }
      },
    }),
  }))
  t.equal(dashboard.server.maxConnections, services.settings.maxConnections)
  t.same(asked, [userId])
})

t.test('an overloaded process still shows the page, and refuses its requests', async t => {
  const { ask } = await dashboardFixture(t, { overload: { maxLoopDelayMs: -1, sampleMs: 20 } })
  await until(async () => (await ask('GET', '/api/session')).statusCode === 503)
  t.match((await ask('GET', '/api/session')).json(), { error: { code: 'overloaded' } })
  t.equal((await ask('GET', '/')).statusCode, 200)
})

t.test('results of tools link to the gateway: the dashboard serves nothing that others wrote', async t => {
  let origin = ''
  const { answer, services } = await withServices(t, () => ({
    callTool: (_surface, call) => {
      origin = call.origin
      return Promise.resolve({ result: { content: [] }, outcome: 'ok' })
    },
  }))
  t.equal(answer.statusCode, 200, answer.body)
  t.equal(`${origin}/mcp`, services.hosts.mcpResources[0])
  t.not(origin, DASHBOARD)
})
