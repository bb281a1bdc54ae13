import { forOrg, type OrgDatabase } from '../../../lib/database/tenant.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { remoteCapability } from '../../../schemas/remotes/names.ts'
import type { OverrideChanges } from '../../../schemas/remotes/overrides.ts'
import type { UpdateRemoteRequest } from '../../../schemas/remotes/remote.ts'
import type { Accounts } from '../../accounts/accounts.ts'
import type { ManagedOauthClients } from '../../credentials/oauth-clients.ts'
import type { Caller } from '../../identity/caller.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import { requireMember } from '../../organizations/requirements.ts'
import type { FixedHeaders } from '../fixed-headers.ts'
import { hasCredential, isPerMember, isSameUpstream, type Registration } from '../registration.ts'
import type { RemoteConnector, RemoteConnectors } from '../remote-connectors.ts'
import { requireAdmin, requireRemote } from '../require-remote.ts'
import type { PinnedValidators } from '../snapshots/pinned-validators.ts'
import type { SnapshotService } from '../snapshots/snapshot-service.ts'
import {
  type ChangeRemotes,
  deleteCredentials,
  lockRegistration,
  unknownRegistration,
  updateRegistration,
  updateUpstream,
} from '../store/registration-rows.ts'
import type { SnapshotRows } from '../store/snapshot-rows.ts'
import type { SurfaceRoom } from '../store/surface-room.ts'
import { credentialProblem } from '../unavailable-reason.ts'
import type { Upstreams } from '../upstream/upstream.ts'
import { changedOverrides } from './check-overrides.ts'
import { checkAuth, checkName, type ToUpstreamUrl } from './check-request.ts'
import type { Authenticate } from './register-remote.ts'
import type { StoreCredential } from './store-credential.ts'
import { createTryUpstream, type Moved, type TryUpstreamOptions } from './try-upstream.ts'

interface UpdateRemoteOptions extends Pick<Infrastructure, 'clock' | 'audit' | 'log'>, TryUpstreamOptions {
  accounts: Pick<Accounts, 'markConnected' | 'removeMembersOf'>
  snapshots: Pick<SnapshotRows, 'read'>
  room: Pick<SurfaceRoom, 'measure' | 'refusal'>
  validators: PinnedValidators
  clients: Pick<ManagedOauthClients, 'storeForRemote'>
  fixedHeaders: Pick<FixedHeaders, 'seal'>
  remotes: Pick<RemoteConnectors, 'list' | 'find'>
  snapshotService: Pick<SnapshotService, 'take'>
  toUpstreamUrl: ToUpstreamUrl
  authenticate: Authenticate
  storeCredential: StoreCredential
  upstreams: Pick<Upstreams, 'forget'>
  change: ChangeRemotes
}

export function createUpdateRemote(options: UpdateRemoteOptions): RemoteConnectors['update'] {
  const { db, clock, audit, log, snapshots, room, validators, clients, remotes, upstreams, fixedHeaders, accounts } =
    options
  const { snapshotService, toUpstreamUrl, authenticate, storeCredential, change } = options
  const tryUpstream = createTryUpstream(options)

  /** The new URL and authentication; undefined if both stay. Nothing is stored yet. */
  async function prepare(
    caller: Caller,
    before: RemoteConnector,
    { upstream_url, auth }: UpdateRemoteRequest,
    origin: string,
  ): Promise<Moved | undefined> {
    const { registration } = before
    const upstreamUrl = upstream_url === undefined ? registration.upstreamUrl : await toUpstreamUrl(upstream_url)
    if (auth === undefined && upstreamUrl === registration.upstreamUrl) return undefined
    if (auth === undefined) requireCredentialFor(registration, upstreamUrl)
    const { slug, name } = registration
    const given = auth && (await authenticate({ slug, name, upstreamUrl, auth: checkAuth(auth) }, origin))
    const moved = { upstreamUrl, auth: registration.auth, ...given, isGiven: given !== undefined }
    return tryUpstream(before, moved, caller)
  }

  async function store(
    org: OrgDatabase,
    caller: Caller,
    { before, request, moved }: { before: Registration; request: UpdateRemoteRequest; moved: Moved | undefined },
  ): Promise<void> {
    const { id, slug } = before
    // The caller may have lost the role while the upstream was asked.
    requireAdmin({ ...caller, role: await requireMember(org, caller.userId) })
    const locked = await lockRegistration(org, { id })
    if (locked === undefined) throw await unknownRegistration(org, slug)
    if (moved !== undefined) await move(org, caller, { locked, before, moved })
    const name = request.name === undefined ? locked.name : checkName(request.name)
    const { refresh = locked.refresh } = request
    const overrides = request.overrides && (await overridden(org, caller, { locked, changes: request.overrides }))
    await updateRegistration(org, id, { name, refresh, ...(overrides !== undefined && { overrides }) })
    const detail = {
      slug,
      ...(name !== locked.name && { name }),
      ...(refresh !== locked.refresh && { refresh }),
      ...(request.overrides !== undefined && { overrides: Object.keys(request.overrides) }),
      ...(moved !== undefined && {
        upstreamUrl: moved.upstreamUrl,
        upstreamUrlBefore: locked.upstreamUrl,
        authMode: moved.auth.mode,
        newCredential: moved.isGiven,
      }),
    }
    await audit.record(org, { by: caller, action: 'remote.update', target: id, detail })
  }

  /** The overrides with these changes. Throws invalid_request if the tools then no longer fit into the organization's list. */
  async function overridden(
    org: OrgDatabase,
    { userId: setBy }: Caller,
    { locked, changes }: { locked: Registration; changes: OverrideChanges },
  ): Promise<Registration['overrides']> {
    const { snapshotId } = locked
    const snapshot = snapshotId === null ? undefined : (await snapshots.read(org, [snapshotId])).get(snapshotId)
    const setAt = clock.now()
    const overrides = changedOverrides(changes, { registration: locked, snapshot, validators, setBy, setAt })
    const refusal =
      snapshot && (await room.refusal(org, locked, await room.measure({ ...locked, overrides }, snapshot)))
    if (refusal !== undefined) throw new GatewayError('invalid_request', refusal)
    return overrides
  }

  /** Changes the server, and with it everything that was stored for the old one except its pinned tools. */
  async function move(
    org: OrgDatabase,
    caller: Caller,
    { locked, before, moved }: { locked: Registration; before: Registration; moved: Moved },
  ): Promise<void> {
    if (!isSameUpstream(locked, before)) throw changedMeanwhile(locked)
    const { id, slug } = locked
    const { upstreamUrl, auth, client, issued, isGiven } = moved
    // The fixed headers are secrets too: they stay only with the credential.
    const headers = isGiven ? moved.headers && fixedHeaders.seal(locked, moved.headers) : locked.headers
    // The order of locks of a removal.
    if (isGiven) {
      await accounts.removeMembersOf(org, { remoteId: id, by: caller, because: 'remote.update' })
      // Before anything else: no credential of the old server may be stored with the URL of the new one.
      await deleteCredentials(org, { id, slug })
    }
    await updateUpstream(org, id, { upstreamUrl, auth, ...(headers !== undefined && { headers }) })
    if (client !== undefined)
      await clients.storeForRemote(org, {
        remoteId: id,
        connector: remoteCapability(slug),
        clientId: client.oauth.clientId,
        clientSecret: client.clientSecret,
        setBy: caller.userId,
      })
    const provided = { by: caller, userId: caller.userId }
    if (issued !== undefined) await storeCredential(org, { ...locked, upstreamUrl, auth }, issued, provided)
  }

  /** Takes a snapshot of the new server. Its risky changes wait for an admin. Returns why it failed. */
  async function refreshMoved(remote: RemoteConnector, caller: Caller): Promise<string | undefined> {
    if (credentialProblem(remote) !== undefined) return undefined
    try {
      await snapshotService.take(remote, caller)
      return undefined
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      const { id, orgId, slug } = remote.registration
      log.warn(
        { err: error, org: orgId, remote: id, slug },
        'cannot take a snapshot of the new URL of a remote connector',
      )
      return error.message
    }
  }

  return async function updateRemote(caller, slug, request, origin) {
    requireAdmin(caller)
    const { orgId } = caller
    if (request.name !== undefined) checkName(request.name)
    const before = await requireRemote(remotes, orgId, slug, caller.userId)
    const moved = await prepare(caller, before, request, origin)
    const { registration } = before
    await change(orgId, caller, org => store(org, caller, { before: registration, request, moved }))
    const current = async () => {
      const remote = await remotes.find(orgId, slug, caller.userId)
      if (remote === undefined) throw await unknownRegistration(forOrg(db, orgId), slug)
      return remote
    }
    if (moved === undefined) return current()
    upstreams.forget({ orgId, id: registration.id })
    const snapshotFailure = await refreshMoved(await current(), caller)
    return { ...(await current()), ...(snapshotFailure !== undefined && { snapshotFailure }) }
  }
}

/** Throws invalid_request unless the stored credential and headers may be sent to a new URL. */
function requireCredentialFor({ name, upstreamUrl, auth, headers }: Registration, url: string): void {
  const [from, to] = [new URL(upstreamUrl), new URL(url)]
  const isSecret = hasCredential(auth) || headers !== undefined
  if (isSecret && to.origin !== from.origin)
    throw new GatewayError(
      'invalid_request',
      `The credential and headers of ${name} are sent only to ${from.origin}, and the new URL is at ${to.origin}. Send \`auth\` with those for the new server together with \`upstream_url\`.`,
    )
  // Members gave their own for this URL. An admin must not collect them at another path of a shared host.
  if (isPerMember({ auth }) && to.href !== from.href)
    throw new GatewayError(
      'invalid_request',
      `The members of your organization gave their credentials for the current URL of ${name}. Send \`auth\` of mode ${auth.mode} together with \`upstream_url\`. Each member then connects again.`,
    )
  if ('oauth' in auth)
    throw new GatewayError(
      'invalid_request',
      `The tokens of ${name} are issued for its URL. Send \`auth\` of mode ${auth.mode} together with \`upstream_url\`${auth.mode === 'oauth' ? ', then sign in again' : ''}.`,
    )
}

function changedMeanwhile({ name }: Registration): GatewayError {
  return new GatewayError(
    'invalid_request',
    `Another request has changed the URL or the credential of ${name}. Nothing was changed now; read the entry again.`,
  )
}
