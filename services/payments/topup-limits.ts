import { GatewayError } from '../../lib/errors/errors.ts'
import { dollars } from '../../schemas/money.ts'
import { CENT } from './payment.ts'

/** The smallest and the largest top-up, in micro-dollars. */
export interface TopupLimits {
  minMicros: number
  maxMicros: number
}

/** Throws invalid_request unless an amount is whole cents within the limits. */
export function requireAmount(amountMicros: number, { minMicros, maxMicros }: TopupLimits): void {
  const isWhole = Number.isSafeInteger(amountMicros) && amountMicros % CENT === 0
  if (isWhole && amountMicros >= minMicros && amountMicros <= maxMicros) return
  throw new GatewayError(
    'invalid_request',
    `amount_micros must be whole cents (a multiple of ${CENT}), ${range(minMicros, maxMicros)}.`,
  )
}

/** Throws invalid_request unless the amount of a member of a request is between two others. */
export function requireBetween(name: string, amountMicros: number, min: number, max: number): void {
  if (amountMicros >= min && amountMicros <= max) return
  throw new GatewayError('invalid_request', `${name} must be ${range(min, max)}.`)
}

function range(min: number, max: number): string {
  return `from ${min} (${dollars(min)}) to ${max} (${dollars(max)})`
}
