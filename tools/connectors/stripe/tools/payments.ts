import { oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { overwrites, tool, triggers } from '../../../../services/definitions/tool.ts'
import {
  amount,
  created,
  currency,
  customer,
  id,
  listPages,
  listQuery,
  metadata,
  paymentIntent,
  searchTool,
  time,
} from '../arguments.ts'

const payout = id('po_…, from list_payouts or create_payout.')
const payoutFields = `id amount currency status method automatic description statement_descriptor destination failure_code
  failure_message arrival_date|epoch-seconds-to-time created|epoch-seconds-to-time`

// Without client_secret, which lets a browser complete the payment.
const paymentFields =
  'id amount currency status customer description receipt_email invoice latest_charge created|epoch-seconds-to-time'
const morePaymentFields = `${paymentFields} amount_received amount_capturable payment_method payment_method_types
  last_payment_error { code decline_code message } canceled_at|epoch-seconds-to-time cancellation_reason metadata`
const chargeFields = `id amount amount_refunded currency status paid captured refunded disputed customer payment_intent invoice
  description receipt_url failure_code failure_message outcome { seller_message risk_level }
  payment_method_details { type card { brand last4 } } billing_details { name email } balance_transaction
  created|epoch-seconds-to-time`
const path = { payment_intent: paymentIntent }

/** The money of a Stripe account: its balance, payouts, payments and refunds. */
export const paymentTools = [
  tool('get_account: GET /v1/account', {
    title: 'Get account',
    description:
      'Read the connected account: business name, country, currency, and whether it can charge and pay out. ' +
      'requirements lists information that Stripe still needs.',
    keep: `id type email country default_currency business_profile { name url support_email } charges_enabled payouts_enabled
    details_submitted requirements { currently_due past_due disabled_reason } settings { dashboard { display_name timezone } }`,
  }),

  tool('get_balance: GET /v1/balance', {
    title: 'Get balance',
    description: 'Read the available and pending balance of the account, by currency.',
    keep: 'available { amount currency } pending { amount currency } instant_available { amount currency } livemode',
  }),

  tool('list_balance_transactions: GET /v1/balance_transactions', {
    title: 'List balance transactions',
    description: 'List balance transactions, newest first: charges, refunds, fees and payouts.',
    query: {
      type: optional(text('The type: charge, refund, payout, …', 100)),
      payout: optional(id('Only transactions of this payout: po_…, from list_payouts.')),
      created,
      ...listQuery,
    },
    pagination: listPages,
    keep: `id type amount fee net currency status source description available_on|epoch-seconds-to-time
    created|epoch-seconds-to-time`,
  }),

  tool('list_events: GET /v1/events', {
    title: 'List events',
    description:
      'List what happened in the account in the last 30 days, newest first: type, time, and the ID of the object. ' +
      'Read the object with its own tool.',
    query: {
      type: optional(text('Only this type, for example: invoice.payment_failed. A * matches all: charge.*', 100)),
      created,
      ...listQuery,
    },
    pagination: listPages,
    keep: 'id type created|epoch-seconds-to-time data { object { id object } }',
  }),

  tool('list_payouts: GET /v1/payouts', {
    title: 'List payouts',
    description: 'List payouts to the bank account, newest first. Their contents: list_balance_transactions.',
    query: {
      status: optional(
        oneOf(['pending', 'in_transit', 'paid', 'failed', 'canceled'], 'Only payouts with this status.'),
      ),
      arrival_date: {
        gte: time('arrives_after', 'Only payouts that arrive at this time or later.'),
        lt: time('arrives_before', 'Only payouts that arrive before this time.'),
      },
      ...listQuery,
    },
    pagination: listPages,
    keep: payoutFields,
  }),

  tool('get_payout: GET /v1/payouts/{payout}', {
    title: 'Get payout',
    description: 'Read one payout: amount, status, arrival date, and why it failed.',
    path: { payout },
    keep: `${payoutFields} metadata`,
  }),

  tool('create_payout: POST /v1/payouts', {
    title: 'Create payout',
    description:
      "Send money from the available balance (get_balance) to the account's own bank account. Only needed if payouts " +
      'are not automatic.',
    annotations: triggers,
    form: {
      amount: amount('The amount.'),
      currency,
      description: optional(text('For your own records.', 5000)),
      statement_descriptor: optional(text('The text on the bank statement.', 22)),
      method: optional(oneOf(['standard', 'instant'], 'instant costs a fee. Default: standard.')),
      metadata: optional(metadata),
    },
    keep: payoutFields,
  }),

  tool('cancel_payout: POST /v1/payouts/{payout}/cancel', {
    title: 'Cancel payout',
    description:
      'Cancel a payout that is still pending and was not automatic. The money returns to the available balance.',
    annotations: overwrites,
    path: { payout },
    keep: payoutFields,
  }),

  tool('list_payment_intents: GET /v1/payment_intents', {
    title: 'List payment intents',
    description: 'List payments, including failed and pending ones, newest first. Filter by customer.',
    query: { customer: optional(customer), created, ...listQuery },
    pagination: listPages,
    keep: paymentFields,
  }),

  searchTool('payment_intents', {
    description: 'Search payments by status, amount, currency, customer, metadata and date.',
    example: 'status:"succeeded" AND amount>10000.',
    keep: paymentFields,
  }),

  tool('get_payment_intent: GET /v1/payment_intents/{payment_intent}', {
    title: 'Get payment intent',
    description: 'Read one payment: its status, and why it failed.',
    path,
    keep: morePaymentFields,
  }),

  tool('capture_payment_intent: POST /v1/payment_intents/{payment_intent}/capture', {
    title: 'Capture payment intent',
    description: 'Charge an authorized payment (status requires_capture), in full or in part. The rest is released.',
    annotations: triggers,
    path,
    form: { amount_to_capture: optional(amount('The amount to charge. Default: all that is authorized.')) },
    keep: morePaymentFields,
  }),

  tool('cancel_payment_intent: POST /v1/payment_intents/{payment_intent}/cancel', {
    title: 'Cancel payment intent',
    description: 'Cancel a payment that has not succeeded. It cannot be resumed. For a paid one, use create_refund.',
    annotations: overwrites,
    path,
    form: {
      cancellation_reason: optional(
        oneOf(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'], 'Why the payment is canceled.'),
      ),
    },
    keep: morePaymentFields,
  }),

  tool('list_charges: GET /v1/charges', {
    title: 'List charges',
    description: 'List attempts to charge, newest first: result, card, receipt URL, and why one was declined.',
    query: { payment_intent: optional(paymentIntent), customer: optional(customer), created, ...listQuery },
    pagination: listPages,
    keep: chargeFields,
  }),

  tool('get_charge: GET /v1/charges/{charge}', {
    title: 'Get charge',
    description:
      'Read one attempt to charge a payment: card, receipt URL, and what was refunded. Disputes: list_disputes.',
    path: { charge: id('ch_…, from list_charges, or latest_charge of get_payment_intent.') },
    keep: `${chargeFields} metadata`,
  }),

  tool('list_refunds: GET /v1/refunds', {
    title: 'List refunds',
    description: 'List refunds, newest first. Filter by payment.',
    query: { payment_intent: optional(paymentIntent), created, ...listQuery },
    pagination: listPages,
    keep: 'id amount currency status reason payment_intent charge created|epoch-seconds-to-time',
  }),

  tool('get_refund: GET /v1/refunds/{refund}', {
    title: 'Get refund',
    description: 'Read one refund: amount, status, and why it failed.',
    path: { refund: id('re_…, from list_refunds or create_refund.') },
    keep: 'id amount currency status reason payment_intent charge failure_reason metadata created|epoch-seconds-to-time',
  }),

  tool('create_refund: POST /v1/refunds', {
    title: 'Create refund',
    description: 'Refund a payment, in full or in part. A refund cannot be canceled.',
    annotations: triggers,
    form: {
      payment_intent: paymentIntent,
      amount: optional(amount('The amount to refund. Default: the remaining amount.')),
      reason: optional(oneOf(['duplicate', 'fraudulent', 'requested_by_customer'], 'Why the payment is refunded.')),
      metadata: optional(metadata),
    },
    keep: 'id amount currency status reason payment_intent failure_reason',
  }),
]
