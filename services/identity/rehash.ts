import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg } from '../../lib/database/tenant.ts'
import { atMost } from '../../lib/lru.ts'
import type { Clock } from '../../schemas/time.ts'

interface RehashOptions {
  db: Kysely<Database>
  clock: Clock
  /** The pepper that keys are moved to. */
  pepperId: string
}

/** A key that was verified under another pepper than the first: its stored hash and its new one. */
interface OldHash {
  orgId: string
  id: string
  from: string
  to: string
}

const MAX_WAITING = 1_000
/** The pause between two moves. Each move is a change event, after which every process looks the key up again. */
const PAUSE_MS = 250
/** The minimum time between two moves of a key: during a change of peppers, processes may disagree on the first one. */
const AGAIN_MS = 60 * 60_000

/**
 * Completes the rotation of peppers in the background: moves keys to the first pepper, one at a time and each at most once
 * an hour. A key that does not fit into the queue, or whose move fails, is queued again at its next lookup.
 */
export function createRehash({ db, clock, pepperId }: RehashOptions): (key: OldHash) => void {
  const movedAt = new LRUCache<string, number>(atMost(50_000))
  const waiting = new Map<string, OldHash>()
  let running = false

  async function run(): Promise<void> {
    running = true
    for (const [id, key] of waiting) {
      try {
        await move(key)
        movedAt.set(id, clock.now())
        waiting.delete(id)
      } catch {
        waiting.clear()
      }
      await delay(PAUSE_MS, undefined, { ref: false })
    }
    running = false
  }

  /** Updates only the hash that was read, so that concurrent moves are harmless, and never a revoked key. */
  async function move({ orgId, id, from, to }: OldHash): Promise<void> {
    await forOrg(db, orgId)
      .updateTable('api_keys')
      .where('id', '=', id)
      .where('hash', '=', from)
      .where('revoked_at', 'is', null)
      .set({ hash: to, pepper_id: pepperId })
      .execute()
  }

  return function rehashLater(key) {
    const moved = movedAt.get(key.id)
    if (waiting.size >= MAX_WAITING || waiting.has(key.id)) return
    if (moved !== undefined && clock.now() < moved + AGAIN_MS) return
    waiting.set(key.id, key)
    if (!running) void run()
  }
}
