import { dollars, MOST_MICROS, microsOfDollars } from '../../schemas/money.ts'
import { GatewayError } from '../error-envelope/errors.ts'

/** Reads the value of an option that is an amount of dollars, as micro-dollars; throws invalid_request on any other text. */
export function microsOption(option: string, text: string, { from }: { from: 0 | 1 }): number {
  const micros = microsOfDollars(text)
  if (micros !== undefined && micros >= from) return micros
  throw new GatewayError(
    'invalid_request',
    `--${option} is a number of dollars ${from === 0 ? 'from 0' : 'above 0'} to ${dollars(MOST_MICROS).slice(1)}, with six decimals at most, such as 25 or 0.5.`,
  )
}
