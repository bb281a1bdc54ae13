import { type TInteger, type TNull, type TRecord, type TString, type TUnion, Type } from '@sinclair/typebox'
import { converted, integer, named, oneOf, optional, text } from '../../../services/definitions/arguments.ts'
import type { HttpTool } from '../../../services/definitions/http-tool-types.ts'
import { tool } from '../../../services/definitions/tool.ts'
import { instant, pageSize, pageStart } from '../shared-arguments.ts'

/** The ID of an object. The account's owner chooses some IDs, so no prefix is required. */
export function id(description: string): TString {
  return Type.String({ pattern: '^[A-Za-z0-9_-]{1,255}$', description })
}

/** IDs in the arguments of several groups of tools. */
export const customer = id('cus_…, from list_customers or search_customers.')
export const paymentIntent = id('pi_…, from list_payment_intents or search_payment_intents.')
export const price = id('price_…, from list_prices or create_price.')
export const product = id('prod_…, from list_products or create_product.')
export const subscription = id('sub_…, from list_subscriptions.')

export const invoice = id('in_…, from list_invoices, search_invoices or create_invoice.')

/** How an invoice is paid. */
export const collectionMethod = optional(
  oneOf(['charge_automatically', 'send_invoice'], 'send_invoice needs days_until_due. Default: charge_automatically.'),
)

/** After how many days an invoice must be paid. */
export const daysUntilDue = integer('The days until an invoice is due, for send_invoice.', 0, 365)

/** The fields of invoices that are kept. */
export const invoiceFields = `id number status customer customer_email currency total amount_due amount_paid amount_remaining
  due_date|epoch-seconds-to-time auto_advance hosted_invoice_url subscription
  created|epoch-seconds-to-time`

/** The query and pagination of all lists. */
export const listQuery = { limit: pageSize(20, 100), starting_after: pageStart } as const
export const listPages = { style: 'last-id', items: '/data', id: '/id', more: '/has_more' } as const

/** The filter of lists by the time at which an object was created. */
export const created = {
  gte: time('created_after', 'Only what was created at this time or later.'),
  lt: time('created_before', 'Only what was created before this time.'),
} as const

/** A point in time, which Stripe counts in seconds. */
export function time(name: string, description: string) {
  return converted('epoch-seconds', named(name, optional(instant(description))))
}

/** The tool that searches objects of one kind in Stripe's search language. */
export function searchTool(
  objects: string,
  { description, example, keep }: { description: string; example: string; keep: string },
): HttpTool {
  const query = text(
    `A query in Stripe's search language, for example: ${example} New objects appear after about a minute.`,
    5000,
  )
  return tool(`search_${objects}: GET /v1/${objects}/search`, {
    title: `Search ${objects.replaceAll('_', ' ')}`,
    description,
    query: { query, limit: pageSize(20, 100), page: pageStart },
    pagination: { style: 'cursor', items: '/data', next: '/next_page', more: '/has_more' },
    keep,
  })
}

/** A currency (ISO 4217). */
export const currency = Type.String({ pattern: '^[a-z]{3}$', description: 'A lowercase ISO 4217 code: eur.' })

/** An amount of money. */
export function amount(description: string, minimum = 1): TInteger {
  return integer(
    `${description} In the smallest unit of the currency: 1050 is 10.50 euros or 1050 yen.`,
    minimum,
    99_999_999,
  )
}

/** The name of a value that the account's owner stores with an object. */
const key = Type.String({ pattern: '^[A-Za-z0-9_-]{1,40}$' })
const value = Type.String({ maxLength: 500 })

/** Key-value data that the account's owner stores with an object. */
export const metadata: TRecord<TString, TString> = Type.Record(key, value, {
  maxProperties: 50,
  description: 'Key-value data to store with the object.',
})

/** Changes of that data. */
export const newMetadata: TRecord<TString, TUnion<[TString, TNull]>> = Type.Record(
  key,
  Type.Union([value, Type.Null()]),
  { maxProperties: 50, description: 'Key-value data to store with the object. Other keys stay; null removes a key.' },
)
