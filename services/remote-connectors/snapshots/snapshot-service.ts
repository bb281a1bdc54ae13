import type { Kysely } from 'kysely'
import type { Actor, Audit } from '../../../lib/audit/audit.ts'
import type { Database } from '../../../lib/database/tables.ts'
import { forOrg, type OrgDatabase } from '../../../lib/database/tenant.ts'
import { foreignLine } from '../../../lib/egress/private-addresses.ts'
import { GatewayError, isCodeOfTools } from '../../../lib/errors/errors.ts'
import type { IdSource } from '../../../schemas/ids.ts'
import type { Logger } from '../../../schemas/log.ts'
import { remoteCapability } from '../../../schemas/remote-names.ts'
import type { Clock } from '../../../schemas/time.ts'
import type { Registration } from '../registration.ts'
import type { RemoteConnector, RemoteConnectors } from '../remote-connectors.ts'
import type { StoredSnapshot } from '../snapshot.ts'
import {
  type ChangeRemotes,
  lockRegistration,
  unknownRegistration,
  updateRegistration,
} from '../store/registration-rows.ts'
import type { SnapshotRows } from '../store/snapshot-rows.ts'
import type { SurfaceRoom } from '../store/surface-room.ts'
import { credentialProblem } from '../unavailable-reason.ts'
import { WEB_PAGE } from '../upstream/failures.ts'
import { serverSays } from '../upstream/refusal-words.ts'
import type { RemoteCaller } from '../upstream/remote-caller.ts'
import { UpstreamError } from '../upstream/upstream.ts'
import { pinOffers } from './pin-offers.ts'
import { carrySwitches } from './renames.ts'
import { takeSnapshot } from './take-snapshot.ts'

/** The member whose own credential takes a snapshot, if each member has one. */
interface SnapshotMember {
  orgId: string
  userId: string
}

/** The error to throw if a registration was removed during an operation on it. */
export type Gone = (org: OrgDatabase) => GatewayError | Promise<GatewayError>

/** Lists the tools of upstreams and stores them as snapshots. Holds no database lock while it waits for an upstream. */
export interface SnapshotService {
  /**
   * Takes a snapshot and serves it, unless a newer one is already served. Throws snapshot_failed, which changes nothing,
   * and UnknownRemote if the registration was removed meanwhile.
   */
  take(remote: RemoteConnector, by: Actor): Promise<void>
  /**
   * Takes the first snapshot of a registration if it has none and its credential is complete. Returns the current
   * registration. Logs a failed snapshot and returns the reason instead of throwing it. Throws `gone` if the registration
   * was removed meanwhile.
   */
  takeFirst(member: SnapshotMember, slug: string, by: Actor, gone: Gone): Promise<RemoteConnector>
}

interface SnapshotServiceOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  log: Logger
  audit: Audit
  snapshots: Pick<SnapshotRows, 'insert' | 'served'>
  remotes: Pick<RemoteConnectors, 'find'>
  remoteCaller: Pick<RemoteCaller, 'listTools' | 'listOffers'>
  room: Pick<SurfaceRoom, 'measure' | 'refusal'>
  change: ChangeRemotes
  /** Aborts when the process stops. */
  signal: AbortSignal
}

/** For all pages together. Official clients time out after 60 s. */
const DEADLINE_MS = 50_000

export function createSnapshotService(options: SnapshotServiceOptions): SnapshotService {
  const { db, clock, ids, log, audit, snapshots, remotes, remoteCaller, room, change, signal } = options

  async function take(remote: RemoteConnector, by: Actor): Promise<void> {
    const { registration } = remote
    const { orgId, slug } = registration
    const begun = clock.now()
    const left = () => ({ signal, deadlineMs: Math.max(DEADLINE_MS - (clock.now() - begun), 1) })
    const [tools, offered] = await snapshotFailed(
      registration,
      async () => [await remoteCaller.listTools(remote, left()), await remoteCaller.listOffers(remote, left())],
      () => unknownRegistration(forOrg(db, orgId), slug),
    )
    const capability = remoteCapability(slug)
    const taken = await takeSnapshot(tools, { capability })
    const offers = pinOffers(offered, { capability })
    const snapshot = { ...taken, offers, id: ids('snp'), fetchedAt: new Date(clock.now()) }
    const refusal = await store(remote, snapshot, { begun, by })
    if (refusal !== undefined) throw new GatewayError('snapshot_failed', refusal)
  }

  /** Returns why the snapshot was not stored, if the organization's tool list has no room for it. */
  async function store(
    { registration, snapshot: before }: RemoteConnector,
    snapshot: StoredSnapshot,
    { begun, by }: { begun: number; by: Actor },
  ): Promise<string | undefined> {
    const { id, orgId, slug } = registration
    const sizes = await room.measure(registration, snapshot)
    return change(orgId, by, async org => {
      const locked = await lockRegistration(org, { id })
      if (locked === undefined) throw await unknownRegistration(org, slug)
      const served = await snapshots.served(org, locked.snapshotId)
      // Another request took it after this one began, so it is at least as recent.
      if (served !== undefined && served.fetchedAt.getTime() > begun) return undefined
      const refusal = await room.refusal(org, locked, sizes)
      if (refusal !== undefined) {
        if (locked.snapshotId === null) await updateRegistration(org, id, { snapshotRefusal: refusal })
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

  return {
    take,
    async takeFirst({ orgId, userId }, slug, by, gone) {
      const remote = await remotes.find(orgId, slug, userId)
      if (remote === undefined) throw await gone(forOrg(db, orgId))
      // Without its credential the upstream would only reject the request.
      if (remote.snapshot !== undefined || credentialProblem(remote) !== undefined) return remote
      let snapshotFailure: string | undefined
      try {
        await take(remote, by)
      } catch (error) {
        if (error instanceof GatewayError) snapshotFailure = error.message
        const { id } = remote.registration
        log.warn({ err: error, org: orgId, remote: id, slug }, 'cannot take the first snapshot of a remote connector')
      }
      const current = (await remotes.find(orgId, slug, userId)) ?? remote
      return snapshotFailure === undefined ? current : { ...current, snapshotFailure }
    },
  }
}

/** The HTTP statuses that mean that there is no MCP server at a path. */
const NOTHING_THERE = new Set([404, 405, 410])

/**
 * Runs a request for an upstream's tools. Turns its failure into snapshot_failed, with a message for the admin, or into
 * the error of `gone` if the registration was removed meanwhile.
 */
async function snapshotFailed<T>(
  { name, auth }: Registration,
  ask: () => Promise<T>,
  gone: () => Promise<GatewayError>,
): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    // The account is deleted together with its registration.
    const removed = error instanceof GatewayError && error.code === 'account_not_found'
    throw removed ? await gone() : failureOf({ name, auth }, error)
  }
}

function failureOf({ name, auth }: Pick<Registration, 'name' | 'auth'>, error: unknown): unknown {
  const failed = (why: string) =>
    new GatewayError('snapshot_failed', `${name} did not return its list of tools. ${why}`, { cause: error })
  if (error instanceof UpstreamError) return failed(reasonOf(error, auth))
  if (!(error instanceof GatewayError)) return error
  // A code that exists only in tool results has no HTTP status.
  return isCodeOfTools(error.code) ? failed(error.message) : error
}

const CHECK_PATH =
  'Check the path of its URL, which is usually /mcp. To change the URL, remove it and register it again.'

/** The reason of an answer that redirects, which may be to a server that must not get the credential. */
function redirected(status: number, target: string | undefined, otherwise: string): string {
  return target === undefined
    ? `${otherwise} ${CHECK_PATH}`
    : `It redirects to ${foreignLine(target)} (HTTP ${status}). If you trust that address, remove this registration and register that URL.`
}

/** What happened, what the upstream says and, if it is known, what an admin can do. */
function reasonOf({ kind, status, message, words, rpcCode }: UpstreamError, { mode }: Registration['auth']): string {
  if (kind === 'status' && status !== undefined && status < 400) return redirected(status, words, message)
  const said = serverSays(words)
  if (kind === 'unauthorized' && mode === 'none')
    return `It requires a credential (HTTP 401).${said} Remove it and register it again with mode bearer, header or oauth.`
  if (kind === 'rpc')
    return `It answered with an error${rpcCode === undefined ? '' : ` (${rpcCode})`}.${serverSays(words ?? message)}`
  if (kind === 'status' && status !== undefined && NOTHING_THERE.has(status)) return `${message}${said} ${CHECK_PATH}`
  if (kind === 'malformed' && message.endsWith(`${WEB_PAGE}.`)) return `${message} ${CHECK_PATH}`
  if (kind === 'unreachable' && message.endsWith('does not resolve to a public address.'))
    return `${message} Check the host name of its URL. If it is on a private network, have an operator add the name to EGRESS_ALLOW.`
  if (kind === 'unreachable')
    return `${message} Check that the server runs and that its URL is correct.${containerHint(message)}`
  return `${message}${said}`
}

/** The message of an unreachable server begins with its host. Loopback is reached only where it is allowed. */
function containerHint(message: string): string {
  return /^(?:localhost|127\.|\[::1\])/.test(message)
    ? ' If the gateway runs in a container, localhost is that container. Use the host name of the server instead.'
    : ''
}
