import type Stripe from 'stripe'

/** Reads how many cents of a charge refunds and disputes have taken back, at this moment. */
export async function takenBackCents(stripe: Stripe, paymentIntentId: string): Promise<number> {
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
export function reversalTarget(payment: {
  creditedMicros: number
  chargedCents: number
  takenBackCents: number
}): number {
  const { creditedMicros, chargedCents, takenBackCents: cents } = payment
  const share = (BigInt(creditedMicros) * BigInt(cents)) / BigInt(chargedCents)
  return Math.min(creditedMicros, Number(share))
}
