import type { Kysely } from 'kysely'
import type { Audit } from '../../lib/audit/audit.ts'
import type { Database } from '../../lib/database/tables.ts'
import type { Jobs } from '../../lib/jobs/jobs.ts'
import type { Counters } from '../../lib/rate-counters/counters.ts'
import type { IdSource } from '../../schemas/ids.ts'
import type { Logger } from '../../schemas/log.ts'
import type { Clock } from '../../schemas/time.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import { createAutoCharge } from './auto-charge.ts'
import { type AutoTopupSettings, createAutoTopupSettings } from './auto-topup-settings.ts'
import { defineAutoTopups } from './auto-topups.ts'
import { type ApplyObjects, createStripeEvents } from './events.ts'
import { createFindPayment, type FindPayment } from './find-payment.ts'
import { createPaymentHistory, type PaymentHistory } from './payment-history.ts'
import type { PaymentProvider, StripeProvider } from './payment-provider.ts'
import { createPaymentRows, type PaymentRows } from './payment-rows.ts'
import { defineReconcile } from './reconcile-payments.ts'
import { createSettle, type Settle } from './settle.ts'
import { createSyncPayment, type SyncPayment } from './sync-payment.ts'
import type { TopupLimits } from './topup-limits.ts'
import { createTopups, type Topups } from './topups.ts'
import { createWebhooks, type Webhooks } from './webhooks.ts'

interface PaymentsOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  log: Logger
  audit: Audit
  jobs: Jobs
  counters: Counters
  commands: OperatorCommands
  provider: PaymentProvider
  /** The signing secrets of Stripe's webhook. */
  webhookSecrets: readonly string[]
  topupLimits: TopupLimits
  /** The customer of an organization at Stripe, created if there is none. */
  ensureCustomer(orgId: string): Promise<string>
  /** How the objects of subscriptions are applied. */
  applyPlans: ApplyObjects
}

/** The services of payments. */
export interface Payments {
  topups: Topups
  autoTopupSettings: AutoTopupSettings
  paymentHistory: PaymentHistory
  /** Undefined without Stripe. */
  webhooks: Webhooks | undefined
  /** Compares a payment with Stripe; undefined without Stripe. */
  syncPayment: SyncPayment | undefined
}

/** What payments by Stripe add. */
interface StripePayments {
  webhooks: Webhooks
  syncPayment: SyncPayment
}

export function createPayments(options: PaymentsOptions): Payments {
  const { provider } = options
  const rows = createPaymentRows(options)
  const settle = createSettle(options)
  const topups = createTopups({ ...options, rows, settle, limits: options.topupLimits })
  const paymentHistory = createPaymentHistory(options)
  const autoTopupSettings = createAutoTopupSettings({ ...options, limits: options.topupLimits })
  const made = { topups, autoTopupSettings, paymentHistory }
  if (provider.kind === 'built_in') defineAutoTopups(options.jobs, { ...options, rows, settle, provider: null })
  if (provider.kind !== 'stripe') return { ...made, webhooks: undefined, syncPayment: undefined }
  return { ...made, ...createStripePayments({ ...options, provider, rows, settle }) }
}

/** Wires what reads and applies the state of objects at Stripe. */
function createStripePayments(
  options: PaymentsOptions & { provider: StripeProvider; rows: PaymentRows; settle: Settle },
): StripePayments {
  const { jobs, provider, rows } = options
  const { livemode } = provider
  const sync = createSyncPayment(options)
  defineAutoTopups(jobs, { ...options, provider: { livemode, charge: createAutoCharge(provider), sync } })
  const find = createFindPayment({ rows, client: provider.client })
  const events = createStripeEvents({ ...options, handlers: [applyPayments(find, sync), options.applyPlans] })
  defineReconcile(jobs, { ...options, sync, events })
  return { syncPayment: sync, webhooks: createWebhooks({ ...options, secrets: options.webhookSecrets, events }) }
}

/** Any event of a payment, a refund or a dispute leads to the same: the payment is brought to its current state. */
function applyPayments(find: Readonly<Record<string, FindPayment>>, sync: SyncPayment): ApplyObjects {
  return Object.fromEntries(
    Object.entries(find).map(([type, findPayment]) => [
      type,
      async (objectId: string) => {
        const payment = await findPayment(objectId)
        if (payment !== undefined) await sync(payment)
      },
    ]),
  )
}
