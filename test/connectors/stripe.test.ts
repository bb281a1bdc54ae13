import t, { type Test } from 'tap'
import { stripe } from '../../tools/connectors/stripe/connector.ts'
import {
  accessTo,
  engine,
  type ReceivedRequest,
  type Reply,
  recordingUpstream,
} from '../services/connectors/connector-engine-fixture.ts'
import { ARTIFACT, exchange, given } from './exchange.ts'

// Requests and answers as in Stripe's API reference, https://docs.stripe.com/api, read in November 2026. Tools are also
// checked against its description of 2023-08-16, the version that the connector pins. Not tried with an account.

/** Stripe on loopback, and calls of the connector's tools to it. */
async function double(t: Test, reply: (request: ReceivedRequest) => Reply = () => ({ body: { id: 'x' } })) {
  const upstream = await recordingUpstream(t)
  upstream.reply = reply
  const { run } = engine(t)
  async function data(operation: string, args: Record<string, unknown>) {
    const tool = stripe.tools.find(tool => tool.operation === operation)
    if (tool === undefined) throw new TypeError(`Stripe has no tool ${operation}`)
    const connector = { ...stripe, baseUrl: upstream.origin, tools: [tool] }
    return (await run(connector, args, accessTo(stripe))).structuredContent
  }
  /** Sends one call, and returns the form of its request. */
  async function formOf(operation: string, args: Record<string, unknown>) {
    await data(operation, args)
    return [...new URLSearchParams(String(upstream.received.at(-1)?.body))].map(pair => pair.join('='))
  }
  return { data, formOf, received: upstream.received }
}

t.test('null is sent as an empty value, which clears what Stripe stores', async t => {
  const { formOf } = await double(t)
  t.same(await formOf('update_customer', { customer: 'cus_1', phone: null, metadata: { old: null, plan: 'team' } }), [
    'phone=',
    'metadata[old]=',
    'metadata[plan]=team',
  ])
  t.same(await formOf('update_product', { product: 'prod_1', images: null, description: null }), [
    'description=',
    'images=',
  ])
  t.same(await formOf('update_subscription', { subscription: 'sub_1', cancel_at: null, description: null }), [
    'cancel_at=',
    'description=',
  ])
  t.same(await formOf('resume_subscription', { subscription: 'sub_1' }), ['pause_collection='])
  t.same(await formOf('update_price', { price: 'price_1', nickname: null, active: false }), [
    'active=false',
    'nickname=',
  ])
})

t.test('times are RFC 3339 in arguments and results, and seconds at Stripe', async t => {
  const { data, formOf, received } = await double(t, ({ method }) => ({
    body: method === 'GET' ? { data: [{ id: 're_1', created: 1_772_355_600 }], has_more: false } : { id: 'x' },
  }))
  t.same(
    await data('list_refunds', { created_after: '2026-03-01T10:00:00+01:00', created_before: '2026-03-02T00:00:00Z' }),
    {
      items: [{ id: 're_1', created: '2026-03-01T09:00:00.000Z' }],
    },
  )
  const { searchParams } = new URL(received[0]?.url ?? '', 'http://stripe.test')
  t.same(Object.fromEntries(searchParams), { 'created[gte]': '1772355600', 'created[lt]': '1772409600', limit: '20' })
  t.same(await formOf('pause_subscription', { subscription: 'sub_1', resumes_at: '2026-03-02T00:00:00Z' }), [
    'pause_collection[behavior]=keep_as_draft',
    'pause_collection[resumes_at]=1772409600',
  ])
})

t.test('the bank receives evidence only from submit_dispute_evidence', async t => {
  const { formOf } = await double(t)
  const facts = { product_description: 'A course', receipt: 'file_1', refund_policy_disclosure: '' }
  t.same(await formOf('stage_dispute_evidence', { dispute: 'dp_1', evidence: facts }), [
    'submit=false',
    'evidence[product_description]=A course',
    'evidence[receipt]=file_1',
    'evidence[refund_policy_disclosure]=',
  ])
  t.same(await formOf('submit_dispute_evidence', { dispute: 'dp_1' }), ['submit=true'])
  const { annotations } = stripe.tools.find(({ operation }) => operation === 'submit_dispute_evidence') ?? {}
  t.match(annotations, { destructiveHint: true, idempotentHint: false })
})

t.test('a file for a dispute goes to the host for files', async t => {
  const answer = { id: 'file_1', object: 'file', filename: 'notes.md', size: 13, type: 'pdf', created: 1_772_355_600 }
  const { sent, result } = await exchange(
    stripe,
    {},
    {
      operation: 'upload_dispute_file',
      args: { content: ARTIFACT.id },
      answer: { body: answer },
    },
  )
  t.match(sent, {
    method: 'POST',
    path: '/v1/files',
    headers: { 'stripe-version': '2023-08-16' },
    body: { purpose: 'dispute_evidence', file: { name: ARTIFACT.name, text: ARTIFACT.text } },
  })
  const { object: _, ...kept } = answer
  t.same(given(result), { ...kept, created: '2026-03-01T09:00:00.000Z' })
})

t.test('an optional default price, redirect or restriction leaves nothing behind when it is absent', async t => {
  const { formOf } = await double(t)
  t.same(await formOf('create_product', { name: 'Workshop' }), ['name=Workshop'])
  t.same(await formOf('create_product', { name: 'Seat', unit_amount: 0, currency: 'eur', interval: 'month' }), [
    'name=Seat',
    'default_price_data[unit_amount]=0',
    'default_price_data[currency]=eur',
    'default_price_data[recurring][interval]=month',
  ])
  t.same(await formOf('create_payment_link', { line_items: [{ price: 'price_1', quantity: 1 }] }), [
    'line_items[0][price]=price_1',
    'line_items[0][quantity]=1',
  ])
  const redirected = await formOf('create_payment_link', {
    line_items: [{ price: 'price_1', quantity: 1 }],
    redirect_url: 'https://example.com/thanks',
  })
  t.same(redirected.slice(2), [
    'after_completion[type]=redirect',
    'after_completion[redirect][url]=https://example.com/thanks',
  ])
  t.same(await formOf('create_coupon', { percent_off: 12.5, products: ['prod_1'] }), [
    'percent_off=12.5',
    'applies_to[products][0]=prod_1',
  ])
  t.same(await formOf('create_promotion_code', { coupon: 'SUMMER', code: 'SUMMER25' }), [
    'coupon=SUMMER',
    'code=SUMMER25',
  ])
})

t.test('what was created and updated is read back', async t => {
  const products = new Map<string, Record<string, unknown>>()
  const prices: Record<string, unknown>[] = []
  const { data } = await double(t, ({ method, url, body }) => {
    const form = new URLSearchParams(body.toString())
    const { pathname, searchParams } = new URL(url, 'http://stripe.test')
    const [, , kind, id] = pathname.split('/')
    if (method === 'GET' && kind === 'prices') {
      const found = prices.filter(({ product }) => product === searchParams.get('product'))
      return { body: { object: 'list', data: found, has_more: false } }
    }
    if (kind === 'prices') {
      const price = { id: `price_${prices.length + 1}`, active: true, ...Object.fromEntries(form) }
      prices.unshift(price)
      return { body: price }
    }
    const product = products.get(id ?? '') ?? { id: 'prod_1', active: true, created: 1_772_355_600 }
    for (const [name, value] of form) product[name] = value === '' ? null : value
    products.set('prod_1', product)
    return { body: product }
  })
  const made = await data('create_product', { name: 'Workshop', description: 'Two days' })
  t.match(made, { id: 'prod_1', name: 'Workshop', description: 'Two days', created: '2026-03-01T09:00:00.000Z' })
  await data('create_price', { product: 'prod_1', unit_amount: 20_000, currency: 'eur' })
  t.match(await data('list_prices', { product: 'prod_1' }), {
    items: [{ id: 'price_1', product: 'prod_1', unit_amount: '20000', currency: 'eur' }],
  })
  t.same(await data('list_prices', { product: 'prod_2' }), { items: [] })
  await data('update_product', { product: 'prod_1', description: null, name: 'Seminar' })
  const read = await data('get_product', { product: 'prod_1' })
  t.match(read, { name: 'Seminar' })
  t.notOk('description' in (read ?? {}))
})

t.test('a call that would change nothing is rejected before anything is sent', async t => {
  const { data, received } = await double(t)
  for (const [operation, args] of [
    ['update_customer', { customer: 'cus_1' }],
    ['update_subscription', { subscription: 'sub_1' }],
    ['update_subscription_item', { item: 'si_1', proration_behavior: 'none' }],
    ['create_coupon', { name: 'Summer' }],
  ] as const)
    await t.rejects(data(operation, args), { code: 'invalid_request' })
  t.same(received, [])
})
