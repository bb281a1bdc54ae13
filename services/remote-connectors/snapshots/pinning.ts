import { hash as digest } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../../lib/audit/audit.ts'
import { canonicalJson } from '../../../lib/canonical-json.ts'
import { forOrg, type OrgDatabase } from '../../../lib/database/tenant.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { isSlug, remoteCapability } from '../../../schemas/remotes/names.ts'
import type { Confirmation } from '../../../schemas/remotes/refresh.ts'
import type { SnapshotChanges } from '../../../schemas/remotes/remote.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import { CANDIDATE_MS, isSameUpstream, type Registration, waitingAt } from '../registration.ts'
import type { RemoteConnector, RemoteConnectors, TakenSnapshot, WaitingSnapshot } from '../remote-connectors.ts'
import { claimsOf, type StoredSnapshot } from '../snapshot.ts'
import {
  type ChangeRemotes,
  lockRegistration,
  unknownRegistration,
  updateRegistration,
} from '../store/registration-rows.ts'
import type { SnapshotRows } from '../store/snapshot-rows.ts'
import type { SurfaceRoom } from '../store/surface-room.ts'
import { changesBetween, isRisky, riskyOf } from './diff/changes-between.ts'
import { carryDenials, carryOverrides, carrySwitches } from './diff/renames.ts'

/** Which snapshots are served at once: those without a risky change, or none. A first one is always `harmless`. */
export type Apply = 'harmless' | 'nothing'

/** How a snapshot was taken. */
interface SnapshotOrigin {
  /** When its request to the upstream began, in milliseconds since 1970. */
  begun: number
  by: Actor
  apply: Apply
  /** Whether an unchanged snapshot is dropped instead of served with its new date. */
  onlyChanges: boolean
}

/** Decides which snapshot of a registration is served and which one waits for an admin, and stores both. */
export interface Pinning {
  /**
   * Stores a snapshot that was taken of `remote`, unless a newer one is already served. Throws snapshot_failed if the tools
   * do not fit into the organization's list or the registration has another upstream now, and UnknownRemote.
   */
  store(remote: RemoteConnector, snapshot: StoredSnapshot, origin: SnapshotOrigin): Promise<TakenSnapshot>
  /** Serves the waiting snapshot of a hash. Throws preview_expired, snapshot_failed and UnknownRemote. */
  accept(waiting: { orgId: string; slug: string; hash: string; by: Actor }): Promise<TakenSnapshot>
  /** The waiting snapshot; undefined if none waits. */
  pending(remote: RemoteConnector): Promise<WaitingSnapshot | undefined>
}

interface PinningOptions extends Pick<Infrastructure, 'db' | 'clock' | 'audit'> {
  snapshots: Pick<SnapshotRows, 'insert' | 'read'>
  remotes: Pick<RemoteConnectors, 'find'>
  room: Pick<SurfaceRoom, 'measure' | 'refusal'>
  change: ChangeRemotes
}

interface Served {
  before: StoredSnapshot | undefined
  snapshot: StoredSnapshot
  by: Actor
  /** The confirmation that also holds for this snapshot. */
  confirmed?: Confirmation
}

const NOTHING: SnapshotChanges = { added: [], removed: [], changed: [], renamed: [] }

export function createPinning({ db, clock, audit, snapshots, remotes, room, change }: PinningOptions): Pinning {
  /** Returns `stale` if another snapshot is served than `remote` has: the changes must be compared again. */
  async function storeOver(
    { registration, snapshot: before }: RemoteConnector,
    snapshot: StoredSnapshot,
    { begun, by, apply, onlyChanges }: SnapshotOrigin,
  ): Promise<TakenSnapshot | 'stale' | { refusal: string }> {
    const { id, orgId, slug } = registration
    const sizes = await room.measure(registration, snapshot)
    const changes = changesBetween(before, snapshot, remoteCapability(slug))
    const hash = hashToAccept(snapshot)
    return change(orgId, by, async org => {
      const locked = await lockRegistration(org, { id })
      if (locked === undefined) throw await unknownRegistration(org, slug)
      if (!isSameUpstream(locked, registration)) throw changedMeanwhile(locked)
      if (locked.snapshotId !== registration.snapshotId) return 'stale'
      // Another request took it after this one began, so it is at least as recent.
      if (before !== undefined && before.fetchedAt.getTime() > begun)
        return { changes: NOTHING, applied: true, hash: hashToAccept(before) }
      const refusal = await room.refusal(org, locked, sizes)
      if (refusal !== undefined) {
        if (locked.snapshotId === null) await updateRegistration(org, id, { snapshotRefusal: refusal })
        return { refusal }
      }
      const applied = apply === 'harmless' && (locked.snapshotId === null || !isRisky(changes))
      if ((!applied || onlyChanges) && before !== undefined && isUnchanged(before, snapshot, changes)) {
        if (locked.candidate !== null) await updateRegistration(org, id, { candidate: null })
        return { changes, applied, hash }
      }
      await snapshots.insert(org, locked, snapshot)
      if (!applied) await updateRegistration(org, id, { candidate: candidateOf(snapshot, changes) })
      else {
        // Every change of a hint is risky, so the confirmed ones are the same.
        const { confirmed } = locked
        const isConfirmed = confirmed !== null && confirmed.hash === before?.hash
        const kept = isConfirmed ? { confirmed: { ...confirmed, hash: snapshot.hash } } : {}
        await serve(org, locked, { before, snapshot, by, ...kept })
      }
      return { changes, applied, hash }
    })
  }

  /** Serves a stored snapshot, in the transaction that has locked its registration. */
  async function serve(
    org: OrgDatabase,
    { id, slug, overrides }: Registration,
    { before, snapshot, by, ...kept }: Served,
  ): Promise<void> {
    const change = { before, after: snapshot, capability: remoteCapability(slug) }
    const switchedOff = await carrySwitches(org, change, new Date(clock.now()))
    await carryDenials(org, change)
    const carried = carryOverrides(overrides, before, snapshot)
    const isCarried = carried.length > overrides.length
    await updateRegistration(org, id, { snapshotId: snapshot.id, ...(isCarried && { overrides: carried }), ...kept })
    const { hash, tools, rejected } = snapshot
    const detail = {
      slug,
      snapshot: snapshot.id,
      hash,
      before: before?.hash ?? null,
      tools: tools.length,
      setAside: rejected.count,
      ...(switchedOff.length > 0 && { switchedOff }),
    }
    await audit.record(org, { by, action: 'remote.snapshot', target: id, detail })
  }

  return {
    async store(remote, snapshot, origin) {
      const { orgId, slug } = remote.registration
      for (let known = remote; ; ) {
        const stored = await storeOver(known, snapshot, origin)
        if (stored !== 'stale') return takenOf(stored)
        const current = await remotes.find(orgId, slug)
        if (current?.registration.id !== known.registration.id) throw await unknownRegistration(forOrg(db, orgId), slug)
        known = current
      }
    },

    async accept({ orgId, slug, hash, by }) {
      return change(orgId, by, async org => {
        const locked = isSlug(slug) ? await lockRegistration(org, { slug }) : undefined
        if (locked === undefined) throw await unknownRegistration(org, slug)
        const { snapshotId } = locked
        const candidate = waitingAt(locked.candidate, clock.now())
        const asked = candidate?.hash === hash ? candidate.snapshotId : undefined
        const stored = await snapshots.read(
          org,
          [snapshotId, asked].flatMap(id => id ?? []),
        )
        const before = snapshotId === null ? undefined : stored.get(snapshotId)
        const snapshot = asked === undefined ? undefined : stored.get(asked)
        if (snapshot === undefined) {
          // A repetition whose first answer was lost.
          if (before !== undefined && hashToAccept(before) === hash) return { changes: NOTHING, applied: true, hash }
          throw previewExpired(locked)
        }
        const refusal = await room.refusal(org, locked, await room.measure(locked, snapshot))
        if (refusal !== undefined) throw new GatewayError('snapshot_failed', refusal)
        await serve(org, locked, { before, snapshot, by })
        return { changes: changesBetween(before, snapshot, remoteCapability(slug)), applied: true, hash }
      })
    },

    async pending({ registration, snapshot: before }) {
      const { orgId, slug, candidate } = registration
      if (candidate === null) return undefined
      const stored = await snapshots.read(forOrg(db, orgId), [candidate.snapshotId])
      const snapshot = stored.get(candidate.snapshotId)
      return snapshot && { snapshot, changes: changesBetween(before, snapshot, remoteCapability(slug)) }
    },
  }
}

function takenOf(stored: TakenSnapshot | { refusal: string }): TakenSnapshot {
  if ('refusal' in stored) throw new GatewayError('snapshot_failed', stored.refusal)
  return stored
}

/** Whether a snapshot has the content of the served one. The names of its tools also depend on the rejected tools. */
function isUnchanged(before: StoredSnapshot, { hash, rejected }: StoredSnapshot, changes: SnapshotChanges): boolean {
  return (
    before.hash === hash && isDeepStrictEqual(before.rejected, rejected) && Object.values(changes).flat().length === 0
  )
}

/**
 * The hash by which an admin accepts everything that a snapshot publishes: that of its tools, unless there are resources,
 * templates, prompts, instructions or `_meta`, which it then covers too, with their annotations.
 */
function hashToAccept({ hash, tools, offers }: StoredSnapshot): string {
  const { resources, templates, prompts, instructions = '' } = offers
  const metas = tools.flatMap(({ originalName, meta }) => (meta === undefined ? [] : [[originalName, meta]]))
  const published = [resources, templates, prompts, metas].flat().length + instructions.length
  if (published === 0) return hash
  const claims = [resources, templates, prompts].flat().flatMap(offer => {
    const claimed = claimsOf(offer)
    return claimed === undefined ? [] : [[offer.hash, claimed]]
  })
  return digest('sha256', canonicalJson([hash, metas, offers.hash, instructions, claims]))
}

function candidateOf(snapshot: StoredSnapshot, changes: SnapshotChanges): Registration['candidate'] {
  return {
    v: 1,
    snapshotId: snapshot.id,
    hash: hashToAccept(snapshot),
    fetchedAt: snapshot.fetchedAt.getTime(),
    changes: Object.values(changes).flat().length,
    risky: riskyOf(changes),
  }
}

function previewExpired({ name, slug }: Registration): GatewayError {
  return new GatewayError(
    'preview_expired',
    `No tools of ${name} with this hash wait to be accepted: they were replaced, accepted or are older than ` +
      `${CANDIDATE_MS / 86_400_000} days. Preview again (POST /connectors/org/${slug}/refresh?preview=1 or ` +
      'manage__remote_refresh with preview), review the changes, then accept the new hash.',
  )
}

function changedMeanwhile({ name }: Registration): GatewayError {
  return new GatewayError(
    'snapshot_failed',
    `The URL or credential of ${name} changed while its tools were listed. Refresh it again.`,
  )
}
