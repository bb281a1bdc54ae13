import { GatewayError } from '../errors/errors.ts'
import { addressGroup } from '../http/address-group.ts'
import type { Counters } from './counters.ts'

interface Limit {
  max: number
  /** What is counted, in the plural: `top-ups`. */
  what: string
  /** What each count belongs to: `organization`. */
  per: string
}

/** Counts one more under a key. Throws rate_limit_exceeded above the limit per minute. */
export async function countPerMinute(counters: Counters, key: string, { max, what, per }: Limit): Promise<void> {
  const { current, ttl } = await counters.increment(key, 60_000)
  if (current <= max) return
  const retryAfter = Math.max(1, Math.ceil(ttl / 1000))
  const message = `Too many ${what}: the limit is ${max} per minute and ${per}. Retry in ${retryAfter} s.`
  throw new GatewayError('rate_limit_exceeded', message, { retryAfter })
}

/** Counts one more request of a caller's address. Throws rate_limit_exceeded above the limit per minute. */
export async function countPerAddress(
  counters: Counters,
  { name, address, max, what }: { name: string; address: string; max: number; what: string },
): Promise<void> {
  await countPerMinute(counters, `${name}:${addressGroup(address)}`, { max, what, per: 'address' })
}
