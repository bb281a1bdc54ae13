import type Stripe from 'stripe'
import { forOrg, type OrgDatabase } from '../../../lib/database/tenant.ts'
import type { Jobs } from '../../../lib/jobs/jobs.ts'
import type { Logger } from '../../../schemas/gateway/log.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import { stripeIdOf } from '../customers/customers.ts'
import { readEvent, type StripeEvents } from '../provider/events.ts'
import type { StripeProvider } from '../provider/payment-provider.ts'
import { StripeFailure, withStripe } from '../provider/stripe-requests.ts'
import { type ObservedPayment, observeIntent, observeSession, recordDifferences } from './compare-payment.ts'
import { findIntent, findSession } from './find-payment.ts'
import type { PaymentPostings } from './payment-postings.ts'
import type { Payment, PaymentName, PaymentRows, VersionedPayment } from './payment-rows.ts'

/** How often a comparison starts again because another process compared the same payment. */
const ATTEMPTS = 10
/** How long after its creation a payment may still get a session. */
const STARTING_MS = 60 * 60_000

/**
 * Reads a payment at Stripe and applies its current state: credits it once it is paid, and takes back what refunds and
 * disputes took back. Repeating it is harmless. Returns the state; undefined if there is no such payment. Throws Stripe's
 * errors if the state cannot be read.
 */
export type SyncPayment = (name: PaymentName) => Promise<Payment['state'] | undefined>

interface SyncPaymentOptions extends Pick<Infrastructure, 'db' | 'clock' | 'log'> {
  rows: PaymentRows
  postings: PaymentPostings
  provider: StripeProvider
}

/** What Stripe says at one moment. */
interface Reading extends ObservedPayment {
  sessionId: string | null
  /** What refunds and disputes took back; 0 unless it is paid. */
  takenBackCents: number
}

export function createSyncPayment({ db, clock, log, rows, postings, provider }: SyncPaymentOptions): SyncPayment {
  /** Undefined if the payment has not reached Stripe yet. */
  async function read(stripe: Stripe, payment: Payment): Promise<Reading | undefined> {
    const customerId = await stripeIdOf(db, payment.orgId)
    const expected = { payment, customerId }
    const adopt = (kind: Payment['kind'], find: typeof findSession) =>
      payment.kind === kind && customerId !== null ? find(stripe, payment, customerId) : null
    const sessionId = payment.sessionId ?? (await adopt('topup', findSession))
    const intentId = payment.paymentIntentId ?? (await adopt('auto_topup', findIntent))
    const observed =
      sessionId !== null
        ? await observeSession(stripe, sessionId, expected)
        : intentId !== null
          ? await observeIntent(stripe, intentId, expected)
          : undefined
    if (observed === undefined) return undefined
    const { paymentIntentId, chargedCents } = observed
    const taken = paymentIntentId === null || chargedCents === 0 ? 0 : await takenBackCents(stripe, paymentIntentId)
    return { ...observed, sessionId, takenBackCents: taken }
  }

  /** Whether the payment still had the version that was read. */
  async function apply(org: OrgDatabase, payment: VersionedPayment, reading: Reading): Promise<boolean> {
    const { state, sessionId, paymentIntentId, failure, mismatches } = reading
    const credited = payment.creditedAt !== null
    const creditable = state === 'paid' && mismatches.length === 0
    const change = {
      ...(sessionId !== null && { sessionId }),
      ...(paymentIntentId !== null && { paymentIntentId }),
      ...(!credited && !creditable && { state: state === 'paid' ? 'failed' : state, failure }),
      ...(mismatches.length > 0 && !credited && { failure: 'reconciliation' }),
    } as const
    if (!(await rows.change(org, payment, change))) return false
    if (!credited && mismatches.length > 0) await recordMismatches(org, payment, reading)
    if (!credited && !creditable) return true
    const { chargedCents } = reading
    if (!credited) await postings.credit(org, payment, { chargedCents, by: 'job' })
    const creditedMicros = payment.amountMicros
    const charged = payment.chargedCents ?? chargedCents
    const target = reversalTarget({ creditedMicros, chargedCents: charged, takenBackCents: reading.takenBackCents })
    await postings.reverse(org, payment, target)
    return true
  }

  async function recordMismatches(
    org: OrgDatabase,
    { id }: Payment,
    { mismatches, sessionId, paymentIntentId }: Reading,
  ) {
    const object = sessionId ?? paymentIntentId
    await recordDifferences(org, { paymentId: id, object, at: new Date(clock.now()) }, mismatches)
    log.error(
      { orgId: org.orgId, payment: id, mismatches },
      'a paid payment differs from our row: nothing was credited',
    )
  }

  return async name => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const payment = await rows.find(name)
      if (payment === undefined || payment.provider !== 'stripe') return payment?.state
      if (payment.livemode !== provider.livemode) {
        log.warn({ payment: payment.id, livemode: payment.livemode }, 'skipped a payment of the other mode of Stripe')
        return payment.state
      }
      const reading = await read(await provider.client(), payment)
      if (reading === undefined) {
        if (clock.now() - payment.createdAt.getTime() < STARTING_MS) return payment.state
        await rows.fail(name, 'not_started')
        return 'failed'
      }
      const applied = await forOrg(db, name.orgId).transaction(org => apply(org, payment, reading))
      if (applied) return (await rows.find(name))?.state
    }
    throw new Error(`Payment ${name.id} was changed by others ${ATTEMPTS} times; the next run tries again`)
  }
}

/** Reads how many cents of a charge refunds and disputes have taken back, at this moment. */
async function takenBackCents(stripe: Stripe, paymentIntentId: string): Promise<number> {
  let cents = 0
  for await (const refund of stripe.refunds.list({ payment_intent: paymentIntentId, limit: 100 }))
    if (refund.status !== 'failed' && refund.status !== 'canceled') cents += refund.amount
  for await (const dispute of stripe.disputes.list({ payment_intent: paymentIntentId, limit: 100 }))
    cents += withdrawnCents(dispute)
  return cents
}

/** What a dispute has withdrawn: nothing for an inquiry, and nothing after it was won. */
function withdrawnCents({ amount, currency, status, balance_transactions: moves }: Stripe.Dispute): number {
  const withdrawn = -moves.reduce((sum, move) => sum + move.amount, 0)
  if (withdrawn <= 0) return 0
  if (moves.every(move => move.currency === currency)) return withdrawn
  // An account that is paid out in another currency has its balance transactions in that one. What returns after a won
  // dispute may be less, by another exchange rate.
  return status === 'won' && moves.some(move => move.amount > 0) ? 0 : amount
}

/**
 * What of a credit is to be taken back in total, in micro-dollars: the share of the charge that refunds and disputes took
 * back. It depends only on the current state, so that the order and repetition of events do not matter.
 */
function reversalTarget(payment: { creditedMicros: number; chargedCents: number; takenBackCents: number }): number {
  const { creditedMicros, chargedCents, takenBackCents: cents } = payment
  const share = (BigInt(creditedMicros) * BigInt(cents)) / BigInt(chargedCents)
  return Math.min(creditedMicros, Number(share))
}

const KIND = 'payments.reconcile'
const HOUR_MS = 3_600_000
/** Payments that one run compares. The longest unchecked come first, so every payment has its turn. */
const MOST_PAYMENTS = 200
/** Lost events that one run takes, and events that it reads to find them. */
const MOST_EVENTS = 1_000
const MOST_READ = 10_000
/** Stripe keeps events for 30 days. */
const KEPT_MS = 30 * 24 * HOUR_MS

interface ReconcileOptions extends Pick<Infrastructure, 'clock'> {
  rows: PaymentRows
  sync: SyncPayment
  events: StripeEvents
  provider: StripeProvider
}

/**
 * Defines the hourly job that finds what webhooks did not bring: events that Stripe could not deliver, and payments that
 * have been open for more than an hour. It applies them like a webhook.
 */
export function defineReconcile(jobs: Jobs, { clock, rows, sync, events, provider }: ReconcileOptions): void {
  async function takeLostEvents(signal: AbortSignal): Promise<number> {
    let read = 0
    let taken = 0
    const stripe = await provider.client()
    const created = { gte: Math.floor((clock.now() - KEPT_MS) / 1000) }
    for await (const listed of stripe.events.list({ delivery_success: false, created, limit: 100 })) {
      const event = readEvent(listed)
      // The list has the events of all endpoints of the account.
      const ours = event?.livemode === provider.livemode && events.concerns(event)
      if (ours && (await events.receive(event))) taken++
      if (++read >= MOST_READ || taken >= MOST_EVENTS || signal.aborted) break
    }
    return taken
  }

  async function compareOpenPayments(signal: AbortSignal, log: Logger): Promise<number> {
    const before = new Date(clock.now() - HOUR_MS)
    const open = await rows.unsettled({ before, livemode: provider.livemode, limit: MOST_PAYMENTS })
    for (const [index, payment] of open.entries()) {
      if (signal.aborted) return index
      try {
        await withStripe(() => sync(payment))
      } catch (error) {
        // Without Stripe, no other payment can be compared either.
        if (error instanceof StripeFailure && error.kind === 'unknown') throw error
        log.error({ err: error, payment: payment.id }, 'cannot compare a payment with Stripe; the next run tries again')
      }
    }
    return open.length
  }

  jobs.define(KIND, async (_payload, { signal, log }) => {
    const compared = await compareOpenPayments(signal, log)
    const taken = await withStripe(() => takeLostEvents(signal))
    if (compared + taken > 0) log.info({ payments: compared, events: taken }, 'reconciled payments with Stripe')
  })
  jobs.every(KIND, HOUR_MS)
}
