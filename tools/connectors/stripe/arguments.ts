import { Type } from '@sinclair/typebox'
import { cursor, limit } from '../paging.ts'

/** Something of Stripe's by id; some ids are made up by the account's owner. */
export function id(description: string) {
  return Type.String({ pattern: '^[A-Za-z0-9_-]{1,255}$', description })
}

/** What more than one topic speaks of, by id. */
export const customer = id('cus_…; it comes from list_customers or search_customers.')
export const paymentIntent = id('pi_…; it comes from list_payment_intents or search_payment_intents.')
export const price = id('price_…; it comes from list_prices.')
export const subscription = id('sub_…; it comes from list_subscriptions.')

/** How many come at once, and where they go on. */
export const page = { limit: limit({ max: 100, default: 20 }), cursor }

/** How every list is asked for, and goes on. */
export const listQuery = { limit: '{limit}', starting_after: '{cursor}' } as const
export const listPages = { style: 'last-id', items: '/data', id: '/id', more: '/has_more' } as const

/** How every search is asked for, and goes on. */
export const searchQuery = { query: '{query}', limit: '{limit}', page: '{cursor}' } as const
export const searchPages = { style: 'cursor', items: '/data', next: '/next_page', more: '/has_more' } as const

/** The query of a search. */
export function searchText(example: string) {
  return Type.String({
    minLength: 1,
    maxLength: 5000,
    description: `Stripe's search language, for example: ${example} What was just made is found after a minute.`,
  })
}

/** Three letters of ISO 4217. */
export const currency = Type.String({ pattern: '^[a-z]{3}$', description: 'Three small letters: eur.' })

/** Money. */
export function amount(description: string) {
  return Type.Integer({
    minimum: 1,
    maximum: 99_999_999,
    description: `${description} In the smallest unit of the currency: 1050 is 10.50 euros, and 1050 yen.`,
  })
}

/** What an account's owner notes beside an object. */
export const metadata = Type.Record(
  Type.String({ pattern: '^[A-Za-z0-9_-]{1,40}$' }),
  Type.String({ maxLength: 500 }),
  {
    maxProperties: 50,
    description: 'Notes by name.',
  },
)
