import { oneOf, optional } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { adds, overwrites } from '../../annotations.ts'
import {
  amount,
  created,
  customer,
  id,
  listPages,
  listQuery,
  paymentIntent,
  searchPages,
  searchQuery,
  searchText,
} from '../arguments.ts'

// Without client_secret, which lets a browser complete the payment.
const paymentFields =
  'id amount currency status customer description receipt_email invoice latest_charge created|epoch-seconds-to-time'
const moreFields = `${paymentFields} amount_received amount_capturable payment_method payment_method_types
  last_payment_error { code decline_code message } canceled_at|epoch-seconds-to-time cancellation_reason metadata`
const chargeFields = `id amount amount_refunded currency status paid captured refunded disputed customer payment_intent invoice
  description receipt_url failure_code failure_message outcome { seller_message risk_level }
  payment_method_details { type card { brand last4 } } billing_details { name email } balance_transaction
  created|epoch-seconds-to-time`
const path = { payment_intent: paymentIntent }

const listPaymentIntents = tool('list_payment_intents: GET /v1/payment_intents', {
  title: 'List payment intents',
  description: 'List payments, including failed and pending ones, newest first. Filter by customer.',
  query: { customer: optional(customer), created, ...listQuery },
  pagination: listPages,
  keep: paymentFields,
})

const searchPaymentIntents = tool('search_payment_intents: GET /v1/payment_intents/search', {
  title: 'Search payment intents',
  description: 'Search payments by status, amount, currency, customer, metadata and date.',
  query: { query: searchText('status:"succeeded" AND amount>10000.'), ...searchQuery },
  pagination: searchPages,
  keep: paymentFields,
})

const getPaymentIntent = tool('get_payment_intent: GET /v1/payment_intents/{payment_intent}', {
  title: 'Get payment intent',
  description: 'Read one payment: its status, and why it failed.',
  path,
  keep: moreFields,
})

const capturePaymentIntent = tool('capture_payment_intent: POST /v1/payment_intents/{payment_intent}/capture', {
  title: 'Capture payment intent',
  description: 'Charge an authorized payment (status requires_capture), in full or in part. The rest is released.',
  annotations: { ...adds, destructiveHint: true },
  path,
  form: { amount_to_capture: optional(amount('The amount to charge. Default: all that is authorized.')) },
  keep: moreFields,
})

const cancelPaymentIntent = tool('cancel_payment_intent: POST /v1/payment_intents/{payment_intent}/cancel', {
  title: 'Cancel payment intent',
  description: 'Cancel a payment that has not succeeded. It cannot be resumed. For a paid one, use create_refund.',
  annotations: overwrites,
  path,
  form: {
    cancellation_reason: optional(oneOf(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'])),
  },
  keep: moreFields,
})

const listCharges = tool('list_charges: GET /v1/charges', {
  title: 'List charges',
  description: 'List attempts to charge, newest first: result, card, receipt URL, and why one was declined.',
  query: { payment_intent: optional(paymentIntent), customer: optional(customer), created, ...listQuery },
  pagination: listPages,
  keep: chargeFields,
})

const getCharge = tool('get_charge: GET /v1/charges/{charge}', {
  title: 'Get charge',
  description:
    'Read one attempt to charge a payment: card, receipt URL, and what was refunded. Disputes: list_disputes.',
  path: { charge: id('ch_…, from list_charges, or latest_charge of get_payment_intent.') },
  keep: `${chargeFields} metadata`,
})

/** Stripe tools for payments. */
export const paymentTools = [
  listPaymentIntents,
  searchPaymentIntents,
  getPaymentIntent,
  capturePaymentIntent,
  cancelPaymentIntent,
  listCharges,
  getCharge,
]
