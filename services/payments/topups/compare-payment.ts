import type Stripe from 'stripe'
import type { OrgDatabase } from '../../../lib/database/tenant.ts'
import { idOf } from '../provider/stripe-requests.ts'
import type { Payment } from './payment-rows.ts'

/** The current state of a payment at Stripe. */
export interface ObservedPayment {
  state: Exclude<Payment['state'], 'created'>
  paymentIntentId: string | null
  /** Why it failed, as a code of Stripe. */
  failure: string | null
  /** What was charged, with tax; 0 unless it is paid. */
  chargedCents: number
  /** Why a paid payment must not be credited; empty if it may be. */
  mismatches: Difference[]
}

/** Whose payment it must be. */
interface Expected {
  payment: Payment
  /** The customer of the organization at Stripe. */
  customerId: string | null
}

/** Reads what a payment by Checkout has become. */
export async function observeSession(stripe: Stripe, sessionId: string, expected: Expected): Promise<ObservedPayment> {
  const session = await stripe.checkout.sessions.retrieve(sessionId, { expand: ['payment_intent'] })
  const intent = session.payment_intent as Stripe.PaymentIntent | null
  const paid = session.status === 'complete' && session.payment_status !== 'unpaid'
  return {
    state: paid ? 'paid' : stateOfSession(session, intent),
    paymentIntentId: intent?.id ?? null,
    failure: intent?.last_payment_error?.code ?? null,
    chargedCents: paid ? (session.amount_total ?? 0) : 0,
    mismatches: paid ? sessionMismatches(session, intent, expected) : [],
  }
}

function stateOfSession(
  session: Stripe.Checkout.Session,
  intent: Stripe.PaymentIntent | null,
): ObservedPayment['state'] {
  if (session.status === 'open') return 'open'
  if (session.status === 'expired') return 'expired'
  return intent?.status === 'requires_payment_method' || intent?.status === 'canceled' ? 'failed' : 'processing'
}

function sessionMismatches(
  session: Stripe.Checkout.Session,
  intent: Stripe.PaymentIntent | null,
  { payment, customerId }: Expected,
): Difference[] {
  const { amount_subtotal: subtotal, amount_total: total } = session
  return differences([
    ['mode', 'payment', session.mode],
    ['payment_status', 'paid', session.payment_status],
    ['currency', 'usd', session.currency],
    ['subtotal', payment.amountCents, subtotal],
    ['discount', 0, session.total_details?.amount_discount ?? 0],
    ['shipping', 0, session.total_details?.amount_shipping ?? 0],
    // A tax that the price includes leaves the total as it is; any other adds to it.
    ['total', Math.max(payment.amountCents, total ?? 0), total],
    ['customer', customerId, idOf(session.customer)],
    ['livemode', payment.livemode, session.livemode],
    ['intent', 'succeeded', intent?.status ?? null],
    ['received', total, intent?.amount_received ?? null],
  ])
}

/** Reads what a payment without Checkout has become: an automatic top-up. */
export async function observeIntent(stripe: Stripe, intentId: string, expected: Expected): Promise<ObservedPayment> {
  const intent = await stripe.paymentIntents.retrieve(intentId)
  const paid = intent.status === 'succeeded'
  return {
    state: STATES[intent.status] ?? 'processing',
    paymentIntentId: intent.id,
    failure: intent.last_payment_error?.code ?? intent.cancellation_reason ?? null,
    chargedCents: paid ? intent.amount_received : 0,
    mismatches: paid ? intentMismatches(intent, expected) : [],
  }
}

/** The state of an off-session payment by the status of its PaymentIntent. No one is there to authenticate. */
const STATES: Readonly<Record<string, ObservedPayment['state']>> = {
  succeeded: 'paid',
  processing: 'processing',
  requires_payment_method: 'failed',
  requires_action: 'failed',
  canceled: 'failed',
}

function intentMismatches(intent: Stripe.PaymentIntent, { payment, customerId }: Expected): Difference[] {
  return differences([
    ['currency', 'usd', intent.currency],
    ['subtotal', payment.amountCents, intent.amount],
    ['received', payment.amountCents, intent.amount_received],
    ['customer', customerId, idOf(intent.customer)],
    ['livemode', payment.livemode, intent.livemode],
  ])
}

type Value = string | number | boolean | null

/** Something that differs between a paid object at Stripe and our row. Values are amounts, codes and IDs, never secrets. */
interface Difference {
  reason: string
  expected: Value
  found: Value
}

/** The pairs that differ. */
export function differences(
  pairs: readonly (readonly [reason: string, expected: Value, found: Value])[],
): Difference[] {
  return pairs.flatMap(([reason, expected, found]) => (expected === found ? [] : [{ reason, expected, found }]))
}

/** Stores what differs for the operator, each reason once per payment. */
export async function recordDifferences(
  org: OrgDatabase,
  { paymentId, object, at }: { paymentId: string; object: string | null; at: Date },
  found: readonly Difference[],
): Promise<void> {
  const rows = found.map(({ reason, ...values }) => {
    return { payment_id: paymentId, reason, detail: JSON.stringify({ ...values, object }), at }
  })
  const insert = org.insertInto('payment_reconciliations', rows)
  await insert.onConflict(conflict => conflict.columns(['payment_id', 'reason']).doNothing()).execute()
}
