import type { StripeAccount, StripeObject } from './account.ts'

/** Cards that a buyer has. Off-session, the bank declines `declined` and `authentication`, and answers `slow` later. */
const LAST4 = { good: '4242', declined: '0002', authentication: '3184', slow: '9995' } as const

/** What happens outside of the API: buyers pay and save cards, banks dispute, the operator refunds. Each causes its events. */
export function stripeBuyer(account: StripeAccount) {
  function intentOf(session: StripeObject, paid: boolean): StripeObject {
    const { customer, currency, amount_total: amount } = session
    const facts = { amount, currency, customer, last_payment_error: null, cancellation_reason: null, metadata: {} }
    const status = paid ? 'succeeded' : 'processing'
    return account.add('pi', 'payment_intent', { ...facts, status, amount_received: paid ? amount : 0 })
  }

  return {
    saveCard(customer: string, card: keyof typeof LAST4 = 'good'): StripeObject {
      const facts = { brand: 'visa', last4: LAST4[card], exp_month: 12, exp_year: 2031 }
      return account.add('pm', 'payment_method', { customer, type: 'card', card: facts })
    },

    /** Pays the page of a payment, with a tax on top; `slow` methods settle later. */
    pay(session: StripeObject, { tax = 0, slow = false } = {}): StripeObject {
      if (session.status !== 'open' || session.mode !== 'payment') throw new TypeError('The page cannot be paid')
      session.amount_total += tax
      session.total_details.amount_tax = tax
      const intent = intentOf(session, !slow)
      Object.assign(session, { status: 'complete', url: null, payment_intent: intent.id })
      session.payment_status = slow ? 'unpaid' : 'paid'
      return account.emit('checkout.session.completed', session)
    },

    /** A slow payment arrives, or fails. */
    settle(session: StripeObject, arrived = true): StripeObject {
      const intent = account.get('payment_intent', session.payment_intent)
      if (intent.status !== 'processing') throw new TypeError('The payment is settled')
      if (arrived) Object.assign(intent, { status: 'succeeded', amount_received: intent.amount })
      else Object.assign(intent, { status: 'requires_payment_method', last_payment_error: { code: 'debit_failed' } })
      if (arrived) session.payment_status = 'paid'
      return account.emit(`checkout.session.async_payment_${arrived ? 'succeeded' : 'failed'}`, session)
    },

    refund(intent: string, amount: number, status = 'succeeded'): StripeObject {
      const refund = account.add('re', 'refund', { payment_intent: intent, amount, status, currency: 'usd' })
      return account.emit('refund.created', refund)
    },

    dispute(intent: string, amount: number): StripeObject {
      const moves = [{ amount: -amount, currency: 'usd' }]
      const facts = { payment_intent: intent, amount, currency: 'usd', status: 'needs_response' }
      return account.emit(
        'charge.dispute.created',
        account.add('dp', 'dispute', { ...facts, balance_transactions: moves }),
      )
    },

    win(id: string): StripeObject {
      const dispute = account.get('dispute', id)
      dispute.status = 'won'
      dispute.balance_transactions.push({ amount: dispute.amount, currency: 'usd' })
      return account.emit('charge.dispute.funds_reinstated', dispute)
    },
  }
}
