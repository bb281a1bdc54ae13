import { Type } from '@sinclair/typebox'
import { StringEnum } from '../../../../schemas/string-enum.ts'
import { httpTool, pick, sameNames } from '../../../../services/definitions/http-tool.ts'
import { overwrites, reads } from '../../annotations.ts'
import { customer, listPages, listQuery, metadata, page, price, subscription } from '../arguments.ts'

const subscriptionFields = [
  'id',
  'status',
  'customer',
  'currency',
  'current_period_start',
  'current_period_end',
  'cancel_at_period_end',
  'cancel_at',
  'canceled_at',
  'trial_end',
  'items.data.id',
  'items.data.quantity',
  'items.data.price.id',
  'items.data.price.product',
  'items.data.price.unit_amount',
  'items.data.price.recurring.interval',
  'created',
]

const listSubscriptions = httpTool({
  operation: 'list_subscriptions',
  title: 'List subscriptions',
  description:
    'List subscriptions, newest first. Canceled ones need status canceled or all. Filter by customer and price.',
  annotations: reads,
  input: {
    customer: Type.Optional(customer),
    price: Type.Optional(price),
    status: Type.Optional(
      StringEnum([
        'active',
        'all',
        'canceled',
        'ended',
        'incomplete',
        'incomplete_expired',
        'past_due',
        'paused',
        'trialing',
        'unpaid',
      ]),
    ),
    ...page,
  },
  request: {
    method: 'GET',
    path: '/v1/subscriptions',
    query: { ...sameNames('customer', 'price', 'status'), ...listQuery },
  },
  pagination: listPages,
  result: pick('/data', subscriptionFields),
})

const updateSubscription = httpTool({
  operation: 'update_subscription',
  title: 'Update subscription',
  description:
    'Set whether a subscription ends with its period (cancel_at_period_end); false keeps it running. metadata is merged.',
  annotations: overwrites,
  input: {
    subscription,
    cancel_at_period_end: Type.Optional(Type.Boolean()),
    description: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    metadata: Type.Optional(metadata),
  },
  request: {
    method: 'POST',
    path: '/v1/subscriptions/{subscription}',
    body: { form: sameNames('cancel_at_period_end', 'description', 'metadata') },
  },
  result: pick('', subscriptionFields),
})

const cancelSubscription = httpTool({
  operation: 'cancel_subscription',
  title: 'Cancel subscription',
  description: 'End a subscription immediately and permanently. To end it with its period, use update_subscription.',
  annotations: overwrites,
  input: {
    subscription,
    invoice_now: Type.Optional(Type.Boolean({ description: 'Whether to bill usage that is not billed yet.' })),
    prorate: Type.Optional(Type.Boolean({ description: 'Whether to credit the unused time.' })),
  },
  request: {
    method: 'DELETE',
    path: '/v1/subscriptions/{subscription}',
    body: { form: sameNames('invoice_now', 'prorate') },
  },
  result: pick('', subscriptionFields),
})

/** Stripe's subscriptions. */
export const subscriptionTools = [listSubscriptions, updateSubscription, cancelSubscription]
