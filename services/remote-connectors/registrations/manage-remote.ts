import { sql } from 'kysely'
import { forOrg, type OrgDatabase } from '../../../lib/database/tenant.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { isSlug, remoteCapability, wireName } from '../../../schemas/remotes/names.ts'
import type { Accounts } from '../../accounts/accounts.ts'
import type { Caller } from '../../identity/caller.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import type { RemoteConnectors, TakenSnapshot } from '../remote-connectors.ts'
import { requireAdmin, requireRemote } from '../require-remote.ts'
import type { Pinning } from '../snapshots/pinning.ts'
import type { SnapshotService } from '../snapshots/snapshot-service.ts'
import {
  beginRefresh,
  type ChangeRemotes,
  deleteRegistration,
  lockRegistration,
  unknownRegistration,
  updateRegistration,
} from '../store/registration-rows.ts'
import type { SurfaceRoom } from '../store/surface-room.ts'
import type { Upstreams } from '../upstream/upstream.ts'

/** The operations on a registration that exists, apart from its credential. */
type ManageRemotes = Pick<RemoteConnectors, 'refresh' | 'pending' | 'confirm' | 'remove' | 'setHidden'>

interface ManageRemotesOptions extends Pick<Infrastructure, 'db' | 'clock' | 'audit'> {
  upstreams: Pick<Upstreams, 'forget'>
  accounts: Pick<Accounts, 'removeMembersOf'>
  remotes: Pick<RemoteConnectors, 'list' | 'find'>
  room: Pick<SurfaceRoom, 'refusalToShow'>
  snapshotService: Pick<SnapshotService, 'take'>
  pinning: Pick<Pinning, 'accept' | 'pending'>
  change: ChangeRemotes
  /** Called after a change of the organization's registrations is committed. */
  changed(orgId: string): void
}

const COOLDOWN_MS = 30_000

export function createManageRemotes(options: ManageRemotesOptions): ManageRemotes {
  const { db, clock, audit, accounts, upstreams, remotes, room, snapshotService, pinning, change, changed } = options

  async function take(caller: Caller, slug: string, preview: boolean): Promise<TakenSnapshot> {
    const org = forOrg(db, caller.orgId)
    const before = await requireRemote(remotes, caller.orgId, slug, caller.userId)
    const { id, name } = before.registration
    const at = clock.now()
    const begun = await beginRefresh(org, id, { at, cooldownMs: COOLDOWN_MS })
    if (begun === 'gone') throw await unknownRegistration(org, slug)
    if (begun !== 'begun') throw cooldown(name, at - (begun.last?.getTime() ?? 0))
    return snapshotService.take(before, caller, { apply: preview ? 'nothing' : 'harmless' })
  }

  return {
    async refresh(caller, slug, how = {}) {
      requireAdmin(caller)
      const { orgId } = caller
      const taken =
        'accept' in how
          ? await pinning.accept({ orgId, slug, hash: how.accept, by: caller })
          : await take(caller, slug, how.preview === true)
      const remote = await remotes.find(orgId, slug, caller.userId)
      if (remote === undefined) throw await unknownRegistration(forOrg(db, orgId), slug)
      return { remote, ...taken }
    },

    pending: remote => pinning.pending(remote),

    async confirm(caller, slug, hash) {
      requireAdmin(caller)
      const { orgId, userId } = caller
      const before = await requireRemote(remotes, orgId, slug)
      const { id, name } = before.registration
      await change(orgId, caller, async org => {
        const locked = await lockRegistration(org, { id })
        if (locked === undefined) throw await unknownRegistration(org, slug)
        // Another snapshot may have been served since the read.
        if (before.snapshot?.hash !== hash || locked.snapshotId !== before.snapshot.id) throw notPinned(name)
        await updateRegistration(org, id, { confirmed: { v: 1, hash, by: userId, at: clock.now() } })
        await audit.record(org, { by: caller, action: 'remote.confirm', target: id, detail: { slug, hash } })
      })
      return requireRemote(remotes, orgId, slug, userId)
    },

    async remove(caller, slug) {
      requireAdmin(caller)
      const { orgId } = caller
      const id = await forOrg(db, orgId).transaction(async org => {
        const registration = isSlug(slug) ? await lockRegistration(org, { slug }) : undefined
        if (registration === undefined) throw await unknownRegistration(org, slug)
        const { id, upstreamUrl, auth } = registration
        // Lock the accounts before any statement that increments the surface version: recording a rejected credential
        // takes the locks in this order too.
        await accounts.removeMembersOf(org, { remoteId: id, by: caller, because: 'remote.remove' })
        await deleteCapabilityRows(org, remoteCapability(slug))
        await deleteRegistration(org, id)
        const detail = { slug, upstreamUrl, authMode: auth.mode }
        await audit.record(org, { by: caller, action: 'remote.remove', target: id, detail })
        return id
      })
      upstreams.forget({ orgId, id })
      changed(orgId)
    },

    async setHidden(orgId, slug, hidden, by) {
      await change(orgId, by, async org => {
        const registration = isSlug(slug) ? await lockRegistration(org, { slug }) : undefined
        if (registration === undefined) throw await unknownRegistration(org, slug)
        if (registration.hidden === hidden) return
        const refusal = hidden ? undefined : await room.refusalToShow(org, registration)
        if (refusal !== undefined) throw new GatewayError('invalid_request', refusal)
        const { id } = registration
        await updateRegistration(org, id, { hidden })
        await audit.record(org, { by, action: hidden ? 'remote.hide' : 'remote.show', target: id, detail: { slug } })
      })
    },
  }
}

/** Deletes the rows that are stored under a capability's tool names, so that a later registration of the slug starts without them. */
async function deleteCapabilityRows(org: OrgDatabase, capability: string): Promise<void> {
  const isToolOf = (column: string) => sql<boolean>`starts_with(${sql.ref(column)}, ${wireName(capability, '')})`
  await org
    .deleteFrom('capability_settings')
    .where(eb => eb.or([eb('capability', '=', capability), isToolOf('capability')]))
    .execute()
  await org.deleteFrom('connect_attempts').where('connector', '=', capability).execute()
  await org.deleteFrom('idempotency').where(isToolOf('tool')).execute()
}

function notPinned(name: string): GatewayError {
  return new GatewayError(
    'preview_expired',
    `The pinned tools of ${name} have another hash. Read them again, review their hints, then confirm their full_schema_hash.`,
  )
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
