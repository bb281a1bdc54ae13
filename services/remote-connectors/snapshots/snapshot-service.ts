import type { Actor, Audit } from '../../../lib/audit/audit.ts'
import { forOrg, type OrgDatabase } from '../../../lib/database/tenant.ts'
import { foreignLine } from '../../../lib/egress/private-addresses.ts'
import { GatewayError, isCodeOfTools } from '../../../lib/errors/errors.ts'
import { remoteCapability } from '../../../schemas/remotes/names.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import { isSameUpstream, type Registration } from '../registration.ts'
import type { RemoteConnector, RemoteConnectors, TakenSnapshot } from '../remote-connectors.ts'
import {
  type ChangeRemotes,
  lockRegistration,
  unknownRegistration,
  updateUpstream,
} from '../store/registration-rows.ts'
import { credentialProblem } from '../unavailable-reason.ts'
import { WEB_PAGE } from '../upstream/failures.ts'
import { redirectedUrl, serverSays } from '../upstream/refusals.ts'
import type { RemoteCaller } from '../upstream/remote-caller.ts'
import { UpstreamError } from '../upstream/upstream.ts'
import { pinOffers } from './pin/pin-resources-and-prompts.ts'
import { takeSnapshot } from './pin/take-snapshot.ts'
import type { Apply, Pinning } from './pinning.ts'

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
   * Takes a snapshot and stores it by the rules of Pinning.store. Throws snapshot_failed, which changes nothing, and
   * UnknownRemote if the registration was removed meanwhile.
   */
  take(remote: RemoteConnector, by: Actor, how?: SnapshotOptions): Promise<TakenSnapshot>
  /**
   * Takes the first snapshot of a registration if it has none and its credential is complete. Follows a redirect that
   * only adds or removes a trailing slash once, and stores that URL. Returns the current registration. Logs a failed
   * snapshot and returns the reason instead of throwing it. Throws `gone` if the registration was removed meanwhile.
   */
  takeFirst(member: SnapshotMember, slug: string, by: Actor, gone: Gone): Promise<RemoteConnector>
}

/** Which snapshots are served at once (`harmless` by default), and whether an unchanged one is dropped. */
interface SnapshotOptions {
  apply?: Apply
  onlyChanges?: boolean
}

interface SnapshotServiceOptions extends Pick<Infrastructure, 'db' | 'clock' | 'ids' | 'log' | 'audit'> {
  change: ChangeRemotes
  remotes: Pick<RemoteConnectors, 'find'>
  remoteCaller: Pick<RemoteCaller, 'listTools' | 'listOffers'>
  pinning: Pick<Pinning, 'store'>
  /** Aborts when the process stops. */
  signal: AbortSignal
}

/** For all pages together. Official clients time out after 60 s. */
const DEADLINE_MS = 50_000

export function createSnapshotService(options: SnapshotServiceOptions): SnapshotService {
  const { db, clock, ids, log, remotes, remoteCaller, pinning, signal } = options
  const followRedirect = createFollowRedirect(options)

  async function take(remote: RemoteConnector, by: Actor, how: SnapshotOptions = {}): Promise<TakenSnapshot> {
    const { registration } = remote
    const { orgId, slug } = registration
    const begun = clock.now()
    const left = () => ({ signal, deadlineMs: Math.max(DEADLINE_MS - (clock.now() - begun), 1) })
    const [tools, offered] = await askForTools(
      registration,
      async () => [await remoteCaller.listTools(remote, left()), await remoteCaller.listOffers(remote, left())],
      () => unknownRegistration(forOrg(db, orgId), slug),
    )
    const capability = remoteCapability(slug)
    const taken = await takeSnapshot(tools, { capability })
    const offers = pinOffers(offered, { capability })
    const snapshot = { ...taken, offers, id: ids('snp'), fetchedAt: new Date(clock.now()) }
    const { apply = 'harmless', onlyChanges = false } = how
    return pinning.store(remote, snapshot, { begun, by, apply, onlyChanges })
  }

  return {
    take,
    async takeFirst({ orgId, userId }, slug, by, gone) {
      const remote = await remotes.find(orgId, slug, userId)
      if (remote === undefined) throw await gone(forOrg(db, orgId))
      // Without its credential the upstream would only reject the request.
      if (remote.snapshot !== undefined || credentialProblem(remote) !== undefined) return remote
      const read = async () => (await remotes.find(orgId, slug, userId)) ?? remote
      const failureAt = (at: RemoteConnector): Promise<unknown> =>
        take(at, by).then(
          () => undefined,
          error => error,
        )
      let failure = await failureAt(remote)
      if (await followRedirect(remote.registration, failure, by)) failure = await failureAt(await read())
      const current = await read()
      if (failure === undefined) return current
      const { id } = remote.registration
      log.warn({ err: failure, org: orgId, remote: id, slug }, 'cannot take the first snapshot of a remote connector')
      return failure instanceof GatewayError ? { ...current, snapshotFailure: failure.message } : current
    },
  }
}

/** Creates the function that corrects the URL of a registration by the redirect of its server. */
function createFollowRedirect({ audit, change }: { audit: Audit; change: ChangeRemotes }) {
  /**
   * Stores the URL that a registration is redirected to, if `failure` is a slashRedirect and the registration was not
   * changed meanwhile. Returns whether it was stored.
   */
  return async function followRedirect(registration: Registration, failure: unknown, by: Actor): Promise<boolean> {
    const { id, orgId, slug, upstreamUrl: upstreamUrlBefore } = registration
    const upstreamUrl = redirectedUrl(upstreamUrlBefore, failure)
    if (upstreamUrl === undefined) return false
    return change(orgId, by, async org => {
      const locked = await lockRegistration(org, { id })
      if (locked === undefined || !isSameUpstream(locked, registration)) return false
      await updateUpstream(org, id, { ...locked, upstreamUrl })
      const detail = { slug, upstreamUrl, upstreamUrlBefore, authMode: locked.auth.mode, newCredential: false }
      await audit.record(org, { by, action: 'remote.update', target: id, detail })
      return true
    })
  }
}

/** The HTTP statuses that mean that there is no MCP server at a path. */
const NOTHING_THERE = new Set([404, 405, 410])

/**
 * Runs a request for an upstream's tools. Turns its failure into snapshot_failed, with a message for the admin, or into
 * the error of `gone` if the registration was removed meanwhile.
 */
export async function askForTools<T>(
  registration: Registration,
  ask: () => Promise<T>,
  gone: () => Promise<GatewayError>,
): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    // The account is deleted together with its registration.
    const removed = error instanceof GatewayError && error.code === 'account_not_found'
    throw removed ? await gone() : failureOf(registration, error)
  }
}

function failureOf(registration: Registration, error: unknown): unknown {
  const failed = (why: string) =>
    new GatewayError('snapshot_failed', `${registration.name} did not return its list of tools. ${why}`, {
      cause: error,
    })
  if (error instanceof UpstreamError) return failed(reasonOf(error, registration))
  if (!(error instanceof GatewayError)) return error
  // A code that exists only in tool results has no HTTP status.
  return isCodeOfTools(error.code) ? failed(error.message) : error
}

function checkPath(slug: string): string {
  return `Check the path of its URL, which is usually /mcp. An admin changes it with manage__remote_update or PATCH /connectors/org/${slug}.`
}

function useStreamable(slug: string): string {
  return `If the server has a URL of the Streamable HTTP transport, which is usually /mcp, an admin sets it as \`upstream_url\` with manage__remote_update or PATCH /connectors/org/${slug}. Otherwise update the server, or put a bridge to Streamable HTTP in front of it.`
}

/** The reason of an answer that redirects to a server, which must not get the credential unless an admin trusts it. */
function redirected(slug: string, status: number, target: string): string {
  return `It redirects to ${foreignLine(target)} (HTTP ${status}). If you trust that address, an admin sets it as \`upstream_url\` with manage__remote_update or PATCH /connectors/org/${slug}.`
}

/** What happened, what the upstream says and, if it is known, what an admin can do. */
function reasonOf(
  { kind, status, message, words, rpcCode }: UpstreamError,
  { slug, auth }: Pick<Registration, 'slug' | 'auth'>,
): string {
  if (kind === 'status' && status !== undefined && status < 400)
    return words === undefined ? `${message} ${checkPath(slug)}` : redirected(slug, status, words)
  const said = serverSays(words)
  if (kind === 'unauthorized' && auth.mode === 'none')
    return `It requires a credential (HTTP 401).${said} An admin sends \`auth\` of mode bearer, header or oauth with PATCH /connectors/org/${slug}.`
  if (kind === 'rpc')
    return `It answered with an error${rpcCode === undefined ? '' : ` (${rpcCode})`}.${serverSays(words ?? message)}`
  if (kind === 'status' && status !== undefined && NOTHING_THERE.has(status))
    return `${message}${said} ${checkPath(slug)}`
  if (kind === 'old_transport') return `${message} ${useStreamable(slug)}`
  if (kind === 'malformed' && message.endsWith(`${WEB_PAGE}.`)) return `${message} ${checkPath(slug)}`
  if (kind === 'unreachable' && message.endsWith('does not resolve to a public address.'))
    return `${message} Check the host name of its URL. If it is on a private network, ask the operator to add the name to EGRESS_ALLOW.`
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
