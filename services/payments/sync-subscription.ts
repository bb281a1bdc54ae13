import type { Kysely } from 'kysely'
import type { Audit } from '../../lib/audit/audit.ts'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs, forOrg, type OrgDatabase } from '../../lib/database/tenant.ts'
import type { Logger } from '../../schemas/log.ts'
import type { Clock } from '../../schemas/time.ts'
import type { CardPlans, PaidInvoice, RemoteSubscription } from './card-plans.ts'
import { stripeIdOf } from './customers.ts'
import type { RecordInvoice } from './invoices.ts'
import type { PlanLedger } from './plan-ledger.ts'
import type { Plans } from './plans.ts'
import { isOver, type Subscription } from './subscription.ts'
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

interface SyncOptions {
  db: Kysely<Database>
  clock: Clock
  log: Logger
  audit: Audit
  plans: Plans
  rows: SubscriptionRows
  ledger: PlanLedger
  recordInvoice: RecordInvoice
  card: CardPlans
}

export function createSyncSubscriptions(options: SyncOptions): SyncSubscriptions {
  const { db, clock, log, audit, plans, rows, ledger, recordInvoice, card } = options

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
