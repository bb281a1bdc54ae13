import { LOOKUP_DEADLINE_MS, retryRead } from '../../lib/database/database-errors.ts'
import { ReadCache } from '../../lib/database/read-cache.ts'
import { forOrg } from '../../lib/database/tenant.ts'
import type { Infrastructure } from '../infrastructure.ts'

/** A version is read again after 5 s even without an event, because events can get lost. */
const FRESH_MS = 5_000

/** The versions of the organizations' tool surfaces. */
export interface SurfaceVersions {
  /** The version, if it was read within the last 5 s and no event has reported a change since. */
  fresh(orgId: string): number | undefined
  /** The version from the database; the last known one while the database is down. */
  current(orgId: string): Promise<number>
  /** Forces a new read of the version, so that the author of a change sees it in their next request. */
  recheck(orgId: string): void
}

export function createSurfaceVersions(options: Pick<Infrastructure, 'db' | 'clock' | 'events'>): SurfaceVersions {
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
