import { optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { created, id, listPages, listQuery } from '../arguments.ts'

const getAccount = tool('get_account: GET /v1/account', {
  title: 'Get account',
  description:
    'Read the connected account: business name, country, currency, and whether it can charge and pay out. Information that ' +
    'Stripe still needs is in requirements.',
  keep: `id type email country default_currency business_profile { name url support_email } charges_enabled payouts_enabled
    details_submitted requirements { currently_due past_due disabled_reason } settings { dashboard { display_name timezone } }`,
})

const getBalance = tool('get_balance: GET /v1/balance', {
  title: 'Get balance',
  description: 'Read the available and pending balance of the account, by currency.',
  keep: 'available { amount currency } pending { amount currency } instant_available { amount currency } livemode',
})

const listBalanceTransactions = tool('list_balance_transactions: GET /v1/balance_transactions', {
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
})

const listEvents = tool('list_events: GET /v1/events', {
  title: 'List events',
  description:
    'List what happened in the account in the last 30 days, newest first: type, time, and the ID of the object. Read the ' +
    'object with its own tool.',
  query: {
    type: optional(text('Only this type, for example: invoice.payment_failed. A * matches all: charge.*', 100)),
    created,
    ...listQuery,
  },
  pagination: listPages,
  keep: 'id type created|epoch-seconds-to-time data { object { id object } }',
})

/** What a Stripe account is, what it holds, and what moved it. */
export const balanceTools = [getAccount, getBalance, listBalanceTransactions, listEvents]
