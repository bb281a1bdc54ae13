import { createHash } from 'node:crypto'

/** Keys that are shorter show none of themselves. */
const SHOWS_ITS_END = 16

/** How a key is named that no provider was asked about: told apart from others by it, and never recovered. */
export function fingerprintOf(key: string): string {
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 8)
  return key.length < SHOWS_ITS_END ? `key (fp ${hash})` : `key …${key.slice(-4)} (fp ${hash})`
}
