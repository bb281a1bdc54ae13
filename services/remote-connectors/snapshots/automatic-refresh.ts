import { acrossOrgs, forOrg } from '../../../lib/database/tenant.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import type { JobContext, Jobs } from '../../../lib/jobs/jobs.ts'
import { isAdmin } from '../../identity/caller.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import { isAsMember } from '../registration.ts'
import type { RemoteConnector, RemoteConnectors } from '../remote-connectors.ts'
import { UnknownRemote } from '../require-remote.ts'
import { credentialProblem } from '../unavailable-reason.ts'
import type { SnapshotService } from './snapshot-service.ts'

const KIND = 'remotes.refresh'
/** How often the job looks for registrations that are due. */
const POLL_MS = 60_000
/** The maximum number of registrations of one run. */
const MAX_DUE = 200
/** How many upstreams are asked at a time, because some of them wait until their deadline. */
const CONCURRENCY = 8

interface AutomaticRefreshOptions extends Pick<Infrastructure, 'db' | 'clock'> {
  remotes: Pick<RemoteConnectors, 'find'>
  snapshotService: Pick<SnapshotService, 'take'>
  /** The time between two snapshots of a registration, in milliseconds. */
  refreshEveryMs: number
}

/** A registration that is due. */
interface Due {
  orgId: string
  id: string
  slug: string
}

/**
 * Defines the job that takes snapshots of the registrations with refresh mode `harmless`. Those without a risky change are
 * served within the period; the others wait for an admin.
 */
export function defineAutomaticRefresh(jobs: Jobs, options: AutomaticRefreshOptions): void {
  const { db, clock, remotes, snapshotService, refreshEveryMs } = options
  /** Before which time the last snapshot is due. One poll earlier, so that the period also covers the wait for it. */
  const cutoff = () => new Date(clock.now() - Math.max(refreshEveryMs - POLL_MS, 0))

  /** Records the check, so that a failure waits for the next period and no other process repeats it. */
  async function claim({ orgId, id }: Due): Promise<boolean> {
    const claimed = await forOrg(db, orgId)
      .updateTable('remote_connectors')
      .where('id', '=', id)
      .where('refresh_mode', '=', 'harmless')
      .where(eb => eb.or([eb('checked_at', 'is', null), eb('checked_at', '<=', cutoff())]))
      .set({ checked_at: new Date(clock.now()) })
      .returning('id')
      .executeTakeFirst()
    return claimed !== undefined
  }

  /**
   * The registration with who takes its snapshots: the organization, or the admin who registered it. Undefined if it was
   * removed, or if nobody is left whom the server may see.
   */
  async function remoteOf({ orgId, slug }: Due): Promise<RemoteConnector | undefined> {
    const remote = await remotes.find(orgId, slug)
    if (remote === undefined || !isAsMember(remote.registration)) return remote
    const { createdBy: userId } = remote.registration
    const members = forOrg(db, orgId).selectFrom('memberships').where('user_id', '=', userId)
    const member = await members.where('revoked_at', 'is', null).select('role').executeTakeFirst()
    return member !== undefined && isAdmin({ orgId, userId, role: member.role })
      ? remotes.find(orgId, slug, userId)
      : undefined
  }

  async function refresh(due: Due, { log }: JobContext): Promise<void> {
    const { orgId, id, slug } = due
    const details = { org: orgId, remote: id, slug }
    try {
      if (!(await claim(due))) return
      const remote = await remoteOf(due)
      // Without its credential the upstream would only reject the request.
      if (remote?.registration.id !== id || credentialProblem(remote) !== undefined) return
      const { applied, changes } = await snapshotService.take(remote, 'job', { onlyChanges: true })
      if (Object.values(changes).flat().length === 0) return
      log.info(details, applied ? 'refreshed a remote connector' : 'changes of a remote connector wait for an admin')
    } catch (error) {
      // It was removed meanwhile.
      if (error instanceof UnknownRemote) return
      const expected = error instanceof GatewayError && error.code !== 'internal_error'
      log[expected ? 'warn' : 'error']({ err: error, ...details }, 'cannot refresh a remote connector automatically')
    }
  }

  jobs.define(KIND, async (_payload, context) => {
    const due = await acrossOrgs(db)
      .selectFrom('remote_connectors')
      .where('refresh_mode', '=', 'harmless')
      .where(eb => eb.or([eb('checked_at', 'is', null), eb('checked_at', '<=', cutoff())]))
      .orderBy('checked_at', order => order.asc().nullsFirst())
      .limit(MAX_DUE)
      .select(['org_id as orgId', 'id', 'slug'])
      .execute()
    const left = due.values()
    // Iterators are shared: each worker takes the next one.
    const work = async () => {
      for (const one of left) {
        if (context.signal.aborted) return
        await refresh(one, context)
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, work))
  })
  jobs.every(KIND, POLL_MS)
}
