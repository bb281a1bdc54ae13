import { GatewayError } from '../../lib/errors/errors.ts'
import { isCost, isMicros, MOST_MICROS } from '../../schemas/money.ts'

/** Throws invalid_request by the name of an amount, unless it is an integer of micro-dollars from that on, none too large. */
export function requireMicros(name: string, value: unknown, { from }: { from: 0 | 1 }): void {
  if (from === 0 ? isCost(value) : isMicros(value)) return
  throw new GatewayError(
    'invalid_request',
    `${name} must be an integer of micro-dollars from ${from} to ${MOST_MICROS}.`,
  )
}
