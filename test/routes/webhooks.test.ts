import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { localCounters } from '../../lib/rate-counters/counters.ts'
import errorEnvelope from '../../plugins/error-envelope/plugin.ts'
import jsonBodies from '../../plugins/json-bodies/plugin.ts'
import origin from '../../plugins/origin/plugin.ts'
import webhookRoutes from '../../routes/webhooks.ts'
import { checkAnswers } from '../fixtures/check-answers.ts'
import { bare, localhost } from '../fixtures/fixture.ts'
import { sign } from '../payments/memory-stripe.ts'
import { paymentsFixture } from '../payments/payments-fixture.ts'

/** The route on a bare Fastify, and an event of a paid session. */
async function fixture(t: Test, options: Parameters<typeof paymentsFixture>[1] = {}) {
  const made = await paymentsFixture(t, options)
  const app = bare(t)
  checkAnswers(app)
  app.register(errorEnvelope)
  app.register(jsonBodies)
  app.register(origin, localhost)
  app.register(webhookRoutes, { webhooks: made.webhooks, counters: localCounters(made.clock) })
  const schema = { response: { 200: Type.Object({ parsed: Type.Unknown() }) } }
  app.post('/other', { schema }, async request => ({ parsed: request.body }))
  const seconds = Math.floor(made.clock.now() / 1000)
  const event = made.stripe.event('checkout.session.completed', { id: 'cs_test_0', object: 'checkout.session' })

  async function post(payload: string, headers: Record<string, string>) {
    const { statusCode, body } = await app.inject({
      method: 'POST',
      url: '/webhooks/stripe',
      headers: { 'content-type': 'application/json', ...headers },
      payload,
    })
    return { status: statusCode, body: JSON.parse(body) }
  }
  return {
    ...made,
    app,
    seconds,
    event,
    post,
    /** Posts a signed body. */
    signed: (payload: string, { secret = made.webhookSecret, at = seconds } = {}) =>
      post(payload, { 'stripe-signature': sign(payload, secret, at) }),
    recorded: async () => (await made.hand.selectFrom('stripe_events').select('id').execute()).map(({ id }) => id),
  }
}

const rejected = { status: 400, body: { error: { code: 'invalid_request', message: /^The webhook was rejected\. / } } }

t.test('a signed event is recorded and answered 200, and so is its repetition', async t => {
  const { signed, event, recorded } = await fixture(t)
  for (let i = 0; i < 2; i++) t.same(await signed(JSON.stringify(event)), { status: 200, body: { received: true } })
  t.same(await recorded(), [event.id])
})

t.test('an event without a valid signature over these very bytes is rejected and not recorded', async t => {
  const { post, signed, event, recorded, webhookSecret, seconds } = await fixture(t)
  const body = JSON.stringify(event)
  const valid = sign(body, webhookSecret, seconds)
  const [time = '', v1 = ''] = valid.split(',')
  t.match(await post(body, {}), rejected, 'missing')
  for (const [name, signature] of Object.entries({
    empty: '',
    wrong: `${time},v1=${'0'.repeat(64)}`,
    'without a time': v1,
    'without v1': time,
    'of an old scheme': `${time},${v1.replace('v1', 'v0')}`,
    'with two times': `t=1,${valid}`,
    'with a time that is no number': valid.replace(time, 't=1e9'),
    'with the time of another second': valid.replace(time, `t=${seconds - 1}`),
  }))
    t.match(await post(body, { 'stripe-signature': signature }), rejected, name)
  t.match(await signed(body, { secret: `whsec_${'0'.repeat(48)}` }), rejected, 'of another secret')
  t.match(await post(JSON.stringify(event, null, 1), { 'stripe-signature': valid }), rejected, 'reformatted')
  t.match(await post('', { 'stripe-signature': sign('', webhookSecret, seconds) }), rejected, 'no body')
  t.same(await recorded(), [])
})

t.test('a signature is accepted for 300 seconds, in both directions', async t => {
  const { signed, stripe, seconds, recorded } = await fixture(t)
  const at = (offset: number) =>
    signed(JSON.stringify(stripe.event('payment_intent.succeeded', { id: 'pi_1', object: 'payment_intent' })), {
      at: seconds + offset,
    })
  for (const offset of [-301, 301, 31_536_000, -31_536_000]) t.match(await at(offset), rejected, `${offset} s`)
  t.same(await recorded(), [])
  for (const offset of [-300, 300]) t.match(await at(offset), { status: 200 }, `${offset} s`)
})

t.test('a thin event and other payloads are rejected, however well they are signed', async t => {
  const { signed, event, recorded } = await fixture(t)
  const thin = {
    id: 'evt_1',
    object: 'v2.core.event',
    type: 'v1.billing.meter.error_report_triggered',
    livemode: false,
  }
  for (const payload of [
    thin,
    {},
    [],
    null,
    'text',
    { ...event, id: 5 },
    { ...event, id: 'evt 1' },
    { ...event, livemode: 1 },
  ])
    t.match(await signed(JSON.stringify(payload)), rejected)
  t.match(await signed('{'), rejected)
  t.same(await recorded(), [])
})

t.test('an event of test mode is rejected by a live key, and the other way round', async t => {
  for (const livemode of [true, false]) {
    const { signed, event, recorded } = await fixture(t, { livemode })
    t.match(await signed(JSON.stringify({ ...event, livemode: !livemode })), rejected)
    t.same(await recorded(), [])
    t.match(await signed(JSON.stringify({ ...event, livemode })), { status: 200 })
  }
})

t.test('256 KiB is the largest event, and other routes keep their parser and limit', async t => {
  const { signed, event, app, recorded } = await fixture(t)
  const padded = (bytes: number) => {
    const text = JSON.stringify({ ...event, pad: '' })
    return text.replace('"pad":""', `"pad":"${'x'.repeat(bytes - text.length)}"`)
  }
  t.match(await signed(padded(300 * 1024)), { status: 413, body: { error: { code: 'invalid_request' } } })
  t.same(await recorded(), [])
  t.match(await signed(padded(256 * 1024)), { status: 200 })
  const other = await app.inject({ method: 'POST', url: '/other', payload: { a: 1 } })
  t.same(other.json(), { parsed: { a: 1 } })
})

t.test('other media types, hosts and methods are rejected', async t => {
  const { app, post, event, webhookSecret, seconds, recorded } = await fixture(t)
  const body = JSON.stringify(event)
  const signature = { 'stripe-signature': sign(body, webhookSecret, seconds) }
  t.equal((await post(body, { ...signature, 'content-type': 'text/plain' })).status, 415)
  t.match(await post(body, { ...signature, host: 'evil.example' }), {
    status: 403,
    body: { error: { code: 'host_not_allowed' } },
  })
  t.equal((await app.inject({ url: '/webhooks/stripe' })).statusCode, 404)
  t.same(await recorded(), [])
})

t.test('an address may send 600 requests a minute', async t => {
  const { post, clock } = await fixture(t)
  for (let i = 0; i < 600; i++) await post('{}', {})
  t.match(await post('{}', {}), { status: 429, body: { error: { code: 'rate_limit_exceeded' } } })
  clock.advance(60_000)
  t.match(await post('{}', {}), rejected)
})

t.test('without Stripe there is no webhook', async t => {
  const { post } = await fixture(t, { provider: { kind: 'built_in' } })
  t.match(await post('{}', { 'stripe-signature': 't=1,v1=0' }), {
    status: 404,
    body: { error: { code: 'endpoint_not_found' } },
  })
})
