import type { ApiKeyEntry } from '../../../schemas/organizations/api-key.ts'

/** The URL of the list of keys. */
export const KEYS_URL = '/api/api-keys'

/** A key in a list. */
export type Key = ApiKeyEntry

/** The answer that contains a secret. A repeated request lacks it. */
export type CreatedKey = Key & { key?: string }

/** The choices of an expiry, in days from now. */
export const EXPIRIES = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
] as const
export type Expiry = (typeof EXPIRIES)[number]['value']

/** The point in time of an expiry; undefined for never. */
export function expiryTime(expiry: Expiry, now = Date.now()): string | undefined {
  return expiry === 'never' ? undefined : new Date(now + Number(expiry) * 86_400_000).toISOString()
}
