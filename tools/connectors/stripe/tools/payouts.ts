import { oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { adds, overwrites } from '../../annotations.ts'
import { amount, currency, id, listPages, listQuery, metadata, time } from '../arguments.ts'

const payout = id('po_…, from list_payouts or create_payout.')
const payoutFields = `id amount currency status method automatic description statement_descriptor destination failure_code
  failure_message arrival_date|epoch-seconds-to-time created|epoch-seconds-to-time`

const listPayouts = tool('list_payouts: GET /v1/payouts', {
  title: 'List payouts',
  description: 'List payouts to the bank account, newest first. Their contents: list_balance_transactions.',
  query: {
    status: optional(oneOf(['pending', 'in_transit', 'paid', 'failed', 'canceled'])),
    arrival_date: {
      gte: time('arrives_after', 'Only payouts that arrive at this time or later.'),
      lt: time('arrives_before', 'Only payouts that arrive before this time.'),
    },
    ...listQuery,
  },
  pagination: listPages,
  keep: payoutFields,
})

const getPayout = tool('get_payout: GET /v1/payouts/{payout}', {
  title: 'Get payout',
  description: 'Read one payout: amount, status, arrival date, and why it failed.',
  path: { payout },
  keep: `${payoutFields} metadata`,
})

const createPayout = tool('create_payout: POST /v1/payouts', {
  title: 'Create payout',
  description:
    "Send money from the available balance (get_balance) to the account's own bank account. Only needed if payouts are " +
    'not automatic.',
  annotations: { ...adds, destructiveHint: true },
  form: {
    amount: amount('The amount.'),
    currency,
    description: optional(text('For your own records.', 5000)),
    statement_descriptor: optional(text('The text on the bank statement.', 22)),
    method: optional(oneOf(['standard', 'instant'], 'instant costs a fee. Default: standard.')),
    metadata: optional(metadata),
  },
  keep: payoutFields,
})

const cancelPayout = tool('cancel_payout: POST /v1/payouts/{payout}/cancel', {
  title: 'Cancel payout',
  description:
    'Cancel a payout that is still pending and was not automatic. The money returns to the available balance.',
  annotations: overwrites,
  path: { payout },
  keep: payoutFields,
})

/** Stripe's payouts to the bank account. */
export const payoutTools = [listPayouts, getPayout, createPayout, cancelPayout]
