import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { DOLLAR } from '../../../schemas/billing/money.ts'
import { createLedger } from '../../../services/billing/ledger.ts'
import { asWritten } from '../../fixtures/database.ts'
import { commands } from '../../fixtures/operator-commands.ts'
import { paymentsFixture } from '../../payments/payments-fixture.ts'

const HOUR_MS = 3_600_000

/** An organization with 12 dollars and a saved card that tops up 20 dollars below 10, up to 100 in a month. */
async function stage(
  t: Test,
  { method = 'pm_good', ...options }: Parameters<typeof paymentsFixture>[1] & { method?: string } = {},
) {
  const fixture = await paymentsFixture(t, options)
  const { ada, stripe, hand, clock, autoTopupSettings, newCustomer, run } = fixture
  const { orgId, userId } = ada
  const ledger = createLedger({ db: hand, thresholdMicros: 0, commands })
  const customer = await newCustomer(orgId)
  stripe.methods.push({ id: method, customer })
  await ledger.credit(hand, { orgId, id: 'txn_first', amountMicros: 12 * DOLLAR, description: 'Top-up' })
  const change = (facts: Parameters<typeof autoTopupSettings.change>[1]) =>
    autoTopupSettings.change({ orgId, userId }, facts)
  await change({ thresholdMicros: 10 * DOLLAR, amountMicros: 20 * DOLLAR, monthlyMicros: 100 * DOLLAR, enabled: true })
  // The jobs of the hour have run.
  await run()
  let holds = 0
  const hold = async (dollars: number) => {
    const name = { orgId, id: `hld_${++holds}` }
    await ledger.hold({ ...name, userId, keyId: null, tool: 'a__b', amountMicros: dollars * DOLLAR })
    return name
  }
  return {
    ...fixture,
    orgId,
    ledger,
    hold,
    change,
    customer,
    settings: () => autoTopupSettings.read(orgId),
    async spend(dollars: number) {
      await ledger.capture(hand, await hold(dollars), dollars * DOLLAR)
    },
    /** Advances the clock, and runs the jobs that are due then. */
    async wait(ms = 15_000) {
      clock.advance(ms)
      await run()
    },
    dollars: async () => ((await fixture.balance()) ?? 0) / DOLLAR,
    charges: () => stripe.requests.filter(request => request.startsWith('charge auto:')),
    states: async () => {
      const payments = hand.selectFrom('payments').where('kind', '=', 'auto_topup').orderBy('created_at').selectAll()
      return (await payments.execute()).map(({ state, failure }) => [state, failure].filter(Boolean).join(' '))
    },
    actions: async () => {
      const rows = hand
        .selectFrom('audit')
        .where('action', 'like', 'auto_topup.%')
        .orderBy('at')
        .orderBy(asWritten)
        .selectAll()
      return (await rows.execute()).map(({ action, user_id }) => `${action}${user_id === null ? ' by the job' : ''}`)
    },
  }
}

t.test('the audit says that automatic top-ups were switched off only if they were on', async t => {
  const { change, actions } = await stage(t)
  await change({ enabled: false })
  await change({ amountMicros: 30 * DOLLAR })
  t.same(await actions(), ['auto_topup.set', 'auto_topup.disable', 'auto_topup.set'])
})

t.test('a balance below the threshold is topped up once, with the saved card', async t => {
  const { wait, spend, dollars, charges, stripe, settings, states, differences, customer } = await stage(t)
  await wait()
  t.same(charges(), [], 'not above the threshold')
  await spend(3)
  await wait()
  t.equal(await dollars(), 29)
  t.same(await states(), ['paid'])
  t.match(stripe.intents(), [{ amount: 2_000, customer, status: 'succeeded' }])
  await wait()
  t.equal(charges().length, 1)
  t.match(await settings(), { enabled: true, chargedMicros: 20 * DOLLAR })
  t.same(await differences(), [])
})

t.test('without the consent of an admin nothing is charged', async t => {
  const { wait, spend, change, charges } = await stage(t)
  await change({ enabled: false })
  await spend(12)
  await wait()
  t.same(charges(), [])
})

t.test('500 holds and several processes during a top-up make one PaymentIntent', async t => {
  const { wait, hold, ledger, hand, jobs, stripe, charges, dollars, differences } = await stage(t)
  const names = await Promise.all(Array.from({ length: 500 }, () => hold(0.02)))
  const captures = names.map(name => ledger.capture(hand, name, 20_000))
  await Promise.all([...captures, ...[1, 2, 3, 4].map(() => wait()), jobs.runDue()])
  await wait()
  t.equal(stripe.intents().length, 1)
  t.equal(charges().length, 1)
  t.equal(await dollars(), 22)
  t.same(await differences(), [])
})

t.test('three top-ups in 24 hours and the monthly limit are the most', async t => {
  const { wait, spend, stripe, dollars, clock } = await stage(t)
  // Far from the end of a month.
  const now = new Date(clock.now())
  clock.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 12) - clock.now())
  const exhaust = async () => {
    await spend(await dollars())
    await wait()
  }
  for (let times = 0; times < 5; times++) await exhaust().catch(() => {})
  t.equal(stripe.intents().length, 3)
  for (let hours = 0; hours < 30; hours++) {
    await wait(HOUR_MS)
    await exhaust().catch(() => {})
  }
  t.equal(stripe.intents().length, 5, 'five times 20 dollars are the limit of 100')
  await wait(31 * 24 * HOUR_MS)
  t.equal(stripe.intents().length, 6, 'a new month')
})

t.test('a refusal that needs the buyer switches automatic top-ups off at once', async t => {
  const { wait, spend, settings, states, actions, lines, charges } = await stage(t, { method: 'pm_authentication' })
  await spend(3)
  await wait()
  await wait(2 * HOUR_MS)
  t.same(await states(), ['failed authentication_required'])
  t.match(await settings(), { enabled: false, chargedMicros: 0 })
  t.same(await actions(), ['auto_topup.set', 'auto_topup.disable by the job'])
  t.equal(charges().length, 1)
  t.match(lines.join(), /automatic top-ups are switched off: tell the admins/)
  t.notMatch(lines.join(), /secret/)
})

t.test('the second refusal in a row switches automatic top-ups off, an hour after the first one', async t => {
  const { wait, spend, settings, states, charges, change } = await stage(t, { method: 'pm_declined' })
  await spend(3)
  await wait()
  await wait()
  t.equal(charges().length, 1, 'not before an hour')
  t.match(await settings(), { enabled: true })
  await wait(HOUR_MS)
  t.same(await states(), ['failed card_declined', 'failed card_declined'])
  t.match(await settings(), { enabled: false })
  await change({ enabled: true })
  t.match(await settings(), { enabled: true }, 'switched on again, earlier refusals do not count')
  await wait(HOUR_MS + 1)
  t.equal(charges().length, 3)
  t.match(await settings(), { enabled: true })
})

t.test('only refusals in a row count', async t => {
  const { wait, spend, hand, dollars, states, settings } = await stage(t, { method: 'pm_declined' })
  const useMethod = (id: string) => sql`update customers set default_payment_method = ${id}`.execute(hand)
  await spend(3)
  await wait()
  await useMethod('pm_good')
  await wait(HOUR_MS)
  t.equal(await dollars(), 29)
  await useMethod('pm_declined')
  await spend(20)
  await wait(HOUR_MS)
  t.same(await states(), ['failed card_declined', 'paid', 'failed card_declined'])
  t.match(await settings(), { enabled: true })
})

t.test('a charge whose answer was lost is repeated with the same key, and credited once', async t => {
  for (const done of [true, false]) {
    const { wait, spend, stripe, dollars, states, charges } = await stage(t)
    await spend(3)
    stripe.fail({ error: { type: 'StripeConnectionError' }, done })
    await wait()
    t.same(await states(), ['created'])
    await wait()
    t.same([await dollars(), await states(), stripe.intents().length], [29, ['paid'], 1], `done: ${done}`)
    t.equal(new Set(charges()).size, 1)
  }
})

t.test(
  'a charge whose answer was lost is found by the hourly job, also if they are switched off meanwhile',
  async t => {
    const { wait, spend, stripe, dollars, states, change, charges } = await stage(t)
    await spend(3)
    stripe.fail({ error: { type: 'StripeConnectionError' }, done: true })
    await wait()
    await change({ enabled: false })
    await wait(2 * HOUR_MS)
    await wait(2 * HOUR_MS)
    t.same([await dollars(), await states(), charges().length], [29, ['paid'], 1])
  },
)

t.test(
  'a charge whose answer was lost more than a day ago, when Stripe has forgotten its key, is not repeated',
  async t => {
    for (const done of [true, false]) {
      const { wait, spend, stripe, dollars, states, charges, change } = await stage(t)
      await spend(3)
      stripe.fail({ error: { type: 'StripeConnectionError' }, done })
      await wait()
      // No process runs meanwhile.
      stripe.forgetKeys()
      await change({ monthlyMicros: 20 * DOLLAR })
      await wait(25 * HOUR_MS)
      await wait()
      const [paid, state] = done ? [29, 'paid'] : [29, 'failed not_started,paid']
      t.same([await dollars(), (await states()).join()], [paid, state], `done: ${done}`)
      t.equal(stripe.intents().length, 1)
      t.equal(new Set(charges()).size, done ? 1 : 2)
    }
  },
)

t.test('a charge with an unknown outcome is not repeated while the organization is suspended', async t => {
  const { wait, spend, stripe, hand, orgId, charges, dollars } = await stage(t)
  await spend(3)
  stripe.fail({ error: { type: 'StripeConnectionError' }, done: false })
  await wait()
  const suspend = (at: Date | null) =>
    hand.updateTable('organizations').set({ suspended_at: at }).where('id', '=', orgId).execute()
  await suspend(new Date(0))
  await wait()
  t.same([charges().length, stripe.intents().length], [1, 0])
  await suspend(null)
  await wait()
  t.same([stripe.intents().length, await dollars()], [1, 29])
})

t.test('what the test mode or the built-in provider left open charges nobody in the live mode', async t => {
  for (const provider of ['stripe', 'built_in'] as const) {
    const { database, clock, hand, orgId, spend, wait, stripe } = await stage(t)
    await spend(3)
    stripe.fail({ error: { type: 'StripeConnectionError' }, done: false })
    await wait()
    await hand.updateTable('payments').set({ provider }).execute()
    const live = await paymentsFixture(t, { database, clock, livemode: true })
    const customer = { livemode: true, stripe_id: 'cus_live', default_payment_method: 'pm_good' }
    await hand.updateTable('customers').set(customer).where('org_id', '=', orgId).execute()
    clock.advance(15_000)
    await live.run()
    const payments = hand.selectFrom('payments').select(['livemode', 'state', 'failure']).orderBy('created_at')
    t.same(
      await payments.execute(),
      [
        { livemode: false, state: 'expired', failure: 'other_provider' },
        { livemode: true, state: 'paid', failure: null },
      ],
      provider,
    )
    t.equal(live.stripe.intents().length, 1)
  }
})

t.test('a card that was saved in the test mode switches nothing on in the live mode', async t => {
  const { database, clock, ada } = await stage(t)
  const live = await paymentsFixture(t, { database, clock, livemode: true })
  const change = live.autoTopupSettings.change(ada, { enabled: true })
  await t.rejects(change, { code: 'invalid_request', message: /saved payment method/ })
  t.same(live.stripe.requests, [])
})

t.test('a charge that Stripe rejects has failed, unless an earlier attempt was taken', async t => {
  const { wait, spend, stripe, states, dollars } = await stage(t)
  await spend(3)
  stripe.fail({ error: { type: 'StripeInvalidRequestError', statusCode: 400 }, done: false })
  await wait()
  t.same(await states(), ['failed rejected'])
  await wait(HOUR_MS + 1)
  stripe.fail({ error: { type: 'StripeIdempotencyError', statusCode: 400 }, done: true })
  await wait(HOUR_MS + 1)
  t.same(await states(), ['failed rejected', 'paid'])
  t.equal(await dollars(), 29)
})

t.test('a refund or a dispute switches automatic top-ups off, instead of charging again what it took back', async t => {
  for (const how of ['refund', 'dispute'] as const) {
    const { wait, spend, stripe, dollars, send, run, settings, actions, charges, lines, differences } = await stage(t)
    await spend(3)
    await wait()
    const [intent] = stripe.intents()
    if (intent === undefined) throw new Error('nothing was charged')
    await send(stripe.event('charge.updated', stripe[how](intent.id, 2000)))
    await run()
    t.same([await dollars(), (await settings()).enabled], [9, false], how)
    await wait()
    t.equal(charges().length, 1)
    t.same(await actions(), ['auto_topup.set', 'auto_topup.disable by the job'])
    t.match(lines.join(''), 'tell the admins')
    t.same(await differences(), [])
  }
})

t.test('switched on again, automatic top-ups charge the card that was saved last', async t => {
  const { wait, spend, stripe, customer, change, dollars, states } = await stage(t, { method: 'pm_declined' })
  await spend(3)
  await wait()
  t.same(await states(), ['failed card_declined'])
  stripe.methods.unshift({ id: 'pm_new', customer })
  await change({ enabled: true, monthlyMicros: 90 * DOLLAR })
  await wait(HOUR_MS + 1)
  t.same(await states(), ['failed card_declined', 'failed card_declined'], 'while they are on, the card stays')
  await change({ enabled: false })
  await change({ enabled: true })
  await wait(HOUR_MS + 1)
  t.same(await dollars(), 29)
})

t.test('a card that Stripe no longer has is replaced when an admin sends the settings', async t => {
  const { wait, spend, stripe, customer, change, dollars, hand } = await stage(t)
  stripe.methods.splice(0, 1, { id: 'pm_new', customer })
  await change({ enabled: true })
  const saved = await hand.selectFrom('customers').select('default_payment_method as method').executeTakeFirstOrThrow()
  t.equal(saved.method, 'pm_new')
  await spend(3)
  await wait()
  t.equal(await dollars(), 29)
  stripe.methods.splice(0, 1)
  await t.rejects(change({ enabled: true }), { code: 'invalid_request', message: /saved payment method/ })
})

t.test('money that arrives after a suspension is credited, and the organization stays suspended', async t => {
  const { wait, spend, stripe, hand, orgId, dollars, send, run } = await stage(t)
  await spend(3)
  stripe.fail({ error: { type: 'StripeConnectionError' }, done: true })
  await wait()
  await sql`update organizations set suspended_at = now() where id = ${orgId}`.execute(hand)
  await wait()
  const [intent] = stripe.intents()
  if (intent !== undefined) await send(stripe.event('payment_intent.succeeded', intent))
  await run()
  t.equal(await dollars(), 29)
  const organization = await hand
    .selectFrom('organizations')
    .where('id', '=', orgId)
    .selectAll()
    .executeTakeFirstOrThrow()
  t.ok(organization.suspended_at)
  await spend(0).catch(() => {})
  t.equal(stripe.intents().length, 1)
})

t.test('a suspended organization is not topped up', async t => {
  const { wait, spend, hand, orgId, charges } = await stage(t)
  await spend(3)
  await sql`update organizations set suspended_at = now() where id = ${orgId}`.execute(hand)
  await wait()
  t.same(charges(), [])
})

t.test('the built-in provider tops up at once and charges nobody', async t => {
  const { wait, spend, dollars, charges, differences } = await stage(t, { provider: { kind: 'built_in' } })
  await spend(3)
  await wait()
  t.equal(await dollars(), 29)
  t.same(charges(), [])
  t.same(await differences(), [])
})
