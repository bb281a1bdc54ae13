import { Type } from '@sinclair/typebox'
import { flag, integer, list, named, optional, text } from '../../../../services/definitions/arguments.ts'
import { tool } from '../../../../services/definitions/tool.ts'
import { overwrites } from '../../annotations.ts'
import { id, listPages, listQuery, metadata, price } from '../arguments.ts'

const link = id('plink_…, from list_payment_links or create_payment_link.')
const linkFields = 'id url active currency'
const moreFields = `${linkFields} allow_promotion_codes after_completion { type redirect { url } } metadata`
const promotionCodes = flag('Whether customers can enter a promotion code (create_promotion_code).')
const redirectUrl = text('The page to open after the payment.', 2048, { pattern: '^https?://' })
const item = Type.Object(
  { price, quantity: Type.Integer({ minimum: 1, maximum: 999_999 }) },
  { additionalProperties: false },
)

const listPaymentLinks = tool('list_payment_links: GET /v1/payment_links', {
  title: 'List payment links',
  description: 'List payment links, newest first: ID, URL, and whether they are active.',
  query: { active: optional(flag('true: only active links. false: only inactive ones.')), ...listQuery },
  pagination: listPages,
  keep: linkFields,
})

const getPaymentLink = tool('get_payment_link: GET /v1/payment_links/{payment_link}', {
  title: 'Get payment link',
  description: 'Read one payment link. What it sells: list_payment_link_items.',
  path: { payment_link: link },
  keep: moreFields,
})

const listPaymentLinkItems = tool('list_payment_link_items: GET /v1/payment_links/{payment_link}/line_items', {
  title: 'List payment link items',
  description: 'List what a payment link sells: description, price and quantity.',
  path: { payment_link: link },
  query: listQuery,
  pagination: listPages,
  keep: 'id description quantity amount_total currency price { id product unit_amount }',
})

const createPaymentLink = tool('create_payment_link: POST /v1/payment_links', {
  title: 'Create payment link',
  description: 'Create a payment page that anyone with its URL can use. Returns the URL.',
  form: {
    line_items: list(item, 'The items to buy.', 20),
    allow_promotion_codes: optional(promotionCodes),
    metadata: optional(metadata),
    after_completion: {
      type: 'redirect',
      redirect: { url: named('redirect_url', optional(redirectUrl)) },
    },
    subscription_data: {
      trial_period_days: optional(integer('The free days at the start of a subscription.', 1, 730)),
    },
  },
  keep: linkFields,
})

const updatePaymentLink = tool('update_payment_link: POST /v1/payment_links/{payment_link}', {
  title: 'Update payment link',
  description: 'Switch a payment link off or on, or change whether it takes promotion codes. Its items are final.',
  annotations: overwrites,
  path: { payment_link: link },
  form: {
    active: optional(flag('false: visitors can no longer pay.')),
    allow_promotion_codes: optional(promotionCodes),
  },
  needsOneOf: ['active', 'allow_promotion_codes'],
  keep: moreFields,
})

/** Stripe's payment links. */
export const paymentLinkTools = [
  listPaymentLinks,
  getPaymentLink,
  listPaymentLinkItems,
  createPaymentLink,
  updatePaymentLink,
]
