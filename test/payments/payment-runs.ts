import { deepEqual, equal } from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import { DOLLAR } from '../../schemas/billing/money.ts'
import { testDatabase } from '../fixtures/database.ts'
import { directoryOn } from '../fixtures/directory.ts'
import { testClock } from '../fixtures/fixture.ts'
import fc from '../fixtures/property.ts'
import { memoryStripe } from './memory-stripe.ts'
import { paymentsFixture } from './payments-fixture.ts'

/** What happens at Stripe, on the way, and in two processes. `of` chooses among what there is. */
type Step =
  | { kind: 'pay'; tax: number; slow: boolean }
  | { kind: 'succeed' | 'fail' }
  | { kind: 'refund' | 'dispute'; cents: number }
  | { kind: 'inquiry' }
  | { kind: 'refund fails' | 'win' | 'deliver' | 'deliver again'; of: number }
  | { kind: 'run'; process: number }
  | { kind: 'wait' }

const cents = fc.oneof(fc.integer({ min: 1, max: 1300 }), fc.constantFrom(1, 500, 1000, 1190))
const of = fc.nat(20)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('pay'), tax: fc.constantFrom(0, 0, 190, 7), slow: fc.boolean() }),
  fc.record({ kind: fc.constantFrom('succeed', 'succeed', 'fail') }),
  fc.record({ kind: fc.constantFrom('refund', 'refund', 'dispute'), cents }),
  fc.record({ kind: fc.constant('inquiry') }),
  fc.record({ kind: fc.constantFrom('refund fails', 'win', 'deliver', 'deliver', 'deliver', 'deliver again'), of }),
  fc.record({ kind: fc.constant('run'), process: fc.nat(1) }),
  fc.record({ kind: fc.constant('wait') }),
)

/**
 * Runs payments, refunds and disputes whose events arrive in any order, repeated, late or not at all, in two processes whose
 * readings overlap. At the end the wallet must have what the sums at Stripe say, and the audit finds nothing.
 */
export async function runPayments(t: Test, { runs }: { runs: number }): Promise<void> {
  const database = await testDatabase(t)
  const clock = testClock(Date.now())
  let late = 0
  const stripe = memoryStripe({ now: clock.now, travel: () => delay(++late % 3) })
  const first = await paymentsFixture(t, { database, clock, stripe })
  const second = await paymentsFixture(t, { database, clock, stripe, webhookSecret: first.webhookSecret })

  const property = fc.asyncProperty(fc.array(step, { maxLength: 25, size: 'max' }), async steps => {
    const [payer] = await directoryOn(database.db, clock).members('owner')
    await first.topup({ orgId: payer.orgId, userId: payer.userId })
    const session = stripe.sessions().at(-1)
    if (session === undefined) throw new Error('There is no session')
    const pending: object[] = []
    const delivered: object[] = []
    const running: Promise<unknown>[] = []
    const refunds: ReturnType<typeof stripe.refund>[] = []
    const disputes: ReturnType<typeof stripe.dispute>[] = []
    const happened = (type: string, object: { id: string; object: string }) => pending.push(stripe.event(type, object))
    const charge = () => ({ id: (session.payment_intent ?? '').replace('pi', 'ch'), object: 'charge' })
    const isPaid = () => session.payment_status === 'paid'
    const pick = <O>(list: O[], index: number) => list[index % Math.max(1, list.length)]

    function atStripe(now: Step): void {
      switch (now.kind) {
        case 'pay':
          if (session?.status !== 'open') return
          stripe.pay(session, now)
          happened('checkout.session.completed', session)
          return
        case 'succeed':
        case 'fail': {
          if (session?.status !== 'complete' || isPaid()) return
          const intent = stripe.objects.get(session.payment_intent ?? '') as ReturnType<typeof stripe.pay>
          if (now.kind === 'succeed') stripe.succeed(session)
          else intent.status = 'requires_payment_method'
          happened(`checkout.session.async_payment_${now.kind}ed`, session)
          happened('payment_intent.updated', intent)
          return
        }
        case 'refund':
          if (!isPaid()) return
          refunds.push(stripe.refund(session?.payment_intent ?? '', now.cents))
          happened('charge.refunded', charge())
          return
        case 'refund fails': {
          const refund = pick(refunds, now.of)
          if (refund === undefined) return
          refund.status = now.of % 2 === 0 ? 'failed' : 'canceled'
          happened('refund.updated', refund)
          return
        }
        case 'dispute':
        case 'inquiry': {
          if (!isPaid()) return
          const amount = now.kind === 'dispute' ? now.cents : 100
          const dispute = stripe.dispute(session?.payment_intent ?? '', amount, { inquiry: now.kind === 'inquiry' })
          disputes.push(dispute)
          happened('charge.dispute.created', dispute)
          return
        }
        case 'win': {
          const dispute = pick(disputes, now.of)
          if (dispute === undefined || dispute.status === 'won') return
          stripe.win(dispute)
          happened('charge.dispute.closed', dispute)
        }
      }
    }

    for (const now of steps) {
      if (now.kind === 'run') running.push([first, second][now.process]?.run() ?? Promise.resolve())
      else if (now.kind === 'wait') await Promise.all(running)
      else if (now.kind === 'deliver') {
        const [event] = pending.splice(now.of % Math.max(1, pending.length), 1)
        if (event === undefined) continue
        delivered.push(event)
        await first.send(event)
      } else if (now.kind === 'deliver again') {
        const event = pick(delivered, now.of)
        if (event !== undefined) await second.send(event)
      } else atStripe(now)
    }
    await Promise.all(running)

    // What is open ends, so that later runs do not compare it again.
    if (session.status === 'open') session.status = 'expired'
    else if (!isPaid()) (stripe.objects.get(session.payment_intent ?? '') as { status: string }).status = 'canceled'

    // What is not delivered is found by the hourly job.
    stripe.undelivered.splice(0, Number.POSITIVE_INFINITY, ...pending)
    clock.advance(2 * 3_600_000)
    await Promise.all([first.run(), second.run()])
    clock.advance(2 * 3_600_000)
    await first.run()

    const back = [
      ...refunds.filter(({ status }) => status === 'succeeded'),
      ...disputes.filter(({ status }) => status === 'needs_response'),
    ]
    const taken = back.reduce((sum, { amount }) => sum + amount, 0)
    const credited = isPaid() ? 10 * DOLLAR : 0
    const target = isPaid() ? Math.min(credited, Math.floor((credited * taken) / session.amount_total)) : 0
    equal(await first.balance(payer.orgId), credited - target)
    const payment = await first.payment(payer.orgId)
    deepEqual([payment.state === 'paid', payment.reversed_micros], [isPaid(), target])
    deepEqual(await first.reconciliations(), [])
  })
  await fc.assert(property, { numRuns: runs, endOnFailure: true })
  deepEqual(await first.differences(), [])
  const credits = (await first.postings()).filter(({ kind }) => kind === 'credit')
  equal(new Set(credits.map(({ id }) => id)).size, credits.length)
}
