import { randomFillSync } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import type { IdSource } from '../schemas/primitives/ids.ts'
import type { Clock } from '../schemas/primitives/time.ts'

const RANDOM_BYTES = 16
/** The number of IDs that one draw of random bytes serves. A draw per ID costs more than a whole tool call. */
const AT_ONCE = 256

/** Creates the production ID source: UUIDv7 from the clock and from random bytes that are used once. */
export function createIdSource(clock: Clock): IdSource {
  const pool = Buffer.alloc(RANDOM_BYTES * AT_ONCE)
  const id = Buffer.alloc(16)
  let used = pool.length

  return prefix => {
    if (used === pool.length) {
      randomFillSync(pool)
      used = 0
    }
    const random = pool.subarray(used, used + RANDOM_BYTES)
    used += RANDOM_BYTES
    // Writes bytes and not text, which would need its hyphens removed again.
    uuid({ msecs: clock.now(), random }, id)
    return `${prefix}_${id.toString('hex')}`
  }
}
