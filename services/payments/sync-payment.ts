import type { Kysely } from 'kysely'
import type Stripe from 'stripe'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg, type OrgDatabase } from '../../lib/database/tenant.ts'
import type { Logger } from '../../schemas/log.ts'
import type { Clock } from '../../schemas/time.ts'
import { adoptIntent, adoptSession } from './adopt.ts'
import { stripeIdOf } from './customers.ts'
import { recordDifferences } from './differences.ts'
import { type ObservedPayment, observeIntent, observeSession } from './observe-payment.ts'
import type { Payment } from './payment.ts'
import type { StripeProvider } from './payment-provider.ts'
import type { PaymentName, PaymentRows, VersionedPayment } from './payment-rows.ts'
import type { Settle } from './settle.ts'
import { reversalTarget, takenBackCents } from './taken-back.ts'

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

interface SyncPaymentOptions {
  db: Kysely<Database>
  clock: Clock
  log: Logger
  rows: PaymentRows
  settle: Settle
  provider: StripeProvider
}

/** What Stripe says at one moment. */
interface Reading extends ObservedPayment {
  sessionId: string | null
  /** What refunds and disputes took back; 0 unless it is paid. */
  takenBackCents: number
}

export function createSyncPayment({ db, clock, log, rows, settle, provider }: SyncPaymentOptions): SyncPayment {
  /** Undefined if the payment has not reached Stripe yet. */
  async function read(stripe: Stripe, payment: Payment): Promise<Reading | undefined> {
    const customerId = await stripeIdOf(db, payment.orgId)
    const expected = { payment, customerId }
    const adopt = (kind: Payment['kind'], find: typeof adoptSession) =>
      payment.kind === kind && customerId !== null ? find(stripe, payment, customerId) : null
    const sessionId = payment.sessionId ?? (await adopt('topup', adoptSession))
    const intentId = payment.paymentIntentId ?? (await adopt('auto_topup', adoptIntent))
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
    if (!credited) await settle.credit(org, payment, { chargedCents, by: 'job' })
    const creditedMicros = payment.amountMicros
    const charged = payment.chargedCents ?? chargedCents
    const target = reversalTarget({ creditedMicros, chargedCents: charged, takenBackCents: reading.takenBackCents })
    await settle.reverse(org, payment, target)
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
