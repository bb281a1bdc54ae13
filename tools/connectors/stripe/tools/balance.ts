import { Type } from '@sinclair/typebox'
import { httpTool, pick } from '../../../../services/definitions/http-tool.ts'
import { reads } from '../../annotations.ts'
import { id, listPages, listQuery, page } from '../arguments.ts'

const getBalance = httpTool({
  operation: 'get_balance',
  title: 'Get balance',
  description: 'Read the available and pending balance of the account, by currency.',
  annotations: reads,
  input: {},
  request: { method: 'GET', path: '/v1/balance' },
  result: pick('', [
    'available.amount',
    'available.currency',
    'pending.amount',
    'pending.currency',
    'instant_available.amount',
    'instant_available.currency',
    'livemode',
  ]),
})

const listBalanceTransactions = httpTool({
  operation: 'list_balance_transactions',
  title: 'List balance transactions',
  description: 'List balance transactions, newest first: charges, refunds, fees and payouts.',
  annotations: reads,
  input: {
    type: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'The type: charge, refund, payout, …' }),
    ),
    payout: Type.Optional(id('Only transactions of this payout: po_…, the source of a transaction of type payout.')),
    ...page,
  },
  request: {
    method: 'GET',
    path: '/v1/balance_transactions',
    query: { type: '{type}', payout: '{payout}', ...listQuery },
  },
  pagination: listPages,
  result: pick('/data', [
    'id',
    'type',
    'amount',
    'fee',
    'net',
    'currency',
    'status',
    'source',
    'description',
    'created',
  ]),
})

/** What a Stripe account holds, and what moved it. */
export const balanceTools = [getBalance, listBalanceTransactions]
