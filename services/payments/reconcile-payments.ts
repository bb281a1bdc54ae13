import type { Jobs } from '../../lib/jobs/jobs.ts'
import type { Logger } from '../../schemas/log.ts'
import type { Clock } from '../../schemas/time.ts'
import { readEvent, type StripeEvents } from './events.ts'
import type { StripeProvider } from './payment-provider.ts'
import type { PaymentRows } from './payment-rows.ts'
import { StripeFailure, withStripe } from './stripe-failure.ts'
import type { SyncPayment } from './sync-payment.ts'

const KIND = 'payments.reconcile'
const HOUR_MS = 3_600_000
/** Payments that one run compares. The longest unchecked come first, so every payment has its turn. */
const MOST_PAYMENTS = 200
/** Lost events that one run takes, and events that it reads to find them. */
const MOST_EVENTS = 1_000
const MOST_READ = 10_000
/** Stripe keeps events for 30 days. */
const KEPT_MS = 30 * 24 * HOUR_MS

interface ReconcileOptions {
  jobs: Jobs
  clock: Clock
  rows: PaymentRows
  sync: SyncPayment
  events: StripeEvents
  provider: StripeProvider
}

/**
 * Defines the hourly job that finds what webhooks did not bring: events that Stripe could not deliver, and payments that
 * have been open for more than an hour. It applies them like a webhook.
 */
export function defineReconcile(
  jobs: Jobs,
  { clock, rows, sync, events, provider }: Omit<ReconcileOptions, 'jobs'>,
): void {
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
