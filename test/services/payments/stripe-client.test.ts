import { createServer, type IncomingMessage } from 'node:http'
import { registerHooks } from 'node:module'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import type { StripeSettings } from '../../../services/payments/money-settings.ts'

// Own process: it checks what a process loads.

const DASHBOARD = 'https://dashboard.example'

const loaded: string[] = []
registerHooks({
  resolve(specifier, context, next) {
    loaded.push(specifier)
    return next(specifier, context)
  },
})

const settings = (apiBase: string): StripeSettings => ({
  secretKey: 'sk_test_0123456789',
  livemode: false,
  webhookSecrets: ['whsec_0123456789abcdef'],
  apiBase,
  automaticTax: false,
})

/** Stripe's API on this machine, which answers in turn. */
async function api(t: Test, ...answers: { status: number; body: object }[]) {
  const requests: { request: IncomingMessage; body: string }[] = []
  const server = createServer(async (request, response) => {
    requests.push({ request, body: await text(request) })
    const { status, body } = answers.shift() ?? { status: 500, body: {} }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return { requests, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

t.test('a process that takes no payments by Stripe does not load its SDK', async t => {
  const { build } = await import('../../fixtures/build.ts')
  const { services, directory } = await build(t)
  const [{ orgId, userId }] = await directory.members('owner')
  t.match(await services.topups.start({ orgId, userId, amountMicros: 5_000_000, saved: false, requestKey: null }), {
    settled: true,
  })
  await services.jobs.runDue()
  const stripe = await build(t, {
    settings: { stripe: settings('http://127.0.0.1:1'), dashboardUrl: DASHBOARD },
  })
  t.ok(stripe.services.webhooks)
  t.ok(loaded.includes('kysely'))
  t.notOk(loaded.includes('stripe'))
})

t.test('requests to Stripe go through egress, with our key and idempotency key and without telemetry', async t => {
  const { createEgress } = await import('../../../lib/egress/create-egress.ts')
  const { parseAllowList } = await import('../../../lib/egress/allow-list.ts')
  const { createStripeProvider } = await import('../../../services/payments/provider/payment-provider.ts')
  const created = { status: 200, body: { id: 'cus_1', object: 'customer' } }
  const { requests, origin } = await api(t, created, created)
  const egress = createEgress({ allow: parseAllowList([]), allowLoopback: true })
  t.teardown(() => egress.close())
  const stripe = await createStripeProvider(settings(origin), { egress, dashboardUrl: DASHBOARD }).client()
  for (let i = 0; i < 2; i++)
    t.match(await stripe.customers.create({ metadata: { org_id: 'org_1' } }, { idempotencyKey: 'cus:org_1' }), {
      id: 'cus_1',
    })
  t.ok(loaded.includes('stripe'))
  for (const { request, body } of requests) {
    t.equal(`${request.method} ${request.url}`, 'POST /v1/customers')
    t.match(request.headers, {
      authorization: 'Bearer sk_test_0123456789',
      'idempotency-key': 'cus:org_1',
      'stripe-version': '2026-10-28.endive',
      'content-type': 'application/x-www-form-urlencoded',
    })
    t.notOk('x-stripe-client-telemetry' in request.headers)
    t.equal(decodeURIComponent(body), 'metadata[org_id]=org_1')
  }

  const closed = createEgress({ allow: parseAllowList([]), allowLoopback: false })
  t.teardown(() => closed.close())
  const refused = await createStripeProvider(settings(origin), { egress: closed, dashboardUrl: DASHBOARD }).client()
  await t.rejects(refused.customers.retrieve('cus_1'), { message: /connection to Stripe/ })
  t.equal(requests.length, 2)
})

t.test('a failed request is repeated once with the same idempotency key', async t => {
  const { createEgress } = await import('../../../lib/egress/create-egress.ts')
  const { parseAllowList } = await import('../../../lib/egress/allow-list.ts')
  const { createStripeProvider } = await import('../../../services/payments/provider/payment-provider.ts')
  const failed = { status: 500, body: { error: { type: 'api_error', message: 'down' } } }
  const { requests, origin } = await api(t, failed, failed, failed)
  const egress = createEgress({ allow: parseAllowList([]), allowLoopback: true })
  t.teardown(() => egress.close())
  const stripe = await createStripeProvider(settings(origin), { egress, dashboardUrl: DASHBOARD }).client()
  await t.rejects(stripe.customers.create({}, { idempotencyKey: 'cus:org_1' }), { message: 'down' })
  t.same(
    requests.map(({ request }) => request.headers['idempotency-key']),
    ['cus:org_1', 'cus:org_1'],
  )
})
