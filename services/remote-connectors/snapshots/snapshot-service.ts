import type { Kysely } from 'kysely'
import type { Actor, Audit } from '../../../lib/audit/audit.ts'
import type { Database } from '../../../lib/database/tables.ts'
import { forOrg, type OrgDatabase } from '../../../lib/database/tenant.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import type { IdSource } from '../../../schemas/ids.ts'
import type { Logger } from '../../../schemas/log.ts'
import { remoteCapability } from '../../../schemas/remote-names.ts'
import type { Clock } from '../../../schemas/time.ts'
import type { RemoteCaller } from '../calls/remote-caller.ts'
import { carrySwitches } from '../registrations/carry-switches.ts'
import type { ChangeRemotes } from '../registrations/change-remotes.ts'
import type { ReadRemotes } from '../registrations/read-remotes.ts'
import { lockRegistration, unknownRegistration, updateRegistration } from '../registrations/registration-rows.ts'
import type { SurfaceRoom } from '../registrations/surface-room.ts'
import type { RemoteConnector } from '../remote-connectors.ts'
import { credentialReason } from '../unavailable-reason.ts'
import type { StoredSnapshot } from './snapshot.ts'
import { snapshotFailed } from './snapshot-failed.ts'
import type { SnapshotRows } from './snapshot-rows.ts'
import { takeSnapshot } from './take-snapshot.ts'

/** What is thrown when a registration was removed while something of it was made. */
export type Gone = (org: OrgDatabase) => GatewayError | Promise<GatewayError>

/** Asks upstreams for their tools and pins what they say; nothing is held in the database meanwhile. */
export interface SnapshotService {
  /**
   * Takes a snapshot and serves it, unless a later one is served by then. Throws snapshot_failed with a sentence, which
   * leaves all as it was, and UnknownRemote when the registration was removed meanwhile.
   */
  take(remote: RemoteConnector, by: Actor): Promise<void>
  /**
   * A registration of which something was stored, as it is now: with its first snapshot, where it had none and can be
   * asked. A failure of that is nobody's answer, and is logged. Throws `gone` when it was removed meanwhile.
   */
  first(orgId: string, slug: string, by: Actor, gone: Gone): Promise<RemoteConnector>
}

export interface SnapshotServiceOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  log: Logger
  audit: Audit
  snapshots: Pick<SnapshotRows, 'insert' | 'served'>
  remotes: Pick<ReadRemotes, 'find'>
  remoteCaller: Pick<RemoteCaller, 'listTools'>
  room: Pick<SurfaceRoom, 'measure' | 'refusal'>
  change: ChangeRemotes
  /** Aborts when the process ends. */
  signal: AbortSignal
}

/** All pages together; official clients give up at 60 s. */
const DEADLINE_MS = 50_000

export function createSnapshotService(options: SnapshotServiceOptions): SnapshotService {
  const { db, clock, ids, log, audit, snapshots, remotes, remoteCaller, room, change, signal } = options

  async function take(remote: RemoteConnector, by: Actor): Promise<void> {
    const { registration } = remote
    const { orgId, slug } = registration
    const begun = clock.now()
    const tools = await snapshotFailed(
      registration,
      () => remoteCaller.listTools(remote, { signal, deadlineMs: DEADLINE_MS }),
      () => unknownRegistration(forOrg(db, orgId), slug),
    )
    const taken = await takeSnapshot(tools, { capability: remoteCapability(slug) })
    const snapshot = { ...taken, id: ids('snp'), fetchedAt: new Date(clock.now()) }
    const refusal = await store(remote, snapshot, { begun, by })
    if (refusal !== undefined) throw new GatewayError('snapshot_failed', refusal)
  }

  /** Answers why the snapshot was not stored, where the organization's tool list has no room for it. */
  async function store(
    { registration, snapshot: before }: RemoteConnector,
    snapshot: StoredSnapshot,
    { begun, by }: { begun: number; by: Actor },
  ): Promise<string | undefined> {
    const { id, orgId, slug } = registration
    const sizes = await room.measure(registration, snapshot)
    return change(orgId, by, async org => {
      const held = await lockRegistration(org, { id })
      if (held === undefined) throw await unknownRegistration(org, slug)
      const served = await snapshots.served(org, held.snapshotId)
      // Taken while this one was: it is no older than this one.
      if (served !== undefined && served.fetchedAt.getTime() > begun) return undefined
      const refusal = await room.refusal(org, held, sizes)
      if (refusal !== undefined) {
        if (held.snapshotId === null) await updateRegistration(org, id, { snapshotRefusal: refusal })
        return refusal
      }
      await snapshots.insert(org, id, snapshot)
      await updateRegistration(org, id, { snapshotId: snapshot.id })
      const change = { before, after: snapshot, capability: remoteCapability(slug) }
      const switchedOff = await carrySwitches(org, change, snapshot.fetchedAt)
      const { hash, tools, rejected } = snapshot
      const detail = {
        slug,
        snapshot: snapshot.id,
        hash,
        before: served?.hash ?? null,
        tools: tools.length,
        setAside: rejected.count,
        ...(switchedOff.length > 0 && { switchedOff }),
      }
      await audit.record(org, { by, action: 'remote.snapshot', target: id, detail })
      return undefined
    })
  }

  async function takeFirst(remote: RemoteConnector, by: Actor): Promise<void> {
    try {
      await take(remote, by)
    } catch (error) {
      const { orgId, id, slug } = remote.registration
      log.warn({ err: error, org: orgId, remote: id, slug }, 'the first snapshot of a remote connector was not taken')
    }
  }

  return {
    take,
    async first(orgId, slug, by, gone) {
      const found = await remotes.find(orgId, slug)
      if (found === undefined) throw await gone(forOrg(db, orgId))
      // One that waits for its credential could only be refused.
      if (found.snapshot !== undefined || credentialReason(found) !== undefined) return found
      await takeFirst(found, by)
      return (await remotes.find(orgId, slug)) ?? found
    },
  }
}
