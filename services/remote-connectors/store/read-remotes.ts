import { LOOKUP_DEADLINE_MS, retryRead } from '../../../lib/database/database-errors.ts'
import { forOrg } from '../../../lib/database/tenant.ts'
import { isSlug } from '../../../schemas/remotes/names.ts'
import { selectRemoteAccounts } from '../../accounts/account-rows.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import { isAsMember, isPerMember, waitingAt } from '../registration.ts'
import type { RemoteConnector, RemoteConnectors } from '../remote-connectors.ts'
import { readRegistrations } from './registration-rows.ts'
import type { SnapshotRows } from './snapshot-rows.ts'
import type { SurfaceRoom } from './surface-room.ts'

/** Reads registrations without a cache. Callers that cache them use the version of the surface as the key. */
type ReadRemotes = Pick<RemoteConnectors, 'list' | 'find'>

interface ReadRemotesOptions extends Pick<Infrastructure, 'db' | 'clock'> {
  snapshots: Pick<SnapshotRows, 'read'>
  room: Pick<SurfaceRoom, 'leftOut'>
}

export function createReadRemotes({ db, clock, snapshots, room }: ReadRemotesOptions): ReadRemotes {
  async function read(orgId: string, { slug, userId }: { slug?: string; userId: string | undefined }) {
    const org = forOrg(db, orgId)
    // Each read has its own deadline, so that many large snapshots are not mistaken for an unavailable database.
    const all = await retryRead(() => readRegistrations(org), LOOKUP_DEADLINE_MS)
    const registrations = slug === undefined ? all : all.filter(registration => registration.slug === slug)
    if (registrations.length === 0) return []
    const [accounts, pinned] = await Promise.all([
      retryRead(
        () =>
          selectRemoteAccounts(org, userId)
            .where(
              'remote_id',
              'in',
              registrations.map(({ id }) => id),
            )
            .execute(),
        LOOKUP_DEADLINE_MS,
      ),
      snapshots.read(
        org,
        registrations.flatMap(({ snapshotId }) => snapshotId ?? []),
      ),
    ])
    const now = clock.now()
    const leftOut = await room.leftOut(org, all)
    const accountOf = new Map(accounts.map(({ remoteId, ...account }) => [`${remoteId} ${account.scope}`, account]))
    return registrations.map(
      (registration): RemoteConnector => ({
        registration: { ...registration, candidate: waitingAt(registration.candidate, now) },
        account: accountOf.get(`${registration.id} ${isPerMember(registration) ? 'private' : 'shared'}`),
        ...(isAsMember(registration) && userId !== undefined && { userId }),
        snapshot: registration.snapshotId === null ? undefined : pinned.get(registration.snapshotId),
        leftOut: leftOut.get(registration.id) ?? 0,
      }),
    )
  }

  return {
    list: (orgId, userId) => read(orgId, { userId }),
    async find(orgId, slug, userId) {
      if (!isSlug(slug)) return undefined
      const [found] = await read(orgId, { slug, userId })
      return found
    },
  }
}
