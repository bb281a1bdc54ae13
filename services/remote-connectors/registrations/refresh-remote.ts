import type { Kysely } from 'kysely'
import type { Database } from '../../../lib/database/tables.ts'
import { forOrg } from '../../../lib/database/tenant.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { remoteCapability } from '../../../schemas/remote-names.ts'
import type { Clock } from '../../../schemas/time.ts'
import type { RemoteConnectors } from '../remote-connectors.ts'
import { requireAdmin } from '../require-admin.ts'
import { requireRemote } from '../require-remote.ts'
import { changesBetween } from '../snapshots/changes-between.ts'
import type { SnapshotService } from '../snapshots/snapshot-service.ts'
import type { ReadRemotes } from './read-remotes.ts'
import { beginRefresh, unknownRegistration } from './registration-rows.ts'

export interface RefreshRemoteOptions {
  db: Kysely<Database>
  clock: Clock
  remotes: ReadRemotes
  snapshotService: Pick<SnapshotService, 'take'>
}

const COOLDOWN_MS = 30_000

/** See RemoteConnectors.refresh. */
export function createRefreshRemote(options: RefreshRemoteOptions): RemoteConnectors['refresh'] {
  const { db, clock, remotes, snapshotService } = options

  return async function refreshRemote(caller, slug) {
    requireAdmin(caller)
    const { orgId } = caller
    const org = forOrg(db, orgId)
    const before = await requireRemote(remotes, orgId, slug)
    const { id, name } = before.registration
    const at = clock.now()
    const begun = await beginRefresh(org, id, { at, cooldownMs: COOLDOWN_MS })
    if (begun === 'gone') throw await unknownRegistration(org, slug)
    if (begun !== 'begun') throw cooldown(name, at - (begun.last?.getTime() ?? 0))
    await snapshotService.take(before, caller)
    const remote = await remotes.find(orgId, slug)
    if (remote?.snapshot === undefined) throw await unknownRegistration(org, slug)
    return { remote, changes: changesBetween(before.snapshot, remote.snapshot, remoteCapability(slug)) }
  }
}

function cooldown(name: string, passedMs: number): GatewayError {
  const left = Math.ceil((COOLDOWN_MS - passedMs) / 1000)
  // Another process's clock may be ahead.
  const retryAfter = Math.min(Math.max(left, 1), COOLDOWN_MS / 1000)
  return new GatewayError(
    'cooldown',
    `${name} was refreshed less than ${COOLDOWN_MS / 1000} s ago. Retry in ${retryAfter} s.`,
    { retryAfter },
  )
}
