import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { LOOKUP_DEADLINE_MS, retryRead } from '../../../lib/database/database-errors.ts'
import type { OrgDatabase } from '../../../lib/database/tenant.ts'
import type { PinnedTool, RejectedTools, Snapshot, StoredSnapshot } from './snapshot.ts'

/** What a snapshot pins; the same for ever under its id. */
type Pinned = Omit<Snapshot, 'v'>

/** Characters of the text of snapshots, kept in memory as objects. */
const MAX_CHARACTERS = 32 * 1024 * 1024
/** Snapshots of a registration that are kept, the one that is served among them. */
const KEPT = 10

/** The table remote_snapshots. */
export interface SnapshotRows {
  /** Those of these ids, by id. */
  read(org: OrgDatabase, ids: readonly string[]): Promise<ReadonlyMap<string, StoredSnapshot>>
  /** Of the one of an id, what a later one is compared with. */
  served(org: OrgDatabase, id: string | null): Promise<Pick<StoredSnapshot, 'fetchedAt' | 'hash'> | undefined>
  /** Adds one in the transaction that makes it the one that is served, and drops the oldest of its registration. */
  insert(org: OrgDatabase, remoteId: string, snapshot: StoredSnapshot): Promise<void>
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
      // One at a time: each is up to 2 MiB of JSON, and others run between two of them.
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

    async served(org, id) {
      if (id === null) return undefined
      const query = org.selectFrom('remote_snapshots').where('id', '=', id)
      return query.select(['fetched_at as fetchedAt', 'hash']).executeTakeFirst()
    },

    async insert(org, remoteId, { id, fetchedAt, hash, tools, rejected }) {
      await org
        .insertInto('remote_snapshots', {
          id,
          remote_id: remoteId,
          fetched_at: fetchedAt,
          hash,
          tools: asText({ v: 1, tools }),
          set_aside: asText({ v: 1, ...rejected }),
        })
        .execute()
      const kept = org
        .selectFrom('remote_snapshots')
        .where('remote_id', '=', remoteId)
        .orderBy('fetched_at', 'desc')
        .orderBy('id', 'desc')
        .limit(KEPT)
        .select('id')
      await org.deleteFrom('remote_snapshots').where('remote_id', '=', remoteId).where('id', 'not in', kept).execute()
    },
  }

  async function load(org: OrgDatabase, id: string): Promise<Pinned | undefined> {
    const row = await org
      .selectFrom('remote_snapshots')
      .where('id', '=', id)
      // As text, so that the driver does not parse megabytes of JSON before this does.
      .select(['hash', sql<string>`tools #>> '{}'`.as('tools'), sql<string>`set_aside #>> '{}'`.as('set_aside')])
      .executeTakeFirst()
    if (row === undefined) return undefined
    const { hash, tools, set_aside } = row
    const stored = JSON.parse(tools) as { v: 1; tools: PinnedTool[] }
    const { tools: named, count } = JSON.parse(set_aside) as RejectedTools & { v: 1 }
    const pinned = { tools: stored.tools, rejected: { tools: named, count }, hash }
    cache.set(`${org.orgId} ${id}`, { pinned, characters: tools.length + set_aside.length })
    return pinned
  }
}

/**
 * JSON within a JSON string: jsonb would put the keys of schemas in another order, and refuse a NUL or half a surrogate
 * pair, wherever an upstream may have brought one in.
 */
function asText(value: unknown): string {
  return JSON.stringify(JSON.stringify(value))
}
