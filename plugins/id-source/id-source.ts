import { randomFillSync } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import type { IdSource } from '../../schemas/ids.ts'
import type { Clock } from '../../schemas/time.ts'

const RANDOM_BYTES = 16
/** Random bytes are drawn for so many ids at once: a draw for each cost more than the tool call it stood for. */
const AT_ONCE = 256

/** The source of ids in production: UUIDv7 of the clock's time and of random bytes that are used once. */
export function createIdSource(clock: Clock): IdSource {
  const pool = Buffer.alloc(RANDOM_BYTES * AT_ONCE)
  let used = pool.length

  return prefix => {
    if (used === pool.length) {
      randomFillSync(pool)
      used = 0
    }
    const random = pool.subarray(used, used + RANDOM_BYTES)
    used += RANDOM_BYTES
    return `${prefix}_${uuid({ msecs: clock.now(), random }).replaceAll('-', '')}`
  }
}
