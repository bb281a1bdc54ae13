import { Type } from '@sinclair/typebox'
import {
  clearable,
  converted,
  flag,
  integer,
  list,
  named,
  oneOf,
  optional,
  text,
} from '../../../../services/definitions/arguments.ts'
import { overwrites, tool, triggers } from '../../../../services/definitions/tool.ts'
import { instant } from '../../shared-arguments.ts'
import {
  collectionMethod,
  created,
  customer,
  daysUntilDue,
  id,
  listPages,
  listQuery,
  metadata,
  newMetadata,
  price,
  searchTool,
  subscription,
  time,
} from '../arguments.ts'

const email = text('The email address.', 512, { min: 3 })
const person = {
  name: text('The full name of the person or business.', 256),
  phone: text('Their phone number.', 20),
  description: text('A note that only you see.', 5000),
}
const customerFields = 'id name email phone description currency balance delinquent created|epoch-seconds-to-time'

const STATUSES = [
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
] as const
const subscriptionFields = `id status customer currency current_period_start|epoch-seconds-to-time
  current_period_end|epoch-seconds-to-time cancel_at_period_end cancel_at|epoch-seconds-to-time
  canceled_at|epoch-seconds-to-time trial_end|epoch-seconds-to-time
  items { data { id quantity price { id product unit_amount recurring { interval } } } } created|epoch-seconds-to-time`
const moreFields = `${subscriptionFields} description collection_method days_until_due default_payment_method latest_invoice
  pause_collection { behavior resumes_at|epoch-seconds-to-time } discount { coupon { id name } }
  cancellation_details { reason feedback comment } metadata`
const quantity = integer('The number of units, for example seats.', 0, 999_999)
const item = Type.Object({ price, quantity: optional(quantity) }, { additionalProperties: false })
const proration = oneOf(
  ['create_prorations', 'always_invoice', 'none'],
  'How a change within the period is billed: with the next invoice, immediately, or not at all. Default: create_prorations.',
)
const whilePaused = {
  ...optional(
    oneOf(
      ['keep_as_draft', 'void', 'mark_uncollectible'],
      'What happens to invoices meanwhile. keep_as_draft: they can be charged later. void: they are never paid. ' +
        'mark_uncollectible: they are written off. Default: keep_as_draft.',
    ),
  ),
  default: 'keep_as_draft',
}
const paymentMethod = id('pm_…, from list_payment_methods: charged for the subscription.')
const coupon = id('A discount by ID, from list_coupons.')
const path = { subscription }

/** Stripe's customers. */
export const customerTools = [
  tool('list_customers: GET /v1/customers', {
    title: 'List customers',
    description: 'List customers, newest first. Filter by email address.',
    query: {
      email: optional({ ...email, description: 'The exact email address, case-sensitive.' }),
      created,
      ...listQuery,
    },
    pagination: listPages,
    keep: customerFields,
  }),

  searchTool('customers', {
    description: 'Search customers by name, email, phone, metadata and date.',
    example: `name~"ada" AND created>1700000000.`,
    keep: customerFields,
  }),

  tool('get_customer: GET /v1/customers/{customer}', {
    title: 'Get customer',
    description: 'Read one customer, including addresses, metadata and the default payment method.',
    path: { customer },
    keep: `${customerFields} address shipping metadata invoice_settings { default_payment_method } deleted`,
  }),

  tool('create_customer: POST /v1/customers', {
    title: 'Create customer',
    description:
      'Create a customer. Stripe does not reject a duplicate email address: check with list_customers first.',
    form: {
      email,
      name: optional(person.name),
      phone: optional(person.phone),
      description: optional(person.description),
      metadata: optional(metadata),
    },
    keep: `${customerFields} metadata`,
  }),

  tool('update_customer: POST /v1/customers/{customer}', {
    title: 'Update customer',
    description: 'Update a customer. Omitted fields stay unchanged. metadata is merged.',
    annotations: overwrites,
    path: { customer },
    form: {
      email: optional(email),
      name: clearable(person.name),
      phone: clearable(person.phone),
      description: clearable(person.description),
      metadata: optional(newMetadata),
      invoice_settings: {
        default_payment_method: optional(
          id('pm_…, from list_payment_methods: charged for invoices and subscriptions.'),
        ),
      },
    },
    needsOneOf: ['email', 'name', 'phone', 'description', 'metadata', 'default_payment_method'],
    keep: `${customerFields} metadata`,
  }),

  tool('delete_customer: DELETE /v1/customers/{customer}', {
    title: 'Delete customer',
    description: 'Delete a customer permanently, and end their subscriptions immediately. Payments and invoices stay.',
    path: { customer },
    keep: 'id deleted',
  }),

  tool('list_payment_methods: GET /v1/customers/{customer}/payment_methods', {
    title: 'List payment methods',
    description: 'List the stored payment methods of a customer: type, and brand, last digits and expiry of cards.',
    path: { customer },
    query: listQuery,
    pagination: listPages,
    keep: `id type card { brand last4 exp_month exp_year } sepa_debit { country last4 } us_bank_account { bank_name last4 }
    created|epoch-seconds-to-time`,
  }),
]

/** Stripe's subscriptions. */
export const subscriptionTools = [
  tool('list_subscriptions: GET /v1/subscriptions', {
    title: 'List subscriptions',
    description:
      'List subscriptions, newest first. For canceled ones, set status to canceled or all. Filter by customer and price.',
    query: {
      customer: optional(customer),
      price: optional(price),
      status: optional(oneOf(STATUSES, 'Only subscriptions with this status. Default: all but canceled ones.')),
      created,
      ...listQuery,
    },
    pagination: listPages,
    keep: subscriptionFields,
  }),

  searchTool('subscriptions', {
    description: 'Search subscriptions by status, metadata and date.',
    example: 'status:"past_due" AND metadata["plan"]:"team".',
    keep: subscriptionFields,
  }),

  tool('get_subscription: GET /v1/subscriptions/{subscription}', {
    title: 'Get subscription',
    description: 'Read one subscription: items, period, discount, pause, and why it was canceled.',
    path,
    keep: moreFields,
  }),

  tool('create_subscription: POST /v1/subscriptions', {
    title: 'Create subscription',
    description:
      'Subscribe a customer to recurring prices. Without a trial, the first invoice is charged or sent immediately. ' +
      'Check with list_subscriptions that the customer has none.',
    annotations: triggers,
    form: {
      customer,
      items: list(item, 'Recurring prices, all of one currency.', 20),
      trial_period_days: optional(integer('The free days at the start.', 1, 730)),
      collection_method: collectionMethod,
      days_until_due: optional(daysUntilDue),
      default_payment_method: optional(paymentMethod),
      coupon: optional(coupon),
      promotion_code: optional(id('promo_…, from list_promotion_codes. Give either this or coupon.')),
      description: optional(text('The text that customers see.', 500)),
      metadata: optional(metadata),
    },
    keep: moreFields,
  }),

  tool('update_subscription: POST /v1/subscriptions/{subscription}', {
    title: 'Update subscription',
    description:
      'Set when a subscription ends (cancel_at_period_end, cancel_at), or change how it is paid. Prices and ' +
      'quantities: update_subscription_item. metadata is merged.',
    annotations: overwrites,
    path,
    form: {
      cancel_at_period_end: optional(flag('true: it ends with its period. false: it keeps running.')),
      cancel_at: converted(
        'epoch-seconds',
        clearable(instant('Ends the subscription at this time. Within a period, the unused time is credited.')),
      ),
      default_payment_method: optional(paymentMethod),
      coupon: optional(coupon),
      description: clearable(text('The text that customers see.', 500)),
      proration_behavior: optional(proration),
      metadata: optional(newMetadata),
    },
    needsOneOf: ['cancel_at_period_end', 'cancel_at', 'default_payment_method', 'coupon', 'description', 'metadata'],
    keep: moreFields,
  }),

  tool('pause_subscription: POST /v1/subscriptions/{subscription}', {
    title: 'Pause subscription',
    description: 'Pause the payments of a subscription. It keeps running: customers keep what they subscribed to.',
    annotations: overwrites,
    path,
    form: {
      pause_collection: {
        behavior: named('invoices', whilePaused),
        resumes_at: time('resumes_at', 'When payments resume. Default: with resume_subscription.'),
      },
    },
    keep: moreFields,
  }),

  tool('resume_subscription: POST /v1/subscriptions/{subscription}', {
    title: 'Resume subscription',
    description: 'Resume the payments of a subscription that pause_subscription paused.',
    annotations: overwrites,
    path,
    form: { pause_collection: '' },
    keep: moreFields,
  }),

  tool('update_subscription_item: POST /v1/subscription_items/{item}', {
    title: 'Update subscription item',
    description:
      'Change the price or the quantity of a subscription, for example to another plan or more seats. A new price ' +
      'without quantity sets the quantity to 1: give the current one, from get_subscription. A change of the ' +
      'interval, or from free to paid, is charged immediately.',
    annotations: overwrites,
    path: { item: id('si_…, from items.data.id of list_subscriptions or get_subscription.') },
    form: { price: optional(price), quantity: optional(quantity), proration_behavior: optional(proration) },
    needsOneOf: ['price', 'quantity'],
    keep: 'id subscription quantity price { id product unit_amount currency recurring { interval } }',
  }),

  tool('cancel_subscription: DELETE /v1/subscriptions/{subscription}', {
    title: 'Cancel subscription',
    description: 'End a subscription immediately and permanently. To end it with its period, use update_subscription.',
    path,
    form: {
      invoice_now: optional(flag('Whether to bill usage that is not billed yet.')),
      prorate: optional(flag('Whether to credit the unused time.')),
      cancellation_details: { comment: optional(text('Why it ends, for your own records.', 5000)) },
    },
    keep: moreFields,
  }),
]
