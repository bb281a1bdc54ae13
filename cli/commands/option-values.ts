import { GatewayError } from '../../lib/errors/errors.ts'
import { DOLLAR, MOST_MICROS, microsOfDollars } from '../../schemas/money.ts'

const MOST_DOLLARS = `${MOST_MICROS / DOLLAR / 1_000_000} million`

/** Parses an amount of dollars into micro-dollars. Throws invalid_request for any other text. */
export function dollarsOption(option: string, text: string, { from }: { from: 0 | 1 }): number {
  const micros = microsOfDollars(text)
  if (micros !== undefined && micros >= from) return micros
  throw new GatewayError(
    'invalid_request',
    `--${option} must be a number of dollars, ${from === 0 ? '0 or more' : 'more than 0'}, up to ${MOST_DOLLARS}, with at most six decimals and no separators, such as 2500 or 0.5.`,
  )
}

const DEFAULT_ROWS = 20
const MAX_ROWS = 200

/** Parses the number of rows of a list. Throws invalid_request for any other text. */
export function limitOption(text: string | undefined): number {
  if (text === undefined) return DEFAULT_ROWS
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= MAX_ROWS) return limit
  throw new GatewayError('invalid_request', `--limit must be a number of rows from 1 to ${MAX_ROWS}.`)
}
