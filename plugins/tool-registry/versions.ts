import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../schemas/time.ts'
import type { DatabaseEvents } from '../database/events.ts'
import type { Database } from '../database/tables.ts'
import { forOrg } from '../database/tenant.ts'
import { isDatabaseUnavailable, retryRead, withDeadline } from '../database/unavailable.ts'

/** Events only hasten: a version is read again after 5 s whatever was heard (design.md, hot path). */
const FRESH_MS = 5_000
/** How long a database that did not answer is not asked again, while the last version goes on. */
const BACK_OFF_MS = 1_000
/** How long a caller waits for a database that is frozen; after that the last version goes on. */
const DEADLINE_MS = 1_500

interface Known {
  version: number
  recheckAt: number
}

/** The version of each organization's tool surface. */
export interface SurfaceVersions {
  /** The version, where it was read within the last 5 s and nothing has changed since. */
  fresh(orgId: string): number | undefined
  /** The version, read again; while the database is down the last one known. */
  current(orgId: string): Promise<number>
}

export function createSurfaceVersions(options: {
  db: Kysely<Database>
  events: DatabaseEvents
  clock: Clock
}): SurfaceVersions {
  const { db, events, clock } = options
  const known = new LRUCache<string, Known>({ max: 10_000 })
  const underWay = new Map<string, Promise<number>>()

  function outdate(orgId: string): void {
    underWay.delete(orgId)
    const entry = known.get(orgId)
    if (entry !== undefined) entry.recheckAt = 0
  }
  events.on('surface', ({ orgId }) => outdate(orgId))
  events.onReset(() => {
    for (const orgId of known.keys()) outdate(orgId)
  })

  async function read(orgId: string): Promise<number> {
    try {
      const row = await withDeadline(
        retryRead(() => forOrg(db, orgId).selectFrom('org_surface').select('version').executeTakeFirst()),
        DEADLINE_MS,
      )
      const version = row?.version ?? 0
      known.set(orgId, { version, recheckAt: clock.now() + FRESH_MS })
      return version
    } catch (error) {
      const last = known.get(orgId)
      if (last === undefined || !isDatabaseUnavailable(error)) throw error
      last.recheckAt = clock.now() + BACK_OFF_MS
      return last.version
    }
  }

  return {
    fresh(orgId) {
      const entry = known.get(orgId)
      return entry !== undefined && clock.now() < entry.recheckAt ? entry.version : undefined
    },
    current(orgId) {
      const running = underWay.get(orgId)
      if (running !== undefined) return running
      const reading = read(orgId).finally(() => {
        if (underWay.get(orgId) === reading) underWay.delete(orgId)
      })
      underWay.set(orgId, reading)
      return reading
    },
  }
}
