import type { Kysely } from 'kysely'
import { isSlug } from '../../../schemas/remote-names.ts'
import { selectRemoteAccounts } from '../../connectors/accounts/account-rows.ts'
import type { Database } from '../../database/tables.ts'
import { forOrg } from '../../database/tenant.ts'
import { LOOKUP_DEADLINE_MS, retryRead } from '../../database/unavailable.ts'
import type { RemoteConnector, RemoteConnectors } from '../remote-connectors.ts'
import { readRegistrations } from './registration-rows.ts'
import type { SnapshotRows } from './snapshot-rows.ts'

/** Registrations with all that belongs to them, as they are now. Who keeps them does so by the version of the surface. */
export type ReadRemotes = Pick<RemoteConnectors, 'list' | 'find'>

export function createReadRemotes({ db, snapshots }: { db: Kysely<Database>; snapshots: SnapshotRows }): ReadRemotes {
  async function read(orgId: string, slug?: string): Promise<RemoteConnector[]> {
    const org = forOrg(db, orgId)
    const registrations = await readRegistrations(org, slug)
    if (registrations.length === 0) return []
    const [accounts, pinned] = await Promise.all([
      selectRemoteAccounts(org)
        .where(
          'remote_id',
          'in',
          registrations.map(({ id }) => id),
        )
        .execute(),
      snapshots.read(
        orgId,
        registrations.flatMap(({ snapshotId }) => snapshotId ?? []),
      ),
    ])
    const accountOf = new Map(accounts.map(({ remoteId, ...account }) => [remoteId, account]))
    return registrations.map(registration => ({
      registration,
      account: accountOf.get(registration.id),
      snapshot: registration.snapshotId === null ? undefined : pinned.get(registration.snapshotId),
    }))
  }

  return {
    list: orgId => retryRead(() => read(orgId), LOOKUP_DEADLINE_MS),
    async find(orgId, slug) {
      if (!isSlug(slug)) return undefined
      const [found] = await retryRead(() => read(orgId, slug), LOOKUP_DEADLINE_MS)
      return found
    },
  }
}
