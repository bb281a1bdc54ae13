import { oneOf, optional } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { adds } from '../../annotations.ts'
import { amount, created, id, listPages, listQuery, metadata, paymentIntent } from '../arguments.ts'

const listRefunds = tool('list_refunds: GET /v1/refunds', {
  title: 'List refunds',
  description: 'List refunds, newest first. Filter by payment.',
  query: { payment_intent: optional(paymentIntent), created, ...listQuery },
  pagination: listPages,
  keep: 'id amount currency status reason payment_intent charge created|epoch-seconds-to-time',
})

const getRefund = tool('get_refund: GET /v1/refunds/{refund}', {
  title: 'Get refund',
  description: 'Read one refund: amount, status, and why it failed.',
  path: { refund: id('re_…, from list_refunds or create_refund.') },
  keep: 'id amount currency status reason payment_intent charge failure_reason metadata created|epoch-seconds-to-time',
})

const createRefund = tool('create_refund: POST /v1/refunds', {
  title: 'Create refund',
  description: 'Refund a payment, in full or in part. A refund cannot be canceled.',
  annotations: { ...adds, destructiveHint: true },
  form: {
    payment_intent: paymentIntent,
    amount: optional(amount('The amount to refund. Default: the remaining amount.')),
    reason: optional(oneOf(['duplicate', 'fraudulent', 'requested_by_customer'])),
    metadata: optional(metadata),
  },
  keep: 'id amount currency status reason payment_intent failure_reason',
})

/** Stripe's refunds. */
export const refundTools = [listRefunds, getRefund, createRefund]
