import { Type } from '@sinclair/typebox'
import { cursor, limit } from '../paging.ts'

/** The ID of an object. The account's owner chooses some IDs, so no prefix is required. */
export function id(description: string) {
  return Type.String({ pattern: '^[A-Za-z0-9_-]{1,255}$', description })
}

/** IDs in the arguments of several groups of tools. */
export const customer = id('cus_…, from list_customers or search_customers.')
export const paymentIntent = id('pi_…, from list_payment_intents or search_payment_intents.')
export const price = id('price_…, from list_prices.')
export const subscription = id('sub_…, from list_subscriptions.')

/** The paging arguments. */
export const page = { limit: limit({ max: 100, default: 20 }), cursor }

/** The query and pagination of all lists. */
export const listQuery = { limit: '{limit}', starting_after: '{cursor}' } as const
export const listPages = { style: 'last-id', items: '/data', id: '/id', more: '/has_more' } as const

/** The query and pagination of all searches. */
export const searchQuery = { query: '{query}', limit: '{limit}', page: '{cursor}' } as const
export const searchPages = { style: 'cursor', items: '/data', next: '/next_page', more: '/has_more' } as const

/** The query of a search. */
export function searchText(example: string) {
  return Type.String({
    minLength: 1,
    maxLength: 5000,
    description: `A query in Stripe's search language, for example: ${example} New objects appear after about a minute.`,
  })
}

/** A currency (ISO 4217). */
export const currency = Type.String({ pattern: '^[a-z]{3}$', description: 'A lowercase ISO 4217 code: eur.' })

/** An amount of money. */
export function amount(description: string) {
  return Type.Integer({
    minimum: 1,
    maximum: 99_999_999,
    description: `${description} In the smallest unit of the currency: 1050 is 10.50 euros or 1050 yen.`,
  })
}

/** Key-value data that the account's owner stores with an object. */
export const metadata = Type.Record(
  Type.String({ pattern: '^[A-Za-z0-9_-]{1,40}$' }),
  Type.String({ maxLength: 500 }),
  {
    maxProperties: 50,
    description: 'Key-value data to store with the object.',
  },
)
