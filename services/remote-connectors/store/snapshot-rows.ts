import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { LOOKUP_DEADLINE_MS, retryRead } from '../../../lib/database/database-errors.ts'
import type { OrgDatabase } from '../../../lib/database/tenant.ts'
import { NO_OFFERS, type Offers, type PinnedTool, type RejectedTools, type StoredSnapshot } from '../snapshot.ts'

/** The content of a snapshot, which never changes. */
type Pinned = Omit<StoredSnapshot, 'v' | 'id' | 'fetchedAt'>

/** The maximum size of the cached snapshots, in characters of their JSON. */
const MAX_CHARACTERS = 32 * 1024 * 1024
/** How many snapshots of a registration are kept, including the one that is served. */
const KEPT = 10

/** The table remote_snapshots. */
export interface SnapshotRows {
  /** The snapshots with these IDs, by ID. */
  read(org: OrgDatabase, ids: readonly string[]): Promise<ReadonlyMap<string, StoredSnapshot>>
  /**
   * Adds a snapshot and deletes the oldest of its registration, except the served one. Call it in the transaction that
   * serves the snapshot or makes it the candidate.
   */
  insert(org: OrgDatabase, remote: { id: string; snapshotId: string | null }, snapshot: StoredSnapshot): Promise<void>
}

export function createSnapshotRows(): SnapshotRows {
  const cache = new LRUCache<string, { pinned: Pinned; characters: number }>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ characters }, key) => characters + key.length,
  })

  return {
    async read(org, ids) {
      if (ids.length === 0) return new Map()
      const known = new Map(
        ids.flatMap(id => {
          const hit = cache.get(`${org.orgId} ${id}`)
          return hit === undefined ? [] : [[id, hit.pinned] as const]
        }),
      )
      const missing = ids.filter(id => !known.has(id))
      // One at a time: parsing up to 2 MiB of JSON blocks the event loop, so other work can run between two of them.
      for (const id of missing) {
        const pinned = await retryRead(() => load(org, id), LOOKUP_DEADLINE_MS)
        if (pinned !== undefined) known.set(id, pinned)
      }
      const times = org.selectFrom('remote_snapshots').where('id', 'in', ids).select(['id', 'fetched_at'])
      const rows = await retryRead(() => times.execute(), LOOKUP_DEADLINE_MS)
      return new Map(
        rows.flatMap(({ id, fetched_at: fetchedAt }) => {
          const pinned = known.get(id)
          return pinned === undefined ? [] : [[id, { v: 1, id, fetchedAt, ...pinned }] as const]
        }),
      )
    },

    async insert(org, { id: remoteId, snapshotId: served }, { id, fetchedAt, hash, tools, rejected, offers }) {
      await org
        .insertInto('remote_snapshots', {
          id,
          remote_id: remoteId,
          fetched_at: fetchedAt,
          hash,
          tools: asText({ v: 1, tools }),
          set_aside: asText({ v: 1, ...rejected }),
          offers: asText(offers),
        })
        .execute()
      const kept = org
        .selectFrom('remote_snapshots')
        .where('remote_id', '=', remoteId)
        .orderBy('fetched_at', 'desc')
        .orderBy('id', 'desc')
        .limit(KEPT)
        .select('id')
      const old = org.deleteFrom('remote_snapshots').where('remote_id', '=', remoteId).where('id', 'not in', kept)
      await (served === null ? old : old.where('id', '!=', served)).execute()
    },
  }

  async function load(org: OrgDatabase, id: string): Promise<Pinned | undefined> {
    const row = await org
      .selectFrom('remote_snapshots')
      .where('id', '=', id)
      // As text, so that the driver does not parse the JSON first.
      .select([
        'hash',
        sql<string>`tools #>> '{}'`.as('tools'),
        sql<string>`set_aside #>> '{}'`.as('set_aside'),
        sql<string | null>`offers #>> '{}'`.as('offers'),
      ])
      .executeTakeFirst()
    if (row === undefined) return undefined
    const { hash, tools, set_aside } = row
    const stored = JSON.parse(tools) as { v: 1; tools: PinnedTool[] }
    const { tools: named, count } = JSON.parse(set_aside) as RejectedTools & { v: 1 }
    const offers = row.offers === null ? NO_OFFERS : (JSON.parse(row.offers) as Offers)
    const pinned = { tools: stored.tools, rejected: { tools: named, count }, hash, offers }
    const characters = tools.length + set_aside.length + (row.offers?.length ?? 0)
    cache.set(`${org.orgId} ${id}`, { pinned, characters })
    return pinned
  }
}

/**
 * JSON inside a JSON string. jsonb would reorder the keys of schemas, and reject a NUL or an unpaired surrogate, which an
 * upstream may send anywhere.
 */
function asText(value: unknown): string {
  return JSON.stringify(JSON.stringify(value))
}
