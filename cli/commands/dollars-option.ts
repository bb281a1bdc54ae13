import { GatewayError } from '../../lib/errors/errors.ts'
import { DOLLAR, MOST_MICROS, microsOfDollars } from '../../schemas/money.ts'

const MOST = `${MOST_MICROS / DOLLAR / 1_000_000} million`

/** Reads the value of an option that is an amount of dollars, as micro-dollars; throws invalid_request on any other text. */
export function dollarsOption(option: string, text: string, { from }: { from: 0 | 1 }): number {
  const micros = microsOfDollars(text)
  if (micros !== undefined && micros >= from) return micros
  throw new GatewayError(
    'invalid_request',
    `--${option} is a number of dollars, ${from === 0 ? '0 or more' : 'more than 0'}, up to ${MOST}, with six decimals at most and no separators, such as 2500 or 0.5.`,
  )
}
