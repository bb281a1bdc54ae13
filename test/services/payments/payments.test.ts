import { sql } from 'kysely'
import t, { type Test } from 'tap'
import type { OperatorServices } from '../../../cli/commands/operator-services.ts'
import { runCommand } from '../../../cli/run-command.ts'
import { DOLLAR } from '../../../schemas/billing/money.ts'
import { directoryOn } from '../../fixtures/directory.ts'
import { memoryStripe } from '../../payments/memory-stripe.ts'
import { paymentsFixture } from '../../payments/payments-fixture.ts'

/** A top-up of 10 dollars whose page is open. */
async function opened(t: Test, options: Parameters<typeof paymentsFixture>[1] = {}) {
  const made = await paymentsFixture(t, options)
  await made.topup()
  const [session] = made.stripe.sessions()
  if (session === undefined) throw new Error('There is no session')
  return { ...made, session }
}

t.test('a top-up opens a page for the stored amount, and only its payment adds to the wallet', async t => {
  const { topup, stripe, payment, balance, send, run, audit, ada, postings, differences } = await paymentsFixture(t)
  const started = await topup()
  t.match(started, { checkoutUrl: /^https:\/\/checkout\.stripe\.test\// })
  t.match(await payment(), { state: 'open', amount_micros: 10 * DOLLAR, amount_cents: 1000, user_id: ada.userId })
  const [session] = stripe.sessions()
  if (session === undefined) return t.fail('there is no session')
  t.equal(await balance(), 0)
  stripe.pay(session)
  await send(stripe.event('checkout.session.completed', session))
  await run()
  t.equal(await balance(), 10 * DOLLAR)
  t.match(await payment(), { state: 'paid', charged_cents: 1000, credited_at: Date, payment_intent_id: 'pi_test_2' })
  t.match(await postings(), [{ id: `pst_${(await payment()).id}`, kind: 'credit', amount: 10 * DOLLAR }])
  t.match(await audit(), [
    { action: 'payment.create', user_id: ada.userId, detail: { amountMicros: 10 * DOLLAR } },
    { action: 'payment.credit', user_id: null, detail: { amountMicros: 10 * DOLLAR, chargedCents: 1000 } },
  ])
  t.same(await differences(), [])
})

t.test('the page names the payment, expires after an hour, and leads back to the dashboard only', async t => {
  const { topup, stripe, payment, clock, ada } = await paymentsFixture(t)
  let sent: Record<string, unknown> = {}
  const { create } = stripe.client.checkout.sessions
  stripe.client.checkout.sessions.create = ((params: never, options: never) => {
    sent = params
    return create(params, options)
  }) as never
  await topup()
  const { id } = await payment()
  t.same(sent, {
    mode: 'payment',
    customer: `cus_${ada.orgId.slice(-8)}`,
    client_reference_id: id,
    line_items: [
      { quantity: 1, price_data: { currency: 'usd', unit_amount: 1000, product_data: { name: 'Balance top-up' } } },
    ],
    adaptive_pricing: { enabled: false },
    automatic_tax: { enabled: false },
    allow_promotion_codes: false,
    expires_at: Math.floor(clock.now() / 1000) + 3600,
    success_url: `https://dashboard.example/billing?topup=done&payment=${id}`,
    cancel_url: `https://dashboard.example/billing?topup=canceled&payment=${id}`,
    metadata: { org_id: ada.orgId, payment_id: id },
    payment_intent_data: { metadata: { org_id: ada.orgId, payment_id: id } },
  })
})

t.test('only whole cents within the limits start a top-up', async t => {
  const { topup, stripe, hand } = await paymentsFixture(t)
  const wrong = [0, -1, 1.5, 1e3, 2 ** 53 + 2, Number.NaN, Number.POSITIVE_INFINITY, '5000000', 5 * DOLLAR - 10_000]
  for (const amountMicros of [...wrong, 5 * DOLLAR + 1, 10_000 * DOLLAR + 10_000, -0, null])
    await t.rejects(topup({ amountMicros: amountMicros as number }), {
      code: 'invalid_request',
      message: /^amount_micros must be whole cents \(a multiple of 10000\), from 5000000 \(\$5\.00\)/,
    })
  t.same(stripe.requests, [])
  t.same(await hand.selectFrom('payments').select('id').execute(), [])
})

t.test('a payment with tax is credited without the tax', async t => {
  const { session, stripe, send, run, balance, payment } = await opened(t)
  stripe.pay(session, { tax: 190 })
  await send(stripe.event('checkout.session.completed', session))
  await run()
  t.equal(await balance(), 10 * DOLLAR)
  t.equal((await payment()).charged_cents, 1190)
})

t.test('a slow payment is processing until it succeeds, and failed if it does not', async t => {
  const { session, stripe, send, run, balance, payment } = await opened(t)
  const intent = stripe.pay(session, { slow: true })
  await send(stripe.event('checkout.session.completed', session))
  await run()
  t.equal((await payment()).state, 'processing')
  intent.status = 'requires_payment_method'
  intent.last_payment_error = { code: 'insufficient_funds' }
  await send(stripe.event('checkout.session.async_payment_failed', session))
  await run()
  t.match(await payment(), { state: 'failed', failure: 'insufficient_funds' })
  t.equal(await balance(), 0)
  stripe.succeed(session)
  await send(stripe.event('checkout.session.async_payment_succeeded', session))
  await run()
  t.match(await payment(), { state: 'paid', failure: null })
  t.equal(await balance(), 10 * DOLLAR)
})

t.test('an expired page ends the payment', async t => {
  const { session, stripe, send, run, payment } = await opened(t)
  session.status = 'expired'
  await send(stripe.event('checkout.session.expired', session))
  await run()
  t.equal((await payment()).state, 'expired')
})

t.test('a payment that differs from our row is not credited and waits for the operator', async t => {
  type Opened = Awaited<ReturnType<typeof opened>>
  const tricks: Record<string, { trick(made: Opened): void; reasons: string[] }> = {
    'an edited amount': {
      trick: ({ session }) => {
        session.amount_subtotal = 1
        session.amount_total = 1
      },
      reasons: ['received', 'subtotal', 'total'],
    },
    'another currency': { trick: ({ session }) => (session.currency = 'idr'), reasons: ['currency'] },
    'a promotion code': {
      trick: ({ session }) => {
        session.total_details.amount_discount = 999
        session.amount_total = 1
      },
      reasons: ['discount', 'received', 'total'],
    },
    'nothing to pay': {
      trick: ({ session }) => (session.payment_status = 'no_payment_required'),
      reasons: ['payment_status'],
    },
    'another customer': { trick: ({ session }) => (session.customer = 'cus_other'), reasons: ['customer'] },
    'another mode': { trick: ({ session }) => (session.livemode = true), reasons: ['livemode'] },
    'less received': {
      trick: ({ stripe, session }) =>
        ((stripe.objects.get(session.payment_intent ?? '') as { amount_received: number }).amount_received = 5),
      reasons: ['received'],
    },
  }
  for (const [name, { trick, reasons }] of Object.entries(tricks)) {
    const made = await opened(t)
    made.stripe.pay(made.session)
    trick(made)
    for (let i = 0; i < 2; i++) {
      await made.send(made.stripe.event('checkout.session.completed', made.session))
      await made.run()
    }
    t.equal(await made.balance(), 0, name)
    t.same(
      (await made.reconciliations()).map(row => row.reason),
      reasons,
      name,
    )
    t.match(await made.payment(), { state: 'failed', failure: 'reconciliation', credited_at: null }, name)
  }
})

t.test('another organization’s session with our metadata credits nobody', async t => {
  const { session, stripe, send, run, balance, postings } = await opened(t)
  const foreign = stripe.addSession({ ...session, id: 'cs_foreign', customer: 'cus_other' })
  stripe.pay(foreign)
  await send(stripe.event('checkout.session.completed', foreign))
  await run()
  t.equal(await balance(), 0)
  t.same(await postings(), [])
})

t.test('an event for an invented session has no effect, and its job ends', async t => {
  const { stripe, send, run, hand, postings } = await opened(t)
  for (const [type, object] of [
    ['checkout.session.completed', { id: 'cs_invented', object: 'checkout.session' }],
    ['charge.refunded', { id: 'ch_invented', object: 'charge' }],
    ['refund.created', { id: 're_invented', object: 'refund' }],
    ['charge.dispute.created', { id: 'dp_invented', object: 'dispute' }],
    ['payment_intent.succeeded', { id: 'pi_invented', object: 'payment_intent' }],
    ['balance.available', { object: 'balance' }],
  ] as const)
    await send(stripe.event(type, object as { id: string; object: string }))
  await run()
  t.same(await hand.selectFrom('jobs').where('kind', '=', 'payments.apply-event').select('last_error').execute(), [])
  t.same(await postings(), [])
})

t.test('an event sent 50 times at once, and its neighbors, credit once', async t => {
  const { session, stripe, send, run, balance, hand } = await opened(t)
  stripe.pay(session)
  const event = stripe.event('checkout.session.completed', session)
  await Promise.all(Array.from({ length: 50 }, () => send(event)))
  t.equal((await hand.selectFrom('stripe_events').select('id').execute()).length, 1)
  const intent = { id: session.payment_intent ?? '', object: 'payment_intent' }
  await send(stripe.event('checkout.session.async_payment_succeeded', session))
  await send(stripe.event('payment_intent.succeeded', intent))
  await run()
  await send(stripe.event('payment_intent.succeeded', intent))
  await run()
  t.equal(await balance(), 10 * DOLLAR)
})

t.test('two processes that apply the same payment at once credit it once', async t => {
  const stripe = memoryStripe()
  const first = await opened(t, { stripe })
  const second = await paymentsFixture(t, { stripe, database: first.database, clock: first.clock })
  stripe.pay(first.session)
  await first.send(stripe.event('checkout.session.completed', first.session))
  await second.send(
    stripe.event('payment_intent.succeeded', { id: first.session.payment_intent ?? '', object: 'payment_intent' }),
  )
  await Promise.all([first.run(), second.run()])
  t.equal(await first.balance(), 10 * DOLLAR)
  t.equal((await first.postings()).length, 1)
})

t.test('refunds and disputes take back their share of the credit, and their end returns it', async t => {
  const { session, stripe, send, run, balance, postings, differences, audit } = await opened(t)
  const intent = stripe.pay(session, { tax: 190 })
  const settle = async (type: string, object: { id: string; object: string }) => {
    await send(stripe.event(type, object))
    await run()
    return balance()
  }
  const refund = stripe.refund(intent.id, 119)
  t.equal(await settle('refund.created', refund), 9 * DOLLAR, 'the refund came before the event of the payment')
  t.equal(await settle('charge.refunded', { id: intent.id.replace('pi', 'ch'), object: 'charge' }), 9 * DOLLAR)
  refund.status = 'failed'
  t.equal(await settle('refund.failed', refund), 10 * DOLLAR)
  const inquiry = stripe.dispute(intent.id, 1190, { inquiry: true })
  t.equal(await settle('charge.dispute.created', inquiry), 10 * DOLLAR, 'an inquiry takes nothing')
  const dispute = stripe.dispute(intent.id, 1190)
  t.equal(await settle('charge.dispute.funds_withdrawn', dispute), 0)
  stripe.refund(intent.id, 595, 'pending')
  t.equal(await settle('charge.refunded', { id: intent.id.replace('pi', 'ch'), object: 'charge' }), 0, 'at most all')
  stripe.win(dispute)
  t.equal(await settle('charge.dispute.funds_reinstated', dispute), 5 * DOLLAR)
  const foreign = stripe.dispute(intent.id, 119, { currency: 'eur' })
  t.equal(await settle('charge.dispute.created', foreign), 4 * DOLLAR, 'an account paid out in euros')
  stripe.win(foreign, { lost: 1 })
  t.equal(await settle('charge.dispute.closed', foreign), 5 * DOLLAR, 'won, at another exchange rate')
  t.same(
    (await postings()).map(({ kind, amount }) => [kind, amount / DOLLAR]),
    [
      ['credit', 10],
      ['reversal', -1],
      ['reinstatement', 1],
      ['reversal', -10],
      ['reinstatement', 5],
      ['reversal', -1],
      ['reinstatement', 1],
    ],
  )
  t.same((await audit()).map(row => row.action).slice(-2), ['payment.reverse', 'payment.reinstate'])
  t.same(await differences(), [])
})

t.test('a refund after the credit was spent makes the wallet negative', async t => {
  const { session, stripe, send, run, balance, hand, ada, differences } = await opened(t)
  const intent = stripe.pay(session)
  await send(stripe.event('checkout.session.completed', session))
  await run()
  await sql`select gateway_hold(${ada.orgId}, 'hld_1', ${ada.userId}, null, 'test__run', 9000000, 0, interval '1 hour'),
    gateway_capture(${ada.orgId}, 'hld_1', 9000000)`.execute(hand)
  await send(stripe.event('refund.created', stripe.refund(intent.id, 1000)))
  await run()
  t.equal(await balance(), -9 * DOLLAR)
  t.same(await differences(), [])
})

t.test('a repeated request gets the same page, and another amount is rejected', async t => {
  const { topup, stripe, hand, clock } = await paymentsFixture(t)
  const first = await topup({ requestKey: 'once' })
  t.same(await topup({ requestKey: 'once' }), first)
  await t.rejects(topup({ requestKey: 'once', amountMicros: 20 * DOLLAR }), { code: 'idempotency_conflict' })
  t.equal(stripe.sessions().length, 1)
  clock.advance(21 * 60_000)
  t.not(await topup({ requestKey: 'once' }), first, 'Stripe no longer accepts the expiry of the first page')
  t.equal((await hand.selectFrom('payments').select('id').execute()).length, 2)
})

t.test('a top-up that is repeated after a time-out opens one page', async t => {
  const { topup, stripe, payment, hand } = await paymentsFixture(t)
  stripe.fail({ error: { type: 'StripeConnectionError' }, done: true })
  await t.rejects(topup({ requestKey: 'once' }), { code: 'upstream_unavailable', message: /Nothing was charged/ })
  t.match(await payment(), { state: 'created', session_id: null })
  t.match(await topup({ requestKey: 'once' }), { checkoutUrl: String })
  t.equal(stripe.sessions().length, 1)
  t.match(await payment(), { state: 'open', session_id: stripe.sessions()[0]?.id ?? '' })
  t.equal((await hand.selectFrom('payments').select('id').execute()).length, 1)
})

t.test('a request that Stripe rejects fails its payment, and the error shows nothing of Stripe’s answer', async t => {
  const { topup, stripe, payment, lines } = await paymentsFixture(t)
  stripe.fail({ error: { type: 'StripeInvalidRequestError', code: 'parameter_unknown', statusCode: 400 }, done: false })
  await t.rejects(topup(), { name: 'StripeFailure', kind: 'rejected' })
  t.match(await payment(), { state: 'failed', failure: 'rejected' })
  t.match(lines.join(''), 'parameter_unknown')
  t.notMatch(lines.join(''), 'secret_leaked')
})

t.test('while Stripe is down, an event waits, and is applied afterwards', async t => {
  const { session, stripe, send, run, balance, clock } = await opened(t)
  await run()
  stripe.pay(session)
  stripe.fail({ error: { type: 'StripeConnectionError' }, done: false })
  await send(stripe.event('checkout.session.completed', session))
  await run()
  t.equal(await balance(), 0)
  clock.advance(60_000)
  stripe.fail({ error: { type: 'StripeAPIError', statusCode: 500 }, done: true })
  await run()
  t.equal(await balance(), 0)
  clock.advance(60_000)
  await run()
  t.equal(await balance(), 10 * DOLLAR)
})

t.test('the hourly job finds a payment whose events were lost', async t => {
  const { session, stripe, run, balance, clock } = await opened(t)
  stripe.pay(session)
  await run()
  t.equal(await balance(), 0, 'it is younger than an hour')
  clock.advance(2 * 3_600_000)
  await run()
  t.equal(await balance(), 10 * DOLLAR)
})

t.test('the hourly job takes the events that Stripe could not deliver', async t => {
  const { session, stripe, send, run, balance, clock } = await opened(t)
  const intent = stripe.pay(session)
  await send(stripe.event('checkout.session.completed', session))
  await run()
  stripe.undelivered.push(stripe.event('refund.created', stripe.refund(intent.id, 500)))
  stripe.undelivered.push(stripe.event('refund.created', stripe.refund(intent.id, 500), { livemode: true }))
  clock.advance(2 * 3_600_000)
  await run()
  t.equal(await balance(), 0)
  clock.advance(2 * 3_600_000)
  await run()
  t.equal(await balance(), 0)
})

t.test('a run of the hourly job takes at most 1,000 new events of ours, and the next run continues', async t => {
  const { stripe, run, clock, hand } = await paymentsFixture(t)
  const refund = { id: 're_unknown', object: 'refund' }
  const foreign = stripe.event('payout.failed', { id: 'po_1', object: 'payout' })
  stripe.undelivered.push(foreign, ...Array.from({ length: 1_003 }, () => stripe.event('refund.updated', refund)))
  const recorded = async () => (await hand.selectFrom('stripe_events').select('id').execute()).length
  await run()
  t.equal(await recorded(), 1_000)
  clock.advance(3_600_000)
  await run()
  t.equal(await recorded(), 1_003)
})

t.test('a run of the hourly job compares at most 200 payments, the longest unchecked first', async t => {
  const { stripe, run, clock, hand, ada } = await paymentsFixture(t)
  await sql`insert into payments (org_id, id, kind, provider, state, amount_micros, amount_cents, livemode, session_id, created_at, checked_at)
    select ${ada.orgId}, 'pay_' || i, 'topup', 'stripe', 'open', 10000000, 1000, false, 'cs_' || i, now() - interval '1 day',
      now() - i * interval '1 minute' from generate_series(100, 320) as i`.execute(hand)
  for (let i = 100; i <= 320; i++) stripe.addSession({ id: `cs_${i}`, status: 'expired' })
  await run()
  const open = () => hand.selectFrom('payments').where('state', '=', 'open').select('id').orderBy('id').execute()
  t.same(
    (await open()).map(({ id }) => id),
    Array.from({ length: 21 }, (_, i) => `pay_${100 + i}`),
  )
  clock.advance(3_600_000)
  await run()
  t.same(await open(), [])
})

t.test('a payment that cannot be compared does not keep the others from it', async t => {
  const { session, stripe, topup, run, clock, hand } = await opened(t)
  await topup()
  stripe.objects.delete(session.id)
  const other = stripe.sessions().at(-1)
  if (other === undefined) return t.fail('there is no session')
  stripe.pay(other)
  clock.advance(2 * 3_600_000)
  await run()
  const states = await hand.selectFrom('payments').select('state').orderBy('state').execute()
  t.same(states, [{ state: 'open' }, { state: 'paid' }])
})

t.test('the hourly job adopts a session whose ID was not stored, and ends a payment without one', async t => {
  const { topup, stripe, payment, run, balance, clock, hand } = await paymentsFixture(t)
  stripe.fail({ error: { type: 'StripeConnectionError' }, done: true })
  await t.rejects(topup())
  const [session] = stripe.sessions()
  if (session === undefined) return t.fail('there is no session')
  stripe.addSession({
    ...session,
    id: 'cs_link',
    payment_link: 'plink_1',
    client_reference_id: session.client_reference_id,
  })
  stripe.pay(session)
  clock.advance(2 * 3_600_000)
  await run()
  t.equal(await balance(), 10 * DOLLAR)
  t.equal((await payment()).session_id, session.id)

  stripe.fail({ error: { type: 'StripeConnectionError' }, done: false })
  await t.rejects(topup())
  clock.advance(2 * 3_600_000)
  await run()
  const states = await hand.selectFrom('payments').orderBy('id').select(['state', 'failure']).execute()
  t.same(states, [
    { state: 'paid', failure: null },
    { state: 'failed', failure: 'not_started' },
  ])
})

t.test('of a hundred top-ups a minute, ten reach Stripe', async t => {
  const { topup, stripe, clock } = await paymentsFixture(t)
  const all = await Promise.allSettled(Array.from({ length: 100 }, () => topup()))
  t.equal(all.filter(one => one.status === 'fulfilled').length, 10)
  t.equal(stripe.requests.length, 10)
  await t.rejects(topup(), { code: 'rate_limit_exceeded', retryAfter: 60 })
  clock.advance(60_000)
  await topup()
})

t.test('a suspended organization and one in billing hold may top up, and stay suspended', async t => {
  const { session, stripe, send, run, balance, hand, ada, topup } = await opened(t)
  await hand.updateTable('organizations').where('id', '=', ada.orgId).set({ suspended_at: new Date() }).execute()
  stripe.pay(session)
  await send(stripe.event('checkout.session.completed', session))
  await run()
  t.equal(await balance(), 10 * DOLLAR)
  await topup()
  const org = hand.selectFrom('organizations').where('id', '=', ada.orgId).select('suspended_at')
  t.match(await org.executeTakeFirst(), { suspended_at: Date })
})

t.test('a payment of the other mode of Stripe is left alone', async t => {
  const { hand, session, stripe, send, run, balance } = await opened(t)
  stripe.pay(session)
  await hand.updateTable('payments').set({ livemode: true }).where('session_id', '=', session.id).execute()
  await send(stripe.event('checkout.session.completed', session))
  await run()
  t.equal(await balance(), 0)
})

t.test('the built-in provider settles at once and once per request', async t => {
  const { topup, payment, differences } = await paymentsFixture(t, { provider: { kind: 'built_in' } })
  t.same(await topup({ requestKey: 'once' }), { settled: true, balanceMicros: 10 * DOLLAR })
  t.same(await topup({ requestKey: 'once' }), { settled: true, balanceMicros: 10 * DOLLAR })
  t.same(await topup(), { settled: true, balanceMicros: 20 * DOLLAR })
  t.match(await payment(), { provider: 'built_in', state: 'paid', livemode: false })
  t.same(await differences(), [])
})

t.test('without a payment provider, a top-up says so and names the command of the operator', async t => {
  const { topup } = await paymentsFixture(t, { provider: { kind: 'none' } })
  await t.rejects(topup(), {
    code: 'not_found',
    message: /^No payment provider is configured on this gateway\. Ask the operator to run: .*wallet credit/,
  })
})

t.test('no page, client secret or signing secret is in a log line or an audit row', async t => {
  const { session, stripe, send, run, lines, hand, webhookSecret } = await opened(t)
  stripe.pay(session)
  const event = stripe.event('checkout.session.completed', session)
  await t.rejects(send(event, { secret: 'whsec_wrong' }))
  await send(event)
  stripe.fail({ error: { type: 'StripeConnectionError' }, done: false })
  await run()
  const audit = await hand.selectFrom('audit').selectAll().execute()
  const text = lines.join('') + JSON.stringify(audit)
  t.match(text, 'received an event')
  for (const secret of [session.url ?? '', 'checkout.stripe', 'secret_leaked', webhookSecret]) t.notMatch(text, secret)
})

t.test('the operator lists payments and differences, and checks a payment at once', async t => {
  const made = await opened(t)
  const { session, stripe, payment, ada, balance } = made
  const services = made as unknown as OperatorServices
  const { id } = await payment()
  t.match(await runCommand(services, ['payment', 'list', '--org', ada.orgId]), {
    payments: [{ id, org: ada.orgId, state: 'open', amount: '$10.00', reversed_micros: 0, session_id: session.id }],
  })
  stripe.pay(session)
  session.currency = 'eur'
  t.match(await runCommand(services, ['payment', 'check', id]), { state: 'failed', failure: 'reconciliation' })
  t.match(await runCommand(services, ['payment', 'reconciliations']), {
    reconciliations: [
      { payment_id: id, reason: 'currency', detail: { expected: 'usd', found: 'eur', object: session.id } },
    ],
  })
  const other = await directoryOn(made.database.db, made.clock).org()
  t.same(await runCommand(services, ['payment', 'reconciliations', '--org', other.id]), { reconciliations: [] })
  session.currency = 'usd'
  t.match(await runCommand(services, ['payment', 'check', id]), { state: 'paid', charged_cents: 1000 })
  t.equal(await balance(), 10 * DOLLAR)
  t.match(await runCommand(services, ['payment', 'show', id]), { credited_at: String })
  for (const unknown of ['pay_1', `pay_${'0'.repeat(32)}`])
    await t.rejects(runCommand(services, ['payment', 'show', unknown]), { message: `There is no payment ${unknown}.` })
  const builtIn = { ...services, syncPayment: undefined }
  await t.rejects(runCommand(builtIn, ['payment', 'check', id]), { message: /^Only Stripe payments can be checked/ })
})

t.test('an older reading of Stripe never overwrites a newer one', async t => {
  let held: Promise<void> | undefined
  let arrived = () => {}
  const stripe = memoryStripe({
    travel: async () => {
      arrived()
      await held
    },
  })
  const made = await opened(t, { stripe })
  const intent = stripe.pay(made.session)
  const refund = stripe.refund(intent.id, 500)
  const name = { orgId: made.ada.orgId, id: (await made.payment()).id }
  await made.syncPayment?.(name)
  t.equal(await made.balance(), 5 * DOLLAR)

  // The refund fails, but an answer from before that is still on its way, after which another process has seen the end.
  for (const [before, after] of [
    ['succeeded', 'failed'],
    ['failed', 'succeeded'],
  ] as const) {
    refund.status = before
    const gate = Promise.withResolvers<void>()
    const read = Promise.withResolvers<void>()
    let answers = 0
    arrived = () => ++answers === 2 && read.resolve()
    held = gate.promise
    // The session is answered at once; the list of refunds travels.
    const slow = stripe.client.checkout.sessions.retrieve
    stripe.client.checkout.sessions.retrieve = (async (id: string) => {
      held = undefined
      const answer = await slow(id)
      held = gate.promise
      return answer
    }) as never
    const older = made.syncPayment?.(name)
    await read.promise
    stripe.client.checkout.sessions.retrieve = slow
    refund.status = after
    held = undefined
    await made.syncPayment?.(name)
    gate.resolve()
    await older
    t.equal(await made.balance(), after === 'failed' ? 10 * DOLLAR : 5 * DOLLAR, `${before}, then ${after}`)
  }
  t.same(await made.differences(), [])
})

t.test(
  'a repeated key never gets a payment of another provider or mode, which would be paid and not credited',
  async t => {
    const { database, clock, ada, topup, balance } = await paymentsFixture(t)
    const repeated = { orgId: ada.orgId, userId: ada.userId, requestKey: 'k1' }
    await topup(repeated)
    const live = await paymentsFixture(t, { database, clock, livemode: true })
    await t.rejects(live.topup(repeated), { code: 'idempotency_conflict' })
    t.same(live.stripe.sessions(), [])
    const builtIn = await paymentsFixture(t, { database, clock, provider: { kind: 'built_in' } })
    await t.rejects(builtIn.topup(repeated), { code: 'idempotency_conflict' })
    t.notOk(await balance())
  },
)
