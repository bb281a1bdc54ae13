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

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 }
const MAX_OVERLAP = 7 * SECONDS.d

/** Parses a duration of at most 7 days, such as `90s`, `30m`, `12h` or `7d`, to seconds. Throws invalid_request for any other text. */
export function secondsOption(option: string, text: string): number {
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const seconds = number === undefined ? -1 : Number(number) * SECONDS[unit as keyof typeof SECONDS]
  if (seconds >= 0 && seconds <= MAX_OVERLAP) return seconds
  throw new GatewayError(
    'invalid_request',
    `--${option} must be a time of at most 7 days, such as 90s, 30m, 12h or 7d.`,
  )
}
