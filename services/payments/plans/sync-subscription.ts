import { acrossOrgs, forOrg, type OrgDatabase } from '../../../lib/database/tenant.ts'
import type { Jobs } from '../../../lib/jobs/jobs.ts'
import { CENT } from '../../../schemas/billing/money.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import { stripeIdOf } from '../customers/customers.ts'
import { StripeFailure } from '../provider/stripe-requests.ts'
import { differences, recordDifferences } from '../topups/compare-payment.ts'
import type { PlanLedger } from './plan-ledger.ts'
import type { Plans } from './plans.ts'
import {
  isOver,
  type PaidInvoice,
  type RemoteSubscription,
  type Subscription,
  type SubscriptionProvider,
} from './subscription.ts'
import type { SubscriptionRows } from './subscription-rows.ts'

/** How often a comparison starts again because another process changed the same subscription. */
const ATTEMPTS = 10

/** Reads subscriptions at the payment provider and applies their current state. Repeating it is harmless. */
export interface SyncSubscriptions {
  /** Applies a subscription at the provider, and grants the period that its latest invoice has paid. */
  subscription(stripeId: string): Promise<void>
  /** Applies a payment page: its subscription if it is complete; removes our row if it has expired. */
  checkout(sessionId: string): Promise<void>
  /** Applies an invoice and its subscription. */
  invoice(invoiceId: string): Promise<void>
  /** Removes a checkout that never got a payment page. */
  abandon(name: { orgId: string; id: string }): Promise<void>
}

interface SyncOptions extends Pick<Infrastructure, 'db' | 'clock' | 'ids' | 'log' | 'audit'> {
  plans: Plans
  rows: SubscriptionRows
  ledger: PlanLedger
  card: SubscriptionProvider
}

export function createSyncSubscriptions(options: SyncOptions): SyncSubscriptions {
  const { db, clock, log, audit, plans, rows, ledger, card } = options
  const recordInvoice = createRecordInvoice(options)

  /** Whether the subscription still had the version that was read. */
  async function apply(org: OrgDatabase, known: Subscription, remote: RemoteSubscription): Promise<boolean> {
    // An ended subscription never begins again, even if a late answer says so.
    if (isOver(known)) return true
    const changed = await rows.change(org, known, changeTo(known, remote))
    if (changed === undefined) return false
    if (changed.status === known.status && changed.cancelAt?.getTime() === known.cancelAt?.getTime()) return true
    const detail = { status: changed.status, endsAt: changed.cancelAt?.toISOString() ?? null }
    await audit.record(org, { by: 'job', action: 'plan.change', target: known.id, detail })
    return true
  }

  /** Grants the period of a paid invoice once. Nothing is granted if the invoice differs from our subscription. */
  async function grant(subscription: Subscription, invoice: PaidInvoice): Promise<void> {
    const { orgId, id, includedMicros } = subscription
    const customerId = await stripeIdOf(db, orgId)
    await forOrg(db, orgId).transaction(async org => {
      if (!(await recordInvoice(org, { subscription, invoice, customerId }))) return
      const { start, end } = invoice
      const period = { orgId, subscriptionId: id, start, end, includedMicros, description: plans.pro.name }
      if (!(await ledger.grant(org.db, period, new Date(clock.now())))) return
      const detail = { amountMicros: includedMicros, invoice: invoice.id, end: end.toISOString() }
      await audit.record(org, { by: 'job', action: 'plan.grant', target: id, detail })
    })
  }

  async function sync(stripeId: string, paid?: PaidInvoice | null): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const known = await rows.findByObject({ stripeId })
      if (known === undefined) return
      const remote = await card.read(stripeId)
      if (remote.livemode !== card.livemode || remote.customerId !== (await stripeIdOf(db, known.orgId))) {
        log.error({ orgId: known.orgId, subscription: known.id }, 'a subscription belongs to another customer: ignored')
        return
      }
      if (!(await forOrg(db, known.orgId).transaction(org => apply(org, known, remote)))) continue
      for (const invoice of new Set([remote.paid, paid ?? null])) if (invoice !== null) await grant(known, invoice)
      return
    }
    throw new Error(`Subscription ${stripeId} was changed by others ${ATTEMPTS} times; the next run tries again`)
  }

  async function applyCheckout(sessionId: string): Promise<void> {
    const known = await rows.findByObject({ sessionId })
    if (known?.status !== 'checkout') return
    const { status, subscriptionId, customerId } = await card.readCheckout(sessionId)
    const org = forOrg(db, known.orgId)
    if (status === 'expired') {
      await rows.removeCheckout(org, known)
      return
    }
    if (subscriptionId === null || customerId !== (await stripeIdOf(db, known.orgId))) return
    await rows.change(org, known, { status: 'incomplete', stripeId: subscriptionId })
    await sync(subscriptionId)
  }

  /** Finds the payment page of a subscription whose own event has come before that of the page. */
  async function adopt(stripeId: string): Promise<boolean> {
    if ((await rows.findByObject({ stripeId })) !== undefined) return true
    const { customerId } = await card.read(stripeId)
    if (customerId === null) return false
    // The ID at the provider is unique over all organizations, and nothing else names the organization.
    const customers = acrossOrgs(db).selectFrom('customers').where('stripe_id', '=', customerId)
    const customer = await customers.select('org_id as orgId').executeTakeFirst()
    const open = customer === undefined ? [] : await rows.open(forOrg(db, customer.orgId))
    for (const { status, sessionId } of open)
      if (status === 'checkout' && sessionId !== null) await applyCheckout(sessionId)
    return (await rows.findByObject({ stripeId })) !== undefined
  }

  async function subscription(stripeId: string, paid?: PaidInvoice | null): Promise<void> {
    if (await adopt(stripeId)) return sync(stripeId, paid)
    log.info({ subscription: stripeId }, 'ignored a subscription that no payment page of this gateway has created')
  }

  return {
    subscription: stripeId => subscription(stripeId),
    checkout: applyCheckout,
    async invoice(invoiceId) {
      const found = await card.readInvoice(invoiceId)
      if (found !== undefined) await subscription(found.subscriptionId, found.paid)
    },
    async abandon({ orgId, id }) {
      const org = forOrg(db, orgId)
      const known = await rows.find(org, id)
      if (known !== undefined && known.sessionId === null) await rows.removeCheckout(org, known)
    },
  }
}

/**
 * What the state at the provider changes. A subscription that is past due has begun a period that is not paid, so it stays
 * paid up to the start of that one.
 */
function changeTo(known: Subscription, remote: RemoteSubscription) {
  const { status, cancelAt, livemode } = remote
  const anchor = known.anchor ?? remote.start
  const common = { status, cancelAt, livemode, anchor, failures: 0 }
  if (status !== 'past_due') return { ...common, start: remote.start, end: remote.end }
  if (known.status === 'past_due') return { status, cancelAt, livemode }
  const unpaid = remote.start
  if (unpaid.getTime() <= anchor.getTime()) return { ...common, start: remote.start, end: remote.end }
  const start = known.start !== null && known.start.getTime() < unpaid.getTime() ? known.start : anchor
  return { ...common, start, end: unpaid }
}

/** A paid invoice and the subscription that it should pay for. */
interface InvoiceOf {
  subscription: Subscription
  invoice: PaidInvoice
  /** The customer of the organization at the provider. */
  customerId: string | null
}

/**
 * Records a paid invoice as a payment. Returns whether it pays for the subscription as we know it; otherwise the
 * differences are in `payment_reconciliations`, and nothing may be granted.
 */
type RecordInvoice = (org: OrgDatabase, paid: InvoiceOf) => Promise<boolean>

function createRecordInvoice({ ids, clock, log }: Pick<Infrastructure, 'clock' | 'ids' | 'log'>): RecordInvoice {
  return async (org, { subscription, invoice, customerId }) => {
    const found = compare({ subscription, invoice, customerId })
    const now = new Date(clock.now())
    const payment = {
      id: ids('pay'),
      kind: 'subscription_period' as const,
      provider: 'stripe' as const,
      state: found.length === 0 ? ('paid' as const) : ('failed' as const),
      amount_micros: subscription.priceMicros,
      amount_cents: subscription.priceMicros / CENT,
      user_id: null,
      livemode: invoice.livemode,
      request_key: null,
      session_id: null,
      payment_intent_id: null,
      invoice_id: invoice.id,
      charged_cents: invoice.chargedCents === 0 ? null : invoice.chargedCents,
      failure: found.length === 0 ? null : 'reconciliation',
      created_at: now,
      updated_at: now,
      checked_at: now,
    }
    const insert = org.insertInto('payments', payment).onConflict(conflict => conflict.column('invoice_id').doNothing())
    const inserted = await insert.returning('id').executeTakeFirst()
    if (found.length === 0) return true
    if (inserted === undefined) return false
    await recordDifferences(org, { paymentId: payment.id, object: invoice.id, at: now }, found)
    log.error(
      { orgId: org.orgId, payment: payment.id, differences: found },
      'a paid invoice differs from its subscription: nothing was granted',
    )
    return false
  }
}

function compare({ subscription, invoice, customerId }: InvoiceOf) {
  return differences([
    ['currency', 'usd', invoice.currency],
    ['subtotal', subscription.priceMicros / CENT, invoice.subtotalCents],
    ['customer', customerId, invoice.customerId],
    ['livemode', subscription.livemode, invoice.livemode],
  ])
}

const KIND = 'payments.resync-subscriptions'
const HOUR_MS = 3_600_000
/** Subscriptions that one run compares. The longest unchecked come first, so every one has its turn. */
const MOST = 200

interface ResyncOptions extends Pick<Infrastructure, 'db' | 'clock'> {
  card: SubscriptionProvider
  sync: SyncSubscriptions
}

/**
 * Defines the hourly job that finds what webhooks did not bring: subscriptions that were not compared for a day, and
 * payment pages that have been open for more than an hour.
 */
export function defineResync(jobs: Jobs, { db, clock, card, sync }: ResyncOptions): void {
  jobs.define(KIND, async (_payload, { signal, log }) => {
    const before = (hours: number) => new Date(clock.now() - hours * HOUR_MS)
    const due = await acrossOrgs(db)
      .selectFrom('subscriptions')
      .where('provider', '=', 'stripe')
      .where('livemode', '=', card.livemode)
      .where('status', 'not in', ['canceled', 'incomplete_expired'])
      .where(eb =>
        eb.or([
          eb('checked_at', '<', before(24)),
          eb.and([eb('status', '=', 'checkout'), eb('checked_at', '<', before(1))]),
        ]),
      )
      .orderBy('checked_at')
      .limit(MOST)
      .select(['id', 'org_id as orgId', 'stripe_id as stripeId', 'session_id as sessionId'])
      .execute()
    for (const { id, orgId, stripeId, sessionId } of due) {
      if (signal.aborted) return
      try {
        if (stripeId !== null) await sync.subscription(stripeId)
        else if (sessionId !== null) await sync.checkout(sessionId)
        else await sync.abandon({ orgId, id })
      } catch (error) {
        // Without the provider, no other subscription can be compared either.
        if (error instanceof StripeFailure && error.kind === 'unknown') throw error
        log.error({ err: error, orgId, subscription: id }, 'cannot compare a subscription; the next run tries again')
      }
    }
  })
  jobs.every(KIND, HOUR_MS)
}
