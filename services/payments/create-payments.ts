import type { GatewayError } from '../../lib/errors/errors.ts'
import type { GatewayEnvironment } from '../../schemas/gateway/environment.ts'
import type { BillingThreshold, Standings } from '../billing/standings.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { createBillingProfiles } from './customers/billing-profile.ts'
import { createCustomers, createEnsureCustomer } from './customers/customers.ts'
import { createPaymentMethods } from './customers/payment-methods.ts'
import type { MoneySettings } from './money-settings.ts'
import { createPlanChanges } from './plans/plan-changes.ts'
import { createPlanCheckouts } from './plans/plan-checkouts.ts'
import { createPlanLedger, type PlanLedger } from './plans/plan-ledger.ts'
import { createPlanOf, type PlanOf } from './plans/plan-status.ts'
import { createPlans, type Plans } from './plans/plans.ts'
import { defineRenewals } from './plans/renew-plans.ts'
import { createStripeSubscriptions } from './plans/stripe-subscriptions.ts'
import { type CardSubscriptions, createSubscribing, type Subscribing } from './plans/subscribe.ts'
import type { SubscriptionProvider } from './plans/subscription.ts'
import { createSubscriptionRows, type SubscriptionRows } from './plans/subscription-rows.ts'
import { createSyncSubscriptions, defineResync, type SyncSubscriptions } from './plans/sync-subscription.ts'
import { type ApplyObjects, createStripeEvents, createWebhooks, type Webhooks } from './provider/events.ts'
import {
  createStripeProvider,
  noProvider,
  type PaymentProvider,
  type StripeProvider,
} from './provider/payment-provider.ts'
import { createAutoCharge, defineAutoTopups } from './topups/auto-topup-job.ts'
import { type AutoTopupSettings, createAutoTopupSettings } from './topups/auto-topup-settings.ts'
import { createApplyPayments } from './topups/find-payment.ts'
import { createPaymentPostings, type PaymentPostings } from './topups/payment-postings.ts'
import {
  createPaymentHistory,
  createPaymentRows,
  type PaymentHistory,
  type PaymentRows,
} from './topups/payment-rows.ts'
import { createSyncPayment, defineReconcile, type SyncPayment } from './topups/sync-payment.ts'
import { createTopups, type TopupLimits, type Topups } from './topups/topups.ts'

type PaymentInfrastructure = Pick<
  Infrastructure,
  'db' | 'clock' | 'ids' | 'log' | 'audit' | 'jobs' | 'counters' | 'commands'
>

interface PaymentSettings extends MoneySettings {
  readonly environment: GatewayEnvironment
  readonly dashboardUrl: string | undefined
}

/** Creates the services of top-ups, of plans, and of organizations as customers. */
export function createPaymentServices(
  settings: PaymentSettings & { readonly billingThresholdMicros: number },
  infrastructure: PaymentInfrastructure & Pick<Infrastructure, 'egress'> & { standings: Pick<Standings, 'of'> },
) {
  const { topupLimits, billingThresholdMicros: thresholdMicros } = settings
  const { commands } = infrastructure
  const { provider, ensureCustomer } = paymentProvider(settings, infrastructure)
  const shared = { ...infrastructure, provider, ensureCustomer }
  const plans = createPlans(settings.plans)
  const planServices = createPlanServices({
    ...infrastructure,
    thresholdMicros,
    plans,
    card: provider.kind === 'stripe' ? createStripeSubscriptions({ provider, plans, ensureCustomer }) : null,
    builtIn: provider.kind === 'built_in',
    noProvider: orgId => noProvider(commands.creditWallet(orgId)),
  })
  const { applyPlans } = planServices
  const webhookSecrets = settings.stripe?.webhookSecrets ?? []
  const customers = createCustomers(shared)
  return {
    ...createTopupServices({ ...shared, topupLimits, webhookSecrets, applyPlans }),
    ...planServices,
    customers,
    billingProfiles: createBillingProfiles({ ...shared, customers }),
    paymentMethods: createPaymentMethods({ ...shared, customers }),
  }
}

/** The payment provider of the settings, and how organizations become its customers. */
function paymentProvider(settings: PaymentSettings, infrastructure: Pick<Infrastructure, 'db' | 'audit' | 'egress'>) {
  const { environment, dashboardUrl, stripe } = settings
  if (stripe !== undefined) {
    if (dashboardUrl === undefined)
      throw new TypeError('Stripe requires DASHBOARD_URL, to which payment pages lead back')
    const provider = createStripeProvider(stripe, { ...infrastructure, dashboardUrl })
    return { provider, ensureCustomer: createEnsureCustomer({ ...infrastructure, provider }) }
  }
  const provider: PaymentProvider = { kind: environment === 'production' ? 'none' : 'built_in' }
  return { provider, ensureCustomer: () => Promise.reject(new TypeError('Only Stripe has customers')) }
}

interface TopupsOptions extends PaymentInfrastructure {
  provider: PaymentProvider
  /** The signing secrets of Stripe's webhook. */
  webhookSecrets: readonly string[]
  topupLimits: TopupLimits
  /** The customer of an organization at Stripe, created if there is none. */
  ensureCustomer(orgId: string): Promise<string>
  /** How the objects of subscriptions are applied. */
  applyPlans: ApplyObjects
}

/** The services of top-ups and of their payments. */
export interface TopupServices {
  topups: Topups
  autoTopupSettings: AutoTopupSettings
  paymentHistory: PaymentHistory
  /** Undefined without Stripe. */
  webhooks: Webhooks | undefined
  /** Compares a payment with Stripe; undefined without Stripe. */
  syncPayment: SyncPayment | undefined
}

export function createTopupServices(options: TopupsOptions): TopupServices {
  const { provider, topupLimits: limits } = options
  const rows = createPaymentRows(options)
  const postings = createPaymentPostings(options)
  const made = {
    topups: createTopups({ ...options, rows, postings, limits }),
    autoTopupSettings: createAutoTopupSettings({ ...options, limits }),
    paymentHistory: createPaymentHistory(options),
  }
  if (provider.kind === 'built_in') defineAutoTopups(options.jobs, { ...options, rows, postings, provider: null })
  if (provider.kind !== 'stripe') return { ...made, webhooks: undefined, syncPayment: undefined }
  return { ...made, ...createStripePayments({ ...options, provider, rows, postings }) }
}

/** Wires what reads and applies the state of objects at Stripe. */
function createStripePayments(
  options: TopupsOptions & { provider: StripeProvider; rows: PaymentRows; postings: PaymentPostings },
) {
  const { jobs, provider, rows } = options
  const { livemode } = provider
  const sync = createSyncPayment(options)
  defineAutoTopups(jobs, { ...options, provider: { livemode, charge: createAutoCharge(provider), sync } })
  const applyPayments = createApplyPayments({ rows, client: provider.client, sync })
  const events = createStripeEvents({ ...options, handlers: [applyPayments, options.applyPlans] })
  defineReconcile(jobs, { ...options, sync, events })
  return { syncPayment: sync, webhooks: createWebhooks({ ...options, secrets: options.webhookSecrets, events }) }
}

interface PlansOptions extends Omit<PaymentInfrastructure, 'counters'>, BillingThreshold {
  plans: Plans
  standings: Pick<Standings, 'of'>
  /** Subscriptions at the payment provider; null without one. */
  card: SubscriptionProvider | null
  /** Without a payment provider: whether the built-in one of development settles at once. */
  builtIn: boolean
  /** The error of a request by card without a payment provider. */
  noProvider(orgId: string): GatewayError
}

/** The services of plans. */
interface PlanServices {
  plans: Plans
  planOf: PlanOf
  subscribing: Subscribing
  /** How objects of the payment provider are applied that an event names. */
  applyPlans: ApplyObjects
}

export function createPlanServices(options: PlansOptions): PlanServices {
  const { jobs, card, plans } = options
  const rows = createSubscriptionRows({ ...options, livemode: card?.livemode ?? null })
  const ledger = createPlanLedger(options)
  const changes = createPlanChanges({ ...options, rows, ledger })
  const byCard = card === null ? null : createCardSubscriptions({ ...options, card, rows, ledger })
  defineRenewals(jobs, { ...options, rows, ledger, changes })
  return {
    plans,
    planOf: createPlanOf({ ...options, rows }),
    subscribing: createSubscribing({ ...options, rows, changes, byCard }),
    applyPlans: byCard === null ? {} : applying(byCard.sync),
  }
}

function applying({ checkout, subscription, invoice }: SyncSubscriptions): ApplyObjects {
  return { 'checkout.session': checkout, subscription, invoice }
}

function createCardSubscriptions(
  options: PlansOptions & { card: SubscriptionProvider; rows: SubscriptionRows; ledger: PlanLedger },
): CardSubscriptions {
  const sync = createSyncSubscriptions(options)
  defineResync(options.jobs, { ...options, sync })
  return { card: options.card, sync, checkouts: createPlanCheckouts({ ...options, sync }) }
}
