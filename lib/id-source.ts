import { randomFillSync } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import type { IdSource } from '../schemas/ids.ts'
import type { Clock } from '../schemas/time.ts'

const RANDOM_BYTES = 16
/** Random bytes are drawn for so many ids at once: a draw for each cost more than the tool call it stood for. */
const AT_ONCE = 256

/** The source of ids in production: UUIDv7 of the clock's time and of random bytes that are used once. */
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
    // Into bytes: the text that uuid makes of them would have its hyphens taken out again.
    uuid({ msecs: clock.now(), random }, id)
    return `${prefix}_${id.toString('hex')}`
  }
}
