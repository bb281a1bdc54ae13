import { Type } from '@sinclair/typebox'
import { flag, integer, list, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { overwrites } from '../../annotations.ts'
import {
  amount,
  currency,
  customer,
  id,
  listPages,
  listQuery,
  metadata,
  newMetadata,
  product,
  time,
} from '../arguments.ts'

const coupon = id('The ID of the coupon, from list_coupons or create_coupon.')
const promotionCode = id('promo_…, from list_promotion_codes.')
const percent = Type.Number({ minimum: 0.01, maximum: 100, description: 'The discount in percent: 25.5.' })
const duration = oneOf(
  ['once', 'repeating', 'forever'],
  'How long subscriptions get it. repeating needs duration_in_months. Default: once.',
)
const couponFields = `id name percent_off amount_off currency duration duration_in_months max_redemptions times_redeemed valid
  redeem_by|epoch-seconds-to-time created|epoch-seconds-to-time`
const codeFields = `id code active coupon { id name percent_off amount_off currency duration } customer max_redemptions
  times_redeemed restrictions { first_time_transaction minimum_amount minimum_amount_currency }
  expires_at|epoch-seconds-to-time created|epoch-seconds-to-time`

const listCoupons = tool('list_coupons: GET /v1/coupons', {
  title: 'List coupons',
  description: 'List coupons, newest first: discount, duration, and how often each was used.',
  query: listQuery,
  pagination: listPages,
  keep: couponFields,
})

const getCoupon = tool('get_coupon: GET /v1/coupons/{coupon}', {
  title: 'Get coupon',
  description: 'Read one coupon. Its codes for customers: list_promotion_codes.',
  path: { coupon },
  keep: `${couponFields} metadata`,
})

const createCoupon = tool('create_coupon: POST /v1/coupons', {
  title: 'Create coupon',
  description:
    'Create a discount. Give either percent_off, or amount_off with currency. Customers enter it by a code: ' +
    'create_promotion_code. Only its name and metadata can change later.',
  form: {
    percent_off: optional(percent),
    amount_off: optional(amount('The discount.')),
    currency: optional(currency),
    duration: optional(duration),
    duration_in_months: optional(integer('The months, for repeating.', 1, 120)),
    name: optional(text('The name that customers see.', 40)),
    max_redemptions: optional(integer('How often it can be used in total.', 1, 1_000_000)),
    redeem_by: time('redeem_by', 'When it can be used last.'),
    applies_to: { products: optional(list(product, 'Only for these products.', 50)) },
    metadata: optional(metadata),
  },
  needsOneOf: ['percent_off', 'amount_off'],
  keep: couponFields,
})

const deleteCoupon = tool('delete_coupon: DELETE /v1/coupons/{coupon}', {
  title: 'Delete coupon',
  description: 'Delete a coupon. Its promotion codes stop working. Customers who already have the discount keep it.',
  path: { coupon },
  keep: 'id deleted',
})

const listPromotionCodes = tool('list_promotion_codes: GET /v1/promotion_codes', {
  title: 'List promotion codes',
  description: 'List the codes that customers enter, newest first, with their coupons.',
  query: {
    code: optional(text('The exact code, in any case.', 500)),
    coupon: optional(coupon),
    customer: optional(customer),
    active: optional(flag('true: only codes that can be used. false: only others.')),
    ...listQuery,
  },
  pagination: listPages,
  keep: codeFields,
})

const createPromotionCode = tool('create_promotion_code: POST /v1/promotion_codes', {
  title: 'Create promotion code',
  description: 'Create a code that gives customers the discount of a coupon.',
  form: {
    coupon,
    code: optional(text('The code: SUMMER25. Default: a random one.', 500, { pattern: '^[A-Za-z0-9-]+$' })),
    customer: optional(customer),
    max_redemptions: optional(integer('How often it can be used in total.', 1, 1_000_000)),
    expires_at: time('expires_at', 'When it stops working.'),
    restrictions: {
      first_time_transaction: optional(flag('Only for customers who never paid before.')),
      minimum_amount: optional(amount('Only for orders of at least this. Needs minimum_amount_currency.')),
      minimum_amount_currency: optional(currency),
    },
    metadata: optional(metadata),
  },
  keep: codeFields,
})

const updatePromotionCode = tool('update_promotion_code: POST /v1/promotion_codes/{promotion_code}', {
  title: 'Update promotion code',
  description: 'Switch a promotion code off or on. Codes cannot be deleted.',
  annotations: overwrites,
  path: { promotion_code: promotionCode },
  form: { active: optional(flag('false: it can no longer be used.')), metadata: optional(newMetadata) },
  needsOneOf: ['active', 'metadata'],
  keep: codeFields,
})

/** Stripe's coupons and promotion codes. */
export const discountTools = [
  listCoupons,
  getCoupon,
  createCoupon,
  deleteCoupon,
  listPromotionCodes,
  createPromotionCode,
  updatePromotionCode,
]
