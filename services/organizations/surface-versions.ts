import type { Kysely } from 'kysely'
import { LOOKUP_DEADLINE_MS, retryRead } from '../../lib/database/database-errors.ts'
import type { DatabaseEvents } from '../../lib/database/events.ts'
import { ReadCache } from '../../lib/database/read-cache.ts'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg } from '../../lib/database/tenant.ts'
import type { Clock } from '../../schemas/time.ts'

/** Events only hasten: a version is read again after 5 s whatever was heard. */
const FRESH_MS = 5_000

/** The version of each organization's tool surface. */
export interface SurfaceVersions {
  /** The version, where it was read within the last 5 s and nothing has changed since. */
  fresh(orgId: string): number | undefined
  /** The version, read again; while the database is down the last one known. */
  current(orgId: string): Promise<number>
  /** Has an organization's version read again, for whoever has just changed something and should see it at once. */
  recheck(orgId: string): void
}

export function createSurfaceVersions(options: {
  db: Kysely<Database>
  events: DatabaseEvents
  clock: Clock
}): SurfaceVersions {
  const { db, events, clock } = options
  const cache = new ReadCache<number>({ clock, max: 10_000, freshMs: FRESH_MS, usableMs: Number.POSITIVE_INFINITY })
  events.on('surface', ({ orgId }) => cache.recheck(orgId))
  events.onReset(() => cache.recheckAll())

  async function read(orgId: string): Promise<number> {
    const row = await forOrg(db, orgId).selectFrom('org_surface').select('version').executeTakeFirst()
    return row?.version ?? 0
  }

  return {
    fresh: orgId => cache.fresh(orgId),
    recheck: orgId => cache.recheck(orgId),
    async current(orgId) {
      const version = await cache.read(orgId, () => retryRead(() => read(orgId), LOOKUP_DEADLINE_MS))
      return version ?? 0
    },
  }
}
