import { sql } from 'kysely'
import type Stripe from 'stripe'
import { acrossOrgs, forOrg, type OrgDatabase } from '../../../lib/database/tenant.ts'
import type { Jobs } from '../../../lib/jobs/jobs.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import { changeIn } from '../../organizations/change.ts'
import { endAutoTopups } from '../customers/customers.ts'
import type { StripeProvider } from '../provider/payment-provider.ts'
import { StripeFailure, withStripe } from '../provider/stripe-requests.ts'
import { autoTopupCustomer, isLow, isSuspended, mayCharge, reasonToStop } from './auto-topup-rules.ts'
import type { PaymentPostings } from './payment-postings.ts'
import { type Payment, type PaymentRows, PENDING_STATES, toPayment } from './payment-rows.ts'
import type { SyncPayment } from './sync-payment.ts'

const KIND = 'payments.auto-topup'
/** How often the job looks for low balances. */
const EVERY_MS = 15_000
const HOUR_MS = 3_600_000

/** Charges at the payment provider. */
interface AtProvider {
  livemode: boolean
  charge: AutoCharge
  sync: SyncPayment
}

interface AutoTopupsOptions extends Pick<Infrastructure, 'db' | 'clock' | 'log' | 'audit'> {
  rows: PaymentRows
  postings: PaymentPostings
  /** Null: the built-in provider settles at once. */
  provider: AtProvider | null
}

/**
 * Defines the job that tops up a wallet with automatic top-ups when its balance is below its threshold: one top-up at a
 * time, three in 24 hours, and at most the monthly limit.
 */
export function defineAutoTopups(jobs: Jobs, options: AutoTopupsOptions): void {
  const { db, clock, log, audit, rows, postings, provider } = options

  /** Switches automatic top-ups off if there is a reason. Returns whether they are off. */
  async function stopAfterRefusals(org: OrgDatabase, since: Date): Promise<boolean> {
    const detail = await reasonToStop(org, since)
    if (detail === undefined) return false
    await endAutoTopups(org, audit, { by: 'job', detail })
    log.warn({ orgId: org.orgId, ...detail }, 'automatic top-ups are switched off: tell the admins of the organization')
    return true
  }

  /** Whether a payment belongs to the provider that is configured now, in its mode. */
  const isOurs = ({ provider: kind, livemode }: Payment): boolean =>
    kind === (provider === null ? 'built_in' : 'stripe') && livemode === (provider?.livemode ?? false)

  /** Ends open payments of a provider or mode that charged nobody and is no longer configured: they would block others. */
  async function endForeign(org: OrgDatabase): Promise<void> {
    const rows = org
      .selectFrom('payments')
      .where('kind', '=', 'auto_topup')
      .where('state', 'in', [...PENDING_STATES])
    const foreign = (await rows.selectAll().execute()).map(toPayment).filter(known => !known.livemode && !isOurs(known))
    for (const { id } of foreign)
      await org
        .updateTable('payments')
        .set({ state: 'expired', failure: 'other_provider' })
        .where('id', '=', id)
        .execute()
  }

  /** Adds the payment of a due top-up; undefined if none is due. */
  async function createDueTopup(orgId: string): Promise<Payment | undefined> {
    return changeIn(db, { orgId, by: 'job' }, async org => {
      const customer = await autoTopupCustomer(org)
      const since = customer?.auto_topup_since ?? null
      const amountMicros = customer?.auto_topup_amount_micros ?? null
      if (customer === undefined || since === null || amountMicros === null) return undefined
      await endForeign(org)
      if (await stopAfterRefusals(org, since)) return undefined
      if (!(await isLow(org, customer.auto_topup_threshold_micros ?? 0))) return undefined
      const monthlyMicros = customer.auto_topup_monthly_micros ?? 0
      if (!(await mayCharge(org, clock, { amountMicros, monthlyMicros }))) return undefined
      const payment = await rows.create(org, {
        kind: 'auto_topup',
        provider: provider === null ? 'built_in' : 'stripe',
        livemode: provider?.livemode ?? false,
        amountMicros,
        userId: null,
        requestKey: null,
      })
      await audit.record(org, { by: 'job', action: 'payment.create', target: payment.id, detail: { amountMicros } })
      return payment
    })
  }

  async function charge(payment: Payment, at: AtProvider): Promise<void> {
    const org = forOrg(db, payment.orgId)
    // After that time the provider may have forgotten the key of an earlier attempt, and would charge again.
    const mayRepeat = clock.now() - payment.createdAt.getTime() < HOUR_MS && !(await isSuspended(org))
    if (!mayRepeat) {
      await withStripe(() => at.sync(payment))
      return
    }
    const customer = await org.selectFrom('customers').selectAll().executeTakeFirstOrThrow()
    const { stripe_id: customerId, default_payment_method: methodId } = customer
    // What was saved in the other mode does not exist for this key.
    if (customerId === null || methodId === null || customer.livemode !== at.livemode)
      return rows.fail(payment, 'no_payment_method')
    try {
      await store(payment, await at.charge(payment, { customerId, methodId }))
    } catch (error) {
      if (!(error instanceof StripeFailure) || error.kind === 'unknown') throw error
      // The provider takes no such charge; an earlier attempt may have been taken, with another payment method.
      if ((await withStripe(() => at.sync(payment))) === 'created') await rows.fail(payment, 'rejected')
      return
    }
    await withStripe(() => at.sync(payment))
  }

  /** Stores what the attempt has become. What the bank refused is final; the rest is read at the provider. */
  async function store(payment: Payment, charged: AutoCharged): Promise<void> {
    const { intentId } = charged
    const refused = 'declined' in charged ? { state: 'failed' as const, failure: charged.declined } : {}
    for (;;) {
      const known = await rows.find(payment)
      if (known === undefined || known.paymentIntentId !== null) return
      const change = { ...refused, ...(intentId !== null && { paymentIntentId: intentId }) }
      if (await rows.change(forOrg(db, payment.orgId), known, change)) return
    }
  }

  async function settleAtOnce(payment: Payment): Promise<void> {
    await forOrg(db, payment.orgId).transaction(async org => {
      await postings.credit(org, payment, { chargedCents: payment.amountCents, by: 'job' })
    })
  }

  async function run(orgId: string): Promise<void> {
    const payment = (await findUnsettled(orgId)) ?? (await createDueTopup(orgId))
    if (payment === undefined) return
    await (provider === null ? settleAtOnce(payment) : charge(payment, provider))
    await changeIn(db, { orgId, by: 'job' }, async org => {
      const since = (await autoTopupCustomer(org))?.auto_topup_since ?? null
      if (since !== null) await stopAfterRefusals(org, since)
    })
  }

  /**
   * A payment whose charge has no known outcome. It is charged again with the same key, which charges once, or looked up
   * after an hour. If automatic top-ups were switched off meanwhile, the hourly job looks it up.
   */
  async function findUnsettled(orgId: string): Promise<Payment | undefined> {
    const org = forOrg(db, orgId)
    if ((await autoTopupCustomer(org)) === undefined) return undefined
    const query = org.selectFrom('payments').where('kind', '=', 'auto_topup').where('state', '=', 'created')
    const row = await query.where('payment_intent_id', 'is', null).selectAll().executeTakeFirst()
    const payment = row && toPayment(row)
    return payment !== undefined && isOurs(payment) ? payment : undefined
  }

  jobs.define(KIND, async (_payload, { signal, log }) => {
    const { rows: due } = await sql<{ orgId: string }>`
      select c.org_id as "orgId" from customers as c
      left join wallets as w on w.org_id = c.org_id
      where c.auto_topup and coalesce(w.balance_micros, 0) < c.auto_topup_threshold_micros
      union
      select p.org_id from payments as p join customers as c on c.org_id = p.org_id and c.auto_topup
      where p.kind = 'auto_topup' and p.state = 'created' and p.payment_intent_id is null
    `.execute(acrossOrgs(db))
    for (const { orgId } of due) {
      if (signal.aborted) return
      try {
        await run(orgId)
      } catch (error) {
        log.error({ err: error, orgId }, 'cannot top up the wallet of an organization; the next run tries again')
      }
    }
  })
  jobs.every(KIND, EVERY_MS)
}

/** The outcome of a charge: a payment at the provider, or a refusal of the bank. */
type AutoCharged = { intentId: string } | { declined: string; intentId: string | null }

/**
 * Charges a saved payment method without the buyer (off-session). Repeated calls for a payment charge once. Throws a StripeFailure if
 * the outcome is unknown.
 */
type AutoCharge = (payment: Payment, method: { customerId: string; methodId: string }) => Promise<AutoCharged>

export function createAutoCharge({ client }: Pick<StripeProvider, 'client'>): AutoCharge {
  return async (payment, { customerId, methodId }) => {
    const stripe = await client()
    const parameters: Stripe.PaymentIntentCreateParams = {
      amount: payment.amountCents,
      currency: 'usd',
      customer: customerId,
      payment_method: methodId,
      off_session: true,
      confirm: true,
      // A bank that wants the buyer to authenticate is a refusal here.
      error_on_requires_action: true,
      description: 'Automatic balance top-up',
      metadata: { org_id: payment.orgId, payment_id: payment.id },
    }
    try {
      const { id } = await stripe.paymentIntents.create(parameters, { idempotencyKey: `auto:${payment.id}` })
      return { intentId: id }
    } catch (error) {
      const declined = declineOf(error)
      if (declined !== undefined) return declined
      return withStripe(() => Promise.reject(error))
    }
  }
}

/** The refusal of the bank by the SDK's error, which carries the payment; undefined for any other error. */
function declineOf(error: unknown): { declined: string; intentId: string | null } | undefined {
  const { type, code, payment_intent: intent } = (error ?? {}) as Partial<Stripe.errors.StripeCardError>
  if (type !== 'StripeCardError') return undefined
  return { declined: code ?? 'card_declined', intentId: intent?.id ?? null }
}
