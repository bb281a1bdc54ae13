import t from 'tap'
import { DOLLAR } from '../../schemas/billing/money.ts'
import { customersFixture } from '../payments/customers-fixture.ts'

const NO_STRIPE = { stripe: undefined }
const ME = '/customers/me'
const PROFILE = `${ME}/billing-profile`
const METHODS = `${ME}/payment-methods`
const EMPTY = { name: null, email: null, address: null, tax_ids: [] }

t.test('POST /customers creates one customer at Stripe; the second answers CUSTOMER_ALREADY_EXISTS', async t => {
  const { ask, ada, stripe, audits } = await customersFixture(t)
  const created = await ask('ada.b.c', 'POST', '/customers', { body: {} })
  t.match(created, { status: 201, body: { organization_id: ada.orgId, created_at: /Z$/ } })
  t.same((await ask('ada.b.c', 'GET', ME)).body, created.body)
  t.match(await ask('ada.b.c', 'POST', '/customers'), { status: 409, body: { code: 'CUSTOMER_ALREADY_EXISTS' } })
  t.match(stripe.account.all('customer'), [{ metadata: { org_id: ada.orgId } }])
  t.match(await audits(), [/^customer\.create \{"customer":"cus_\w+"\}$/])
})

t.test('after a crash between Stripe and the row, POST /customers adopts the customer', async t => {
  const { ask, stripe, hand } = await customersFixture(t)
  stripe.fault('cut done')
  t.equal((await ask('ada.b.c', 'POST', '/customers')).status, 201, 'the SDK repeats the request')
  await hand.deleteFrom('customers').execute()
  t.equal((await ask('ada.b.c', 'POST', '/customers')).status, 201)
  t.equal(stripe.account.all('customer').length, 1)
  t.match(await hand.selectFrom('customers').select('stripe_id').execute(), [
    { stripe_id: stripe.account.all('customer')[0]?.id },
  ])
})

t.test('a repeated POST /customers with an Idempotency-Key gets the first answer', async t => {
  const { ask } = await customersFixture(t)
  const once = () => ask('ada.b.c', 'POST', '/customers', { headers: { 'idempotency-key': 'first' } })
  const first = await once()
  t.match(await once(), { status: 201, body: first.body, headers: { 'idempotent-replayed': 'true' } })
})

t.test('CUSTOMER_NOT_FOUND before there is a customer, on every route that needs one', async t => {
  const { ask } = await customersFixture(t)
  const notFound = { status: 404, body: { code: 'CUSTOMER_NOT_FOUND' } }
  t.match(await ask('ada.b.c', 'GET', ME), notFound)
  t.match(await ask('ada.b.c', 'GET', PROFILE), notFound)
  t.match(await ask('ada.b.c', 'PATCH', PROFILE, { body: { name: 'Ada' } }), notFound)
  t.match(await ask('ada.b.c', 'GET', METHODS), notFound)
  t.match(await ask('ada.b.c', 'POST', METHODS), notFound)
  t.match(await ask('ada.b.c', 'DELETE', `${METHODS}/pm_1`), notFound)
})

t.test('a member gets FORBIDDEN, an API key SESSION_REQUIRED, and without an organization it is 402', async t => {
  const { ask, customer, stripe } = await customersFixture(t)
  const method = stripe.buyer.saveCard(await customer())
  const routes = [
    ...(['', '/billing-profile', '/payment-methods', '/wallet', '/transactions'] as const).map(
      path => ['GET', `${ME}${path}`] as const,
    ),
    ['POST', '/customers'],
    ['PATCH', PROFILE],
    ['POST', METHODS],
    ['DELETE', `${METHODS}/${method.id}`],
  ] as const
  const before = stripe.requests.length
  for (const [how, url] of routes)
    for (const [who, status, code] of [
      ['bob.b.c', 403, 'FORBIDDEN'],
      ['ada', 403, 'SESSION_REQUIRED'],
      ['a.b.c', 402, 'no_active_org'],
      ['gone.b.c', 403, 'MEMBERSHIP_REVOKED'],
    ] as const)
      t.match(
        await ask(who, how, url, how === 'PATCH' ? { body: { name: 'Eve' } } : {}),
        { status, body: { code } },
        url,
      )
  t.equal(stripe.requests.length, before)
})

t.test('PATCH /customers/me/billing-profile changes the customer at Stripe, and replaces its tax IDs', async t => {
  const { ask, customer, stripe, audits } = await customersFixture(t)
  const id = await customer()
  t.same((await ask('ada.b.c', 'GET', PROFILE)).body, EMPTY)
  const address = { line1: 'Ring 1', city: 'Köln', postal_code: '50667', country: 'DE' }
  const body = { name: 'Ada AG', email: 'bills@ada.example', address, tax_ids: [{ type: 'eu_vat', value: 'DE1' }] }
  const changed = await ask('ada.b.c', 'PATCH', PROFILE, { body })
  const whole = { ...address, line2: null, state: null }
  const pending = { verification: 'pending' }
  t.same(changed.body, { ...body, address: whole, tax_ids: [{ type: 'eu_vat', value: 'DE1', ...pending }] })
  t.match(stripe.account.get('customer', id), { name: 'Ada AG', address: { city: 'Köln' } })

  const next = { tax_ids: [{ type: 'eu_vat', value: 'DE2' }], email: null, address: { country: 'AT' } }
  t.match((await ask('ada.b.c', 'PATCH', PROFILE, { body: next })).body, {
    name: 'Ada AG',
    email: null,
    address: { country: 'AT', city: null },
    tax_ids: [{ value: 'DE2' }],
  })
  const again = await ask('ada.b.c', 'PATCH', PROFILE, { body: { address: null, tax_ids: [] } })
  t.same(again.body, { ...EMPTY, name: 'Ada AG' })
  t.same((await ask('ada.b.c', 'GET', PROFILE)).body, again.body)
  t.ok((await audits()).includes('billing_profile.update {"changed":["address","tax_ids"]}'))
  t.notMatch((await audits()).join(), /Köln|DE1|bills@/)
})

t.test('INVALID_REQUEST for a profile that is not valid, here or for Stripe, which then keeps its tax IDs', async t => {
  const { ask, customer } = await customersFixture(t)
  await customer()
  const taxIds = [{ type: 'eu_vat', value: 'DE1' }]
  await ask('ada.b.c', 'PATCH', PROFILE, { body: { tax_ids: taxIds } })
  for (const body of [
    {},
    { name: '' },
    { name: 'a\u0000b' },
    { name: 'a\ud800b' },
    { email: 'a@\u0000.example' },
    { name: 'x'.repeat(201) },
    { email: 'no address' },
    { email: 'a@nowhere' },
    { address: { country: 'Germany' } },
    { address: { street: 'Ring 1' } },
    { tax_ids: [{ type: 'eu_vat' }] },
    { tax_ids: [{ type: 'eu_vat', value: 'invalid' }] },
    { card: '4242424242424242' },
  ])
    t.match(
      await ask('ada.b.c', 'PATCH', PROFILE, { body }),
      { status: 400, body: { code: 'INVALID_REQUEST' } },
      JSON.stringify(body),
    )
  t.match((await ask('ada.b.c', 'GET', PROFILE)).body, { tax_ids: taxIds })
})

t.test(
  'POST /customers/me/payment-methods answers a page of Stripe that saves a card and leads to the dashboard',
  async t => {
    const { ask, customer, stripe, lines, audits } = await customersFixture(t)
    const id = await customer()
    const { status, body } = await ask('ada.b.c', 'POST', METHODS, { headers: { 'idempotency-key': 'one' } })
    const [session] = stripe.account.all('checkout.session')
    t.match([status, body], [200, { checkout_url: session?.url }])
    t.match(session, { mode: 'setup', customer: id, success_url: /^https:\/\/dashboard\.example\// })
    t.match(session?.cancel_url, /^https:\/\/dashboard\.example\//)
    t.notMatch([...lines, ...(await audits())].join(), /checkout\.stripe|cs_test|sk_test|whsec/)
  },
)

t.test('at most ten pages a minute are opened for an organization', async t => {
  const { ask, customer, clock, stripe } = await customersFixture(t)
  await customer()
  for (let i = 0; i < 10; i++) t.equal((await ask('ada.b.c', 'POST', METHODS)).status, 200)
  t.match(await ask('ada.b.c', 'POST', METHODS), { status: 429, headers: { 'retry-after': /\d/ } })
  t.equal(stripe.account.all('checkout.session').length, 10)
  clock.advance(60_000)
  t.equal((await ask('ada.b.c', 'POST', METHODS)).status, 200)
})

t.test('GET /customers/me/payment-methods lists the cards of the organization without their numbers', async t => {
  const { ask, customer, stripe, hand } = await customersFixture(t)
  const id = await customer()
  const [old, card] = [stripe.buyer.saveCard(id, 'slow'), stripe.buyer.saveCard(id)]
  stripe.buyer.saveCard('cus_other')
  await hand.updateTable('customers').set({ default_payment_method: old.id }).execute()
  const { body } = await ask('ada.b.c', 'GET', METHODS)
  t.match(body.payment_methods, [
    { id: card.id, type: 'card', is_default: false },
    { id: old.id, is_default: true },
  ])
  t.same(body.payment_methods[0].card, { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2031 })
})

t.test('DELETE …/payment-methods/:id detaches a card, and switches off automatic top-ups that charge it', async t => {
  const { ask, customer, stripe, hand, audits } = await customersFixture(t)
  const card = stripe.buyer.saveCard(await customer())
  const amounts = { auto_topup_threshold_micros: 1, auto_topup_amount_micros: 1, auto_topup_monthly_micros: 1 }
  const set = { ...amounts, auto_topup: true, auto_topup_since: new Date(), default_payment_method: card.id }
  await hand.updateTable('customers').set(set).execute()
  t.equal((await ask('ada.b.c', 'DELETE', `${METHODS}/${card.id}`)).status, 204)
  t.same((await ask('ada.b.c', 'GET', METHODS)).body, { payment_methods: [] })
  t.match(await hand.selectFrom('customers').selectAll().executeTakeFirst(), {
    auto_topup: false,
    default_payment_method: null,
  })
  t.match(await audits(), [/^auto_topup\.disable/, /^customer\.create/, /^payment_method\.remove/])
  t.match(await ask('ada.b.c', 'DELETE', `${METHODS}/${card.id}`), { status: 404, body: { code: 'NOT_FOUND' } })
})

t.test('a card that is detached at Stripe already is forgotten if automatic top-ups charge it', async t => {
  const { ask, customer, stripe, hand } = await customersFixture(t)
  const card = stripe.buyer.saveCard(await customer())
  const other = stripe.buyer.saveCard(card.customer)
  const amounts = { auto_topup_threshold_micros: 1, auto_topup_amount_micros: 1, auto_topup_monthly_micros: 1 }
  const set = { ...amounts, auto_topup: true, auto_topup_since: new Date(), default_payment_method: card.id }
  await hand.updateTable('customers').set(set).execute()
  Object.assign(card, { customer: null })
  Object.assign(other, { customer: null })
  t.equal((await ask('ada.b.c', 'DELETE', `${METHODS}/${other.id}`)).status, 404)
  t.equal((await ask('ada.b.c', 'DELETE', `${METHODS}/${card.id}`)).status, 204)
  t.match(await hand.selectFrom('customers').selectAll().executeTakeFirst(), {
    auto_topup: false,
    default_payment_method: null,
  })
  t.notOk(stripe.requests.includes('POST payment_methods/:id/detach'))
})

t.test('the customer of the other mode of Stripe is replaced, and its payment method is forgotten', async t => {
  const { ask, ada, stripe, hand } = await customersFixture(t)
  const live = { org_id: ada.orgId, stripe_id: 'cus_live', livemode: true, default_payment_method: 'pm_live' }
  await hand.insertInto('customers').values(live).execute()
  t.match(await ask('ada.b.c', 'GET', ME), { status: 404, body: { code: 'CUSTOMER_NOT_FOUND' } })
  t.equal((await ask('ada.b.c', 'POST', '/customers')).status, 201)
  t.match(await hand.selectFrom('customers').selectAll().execute(), [
    { stripe_id: stripe.account.all('customer')[0]?.id, livemode: false, default_payment_method: null },
  ])
})

t.test('NOT_FOUND for the payment method of another customer, which stays, and for any other text', async t => {
  const { ask, customer, stripe } = await customersFixture(t)
  await customer()
  await ask('eve.b.c', 'POST', '/customers')
  const [hers] = stripe.account.all('customer')
  const card = stripe.buyer.saveCard(hers?.id ?? '')
  for (const id of [card.id, 'pm_unknown', `${hers?.id}`, 'a%2Fb', '..%2Fcustomers', 'x'.repeat(99), '%00'])
    t.match(await ask('ada.b.c', 'DELETE', `${METHODS}/${id}`), { status: 404, body: { code: 'NOT_FOUND' } }, id)
  t.equal(card.customer, hers?.id)
  t.notOk(stripe.requests.includes('POST payment_methods/:id/detach'))
})

t.test(
  'GET /customers/me/wallet and /transactions answer the ledger in pages; WALLET_NOT_FOUND without a wallet',
  async t => {
    const { ask, ada, wallets, hand } = await customersFixture(t)
    for (const description of ['first', 'second', 'third'])
      await wallets.credit({ orgId: ada.orgId, amountMicros: DOLLAR, description, by: 'operator' })
    const { body: wallet } = await ask('ada.b.c', 'GET', `${ME}/wallet`)
    t.match(wallet, { standing: 'active', balance_micros: Number })
    const page = (cursor = '') => ask('ada.b.c', 'GET', `${ME}/transactions?limit=2${cursor && `&cursor=${cursor}`}`)
    const { body: first } = await page()
    t.match(first.transactions, [
      { description: 'third', kind: 'credit', amount_micros: DOLLAR, api_key_id: null, payment_id: null },
      { description: 'second' },
    ])
    const { body: second } = await page(first.next_cursor)
    t.match([second.transactions[0], second.next_cursor], [{ description: 'first' }, null])
    t.match(await page('bad'), { status: 400, body: { code: 'INVALID_REQUEST' } })
    t.match((await ask('eve.b.c', 'GET', `${ME}/transactions`)).body.transactions, [])
    await hand.deleteFrom('wallets').where('balance_micros', '=', 0).execute()
    for (const path of ['wallet', 'transactions'])
      t.match(await ask('eve.b.c', 'GET', `${ME}/${path}`), { status: 404, body: { code: 'WALLET_NOT_FOUND' } })
  },
)

t.test('a failure of Stripe is masked, changes nothing, and a repetition works', async t => {
  const { ask, stripe, hand, lines } = await customersFixture(t)
  for (let i = 0; i < 2; i++) stripe.fault('cut')
  t.match(await ask('ada.b.c', 'POST', '/customers'), { status: 502, body: { error: { code: 'internal_error' } } })
  t.same(await hand.selectFrom('customers').selectAll().execute(), [])
  t.equal((await ask('ada.b.c', 'POST', '/customers')).status, 201)
  t.notMatch(lines.join(''), stripe.settings.secretKey)
})

t.test('without Stripe, the built-in provider has customers with a profile and no payment methods', async t => {
  const { ask, stripe } = await customersFixture(t, NO_STRIPE)
  t.equal((await ask('ada.b.c', 'POST', '/customers')).status, 201)
  t.match(await ask('ada.b.c', 'POST', '/customers'), { status: 409, body: { code: 'CUSTOMER_ALREADY_EXISTS' } })
  const body = { name: 'Ada AG', address: { country: 'DE' }, tax_ids: [{ type: 'eu_vat', value: 'DE1' }] }
  const changed = await ask('ada.b.c', 'PATCH', PROFILE, { body })
  t.match(changed.body, { name: 'Ada AG', email: null, address: { country: 'DE', city: null }, tax_ids: body.tax_ids })
  t.same((await ask('ada.b.c', 'GET', PROFILE)).body, changed.body)
  t.same((await ask('ada.b.c', 'GET', METHODS)).body, { payment_methods: [] })
  t.match(await ask('ada.b.c', 'POST', METHODS), { status: 400, body: { error: /STRIPE_SECRET_KEY/ } })
  t.match(await ask('ada.b.c', 'DELETE', `${METHODS}/pm_1`), { status: 404, body: { code: 'NOT_FOUND' } })
  t.same(stripe.requests, [])
})

t.test('in production without Stripe, the routes say that no payment provider is configured', async t => {
  const { ask } = await customersFixture(t, { ...NO_STRIPE, environment: 'production' })
  const none = { status: 404, body: { code: 'NOT_FOUND', error: /^No payment provider is configured/ } }
  t.match(await ask('ada.b.c', 'POST', '/customers'), none)
  for (const url of [ME, PROFILE, METHODS]) t.match(await ask('ada.b.c', 'GET', url), none)
  t.match(await ask('ada.b.c', 'PATCH', PROFILE, { body: { name: 'A' } }), none)
  t.match(await ask('ada.b.c', 'POST', METHODS), none)
  t.equal((await ask('ada.b.c', 'GET', `${ME}/wallet`)).status, 200, 'the wallet remains')
})
