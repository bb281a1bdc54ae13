import { Type } from '@sinclair/typebox'
import { clearable, flag, integer, list, oneOf, optional, text } from '../../../../services/definitions/arguments.ts'
import { overwrites, tool } from '../../../../services/definitions/tool.ts'
import {
  amount,
  currency,
  customer,
  id,
  listPages,
  listQuery,
  metadata,
  newMetadata,
  price,
  product,
  searchTool,
  time,
} from '../arguments.ts'

const active = flag('true: only active products. false: only inactive ones.')
const name = text('The name that customers see.', 5000)
const description = text('The text that customers see.', 40_000)
const unitLabel = text('What is counted on invoices: seat.', 12)
const url = text('A public page about it.', 2048)
const images = (description: string) => list(text('', 2048, { pattern: '^https?://' }), description, 8)
const nickname = text('A short name that customers do not see.', 5000)
const recurring = {
  interval: optional(
    oneOf(['day', 'week', 'month', 'year'], 'How often a subscription is charged. Omit it for one payment.'),
  ),
  interval_count: optional(integer('The number of intervals between payments. Default: 1.', 1, 365)),
}
const productFields = 'id name description active default_price created|epoch-seconds-to-time'
const priceFields = 'id product nickname active currency unit_amount type recurring { interval interval_count }'

const coupon = id('The ID of the coupon, from list_coupons or create_coupon.')
const promotionCode = id('promo_…, from list_promotion_codes.')
const percent = Type.Number({ minimum: 0.01, maximum: 100, description: 'The discount in percent: 25.5.' })
const duration = oneOf(
  ['once', 'repeating', 'forever'],
  'How long subscriptions get it. repeating needs duration_in_months. Default: once.',
)
const max_redemptions = optional(integer('How often it can be used in total.', 1, 1_000_000))
const couponFields = `id name percent_off amount_off currency duration duration_in_months max_redemptions times_redeemed valid
  redeem_by|epoch-seconds-to-time created|epoch-seconds-to-time`
const codeFields = `id code active coupon { id name percent_off amount_off currency duration } customer max_redemptions
  times_redeemed restrictions { first_time_transaction minimum_amount minimum_amount_currency }
  expires_at|epoch-seconds-to-time created|epoch-seconds-to-time`

/** What is sold with Stripe, and for how much. */
export const productTools = [
  tool('list_products: GET /v1/products', {
    title: 'List products',
    description: 'List products, newest first: ID, name, and the ID of the default price.',
    query: { active: optional(active), ...listQuery },
    pagination: listPages,
    keep: productFields,
  }),

  searchTool('products', {
    description: 'Search products by name, description, metadata, and whether they are active.',
    example: 'name~"workshop" AND active:"true".',
    keep: productFields,
  }),

  tool('get_product: GET /v1/products/{product}', {
    title: 'Get product',
    description: 'Read one product. Its prices: list_prices.',
    path: { product },
    keep: `${productFields} images url unit_label statement_descriptor tax_code metadata updated|epoch-seconds-to-time`,
  }),

  tool('create_product: POST /v1/products', {
    title: 'Create product',
    description:
      'Create a product, with a default price if unit_amount and currency are given. More prices: create_price. Returns its ID.',
    form: {
      name,
      description: optional(description),
      active: optional(flag('Whether it can be bought. Default: true.')),
      default_price_data: {
        unit_amount: optional(amount('The default price.', 0)),
        currency: optional(currency),
        recurring,
      },
      unit_label: optional(unitLabel),
      url: optional(url),
      images: optional(images('URLs of images.')),
      metadata: optional(metadata),
    },
    keep: productFields,
  }),

  tool('update_product: POST /v1/products/{product}', {
    title: 'Update product',
    description: 'Update a product, or archive it with active false. Omitted fields stay unchanged.',
    annotations: overwrites,
    path: { product },
    form: {
      name: optional(name),
      description: clearable(description),
      active: optional(flag('false: it can no longer be bought. Running subscriptions stay.')),
      default_price: optional(price),
      unit_label: clearable(unitLabel),
      url: clearable(url),
      images: clearable(images('All URLs of images.')),
      metadata: optional(newMetadata),
    },
    needsOneOf: ['name', 'description', 'active', 'default_price', 'unit_label', 'url', 'images', 'metadata'],
    keep: productFields,
  }),

  tool('list_prices: GET /v1/prices', {
    title: 'List prices',
    description: 'List prices, newest first. Filter by product.',
    query: {
      product: optional(product),
      active: optional(active),
      type: optional(oneOf(['one_time', 'recurring'], 'Only prices of this kind.')),
      ...listQuery,
    },
    pagination: listPages,
    keep: priceFields,
  }),

  tool('get_price: GET /v1/prices/{price}', {
    title: 'Get price',
    description: 'Read one price: amount, currency, interval and product.',
    path: { price },
    keep: `${priceFields} billing_scheme lookup_key tax_behavior metadata created|epoch-seconds-to-time`,
  }),

  tool('create_price: POST /v1/prices', {
    title: 'Create price',
    description:
      'Add a price to a product, for one payment or for subscriptions. Amount, currency and interval are final.',
    form: {
      product,
      unit_amount: amount('The price of one unit; 0 is free.', 0),
      currency,
      recurring,
      nickname: optional(nickname),
      tax_behavior: optional(oneOf(['inclusive', 'exclusive', 'unspecified'], 'Whether the amount includes taxes.')),
      metadata: optional(metadata),
    },
    keep: priceFields,
  }),

  tool('update_price: POST /v1/prices/{price}', {
    title: 'Update price',
    description: 'Rename a price, or archive it with active false. For another amount, use create_price.',
    annotations: overwrites,
    path: { price },
    form: {
      active: optional(flag('false: new purchases cannot use it. Running subscriptions stay.')),
      nickname: clearable(nickname),
      metadata: optional(newMetadata),
    },
    needsOneOf: ['active', 'nickname', 'metadata'],
    keep: priceFields,
  }),
]

/** Stripe's coupons and promotion codes. */
export const discountTools = [
  tool('list_coupons: GET /v1/coupons', {
    title: 'List coupons',
    description: 'List coupons, newest first: discount, duration, and how often each was used.',
    query: listQuery,
    pagination: listPages,
    keep: couponFields,
  }),

  tool('get_coupon: GET /v1/coupons/{coupon}', {
    title: 'Get coupon',
    description: 'Read one coupon. Its codes for customers: list_promotion_codes.',
    path: { coupon },
    keep: `${couponFields} metadata`,
  }),

  tool('create_coupon: POST /v1/coupons', {
    title: 'Create coupon',
    description:
      'Create a discount. Give either percent_off, or amount_off with currency. Customers redeem it with a code of ' +
      'create_promotion_code. Only its name and metadata can change later.',
    form: {
      percent_off: optional(percent),
      amount_off: optional(amount('The discount.')),
      currency: optional(currency),
      duration: optional(duration),
      duration_in_months: optional(integer('The months, for repeating.', 1, 120)),
      name: optional(text('The name that customers see.', 40)),
      max_redemptions,
      redeem_by: time('redeem_by', 'The last time it can be used.'),
      applies_to: { products: optional(list(product, 'Only for these products.', 50)) },
      metadata: optional(metadata),
    },
    needsOneOf: ['percent_off', 'amount_off'],
    keep: couponFields,
  }),

  tool('delete_coupon: DELETE /v1/coupons/{coupon}', {
    title: 'Delete coupon',
    description: 'Delete a coupon. Its promotion codes stop working. Customers who already have the discount keep it.',
    path: { coupon },
    keep: 'id deleted',
  }),

  tool('list_promotion_codes: GET /v1/promotion_codes', {
    title: 'List promotion codes',
    description: 'List the codes that customers enter, newest first, with their coupons.',
    query: {
      code: optional(text('The exact code, in any case.', 500)),
      coupon: optional(coupon),
      customer: optional(customer),
      active: optional(flag('true: only active codes. false: only inactive ones.')),
      ...listQuery,
    },
    pagination: listPages,
    keep: codeFields,
  }),

  tool('create_promotion_code: POST /v1/promotion_codes', {
    title: 'Create promotion code',
    description: 'Create a code that gives customers the discount of a coupon.',
    form: {
      coupon,
      code: optional(text('The code: SUMMER25. Default: a random one.', 500, { pattern: '^[A-Za-z0-9-]+$' })),
      customer: optional(customer),
      max_redemptions,
      expires_at: time('expires_at', 'When it stops working.'),
      restrictions: {
        first_time_transaction: optional(flag('Only for customers who have never paid before.')),
        minimum_amount: optional(amount('Only for orders of at least this amount. Needs minimum_amount_currency.')),
        minimum_amount_currency: optional(currency),
      },
      metadata: optional(metadata),
    },
    keep: codeFields,
  }),

  tool('update_promotion_code: POST /v1/promotion_codes/{promotion_code}', {
    title: 'Update promotion code',
    description: 'Switch a promotion code off or on. Codes cannot be deleted.',
    annotations: overwrites,
    path: { promotion_code: promotionCode },
    form: { active: optional(flag('false: it can no longer be used.')), metadata: optional(newMetadata) },
    needsOneOf: ['active', 'metadata'],
    keep: codeFields,
  }),
]
