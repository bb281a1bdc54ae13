import { GatewayError } from '../../lib/errors/errors.ts'

/** How many rows a list has where nobody says. */
const USUAL = 20
const MOST = 200

/** Reads how many rows of a list are wanted; throws invalid_request on any text that is no such number. */
export function limitOption(text: string | undefined): number {
  if (text === undefined) return USUAL
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= MOST) return limit
  throw new GatewayError('invalid_request', `--limit is how many rows are listed, from 1 to ${MOST}.`)
}
