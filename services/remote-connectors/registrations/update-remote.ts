import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Audit } from '../../../lib/audit/audit.ts'
import type { Database } from '../../../lib/database/tables.ts'
import { forOrg, type OrgDatabase } from '../../../lib/database/tenant.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import type { Logger } from '../../../schemas/log.ts'
import type { UpdateRemoteRequest } from '../../../schemas/remote.ts'
import { remoteCapability } from '../../../schemas/remote-names.ts'
import { lockRemoteAccount } from '../../accounts/account-rows.ts'
import type { Accounts } from '../../accounts/accounts.ts'
import type { ManagedOauthClients } from '../../credentials/oauth-clients.ts'
import type { Caller } from '../../identity/caller.ts'
import { requireMember } from '../../organizations/requirements.ts'
import { grantConnectorOf, upstreamHeaders } from '../grant-connector.ts'
import { isSameUpstream, type Registration } from '../registration.ts'
import type { RemoteConnector, RemoteConnectors } from '../remote-connectors.ts'
import { requireAdmin, requireRemote } from '../require-remote.ts'
import { type SnapshotService, snapshotFailed } from '../snapshots/snapshot-service.ts'
import {
  type ChangeRemotes,
  deleteCredentials,
  lockRegistration,
  unknownRegistration,
  updateRegistration,
  updateUpstream,
} from '../store/registration-rows.ts'
import { credentialProblem } from '../unavailable-reason.ts'
import { withCredentialRedacted } from '../upstream/redact.ts'
import type { RemoteCaller } from '../upstream/remote-caller.ts'
import type { Upstreams } from '../upstream/upstream.ts'
import { checkAuth, checkName, type ToUpstreamUrl } from './check-request.ts'
import type { Authenticate, Authentication } from './register-remote.ts'
import { issuedApiKey, type StoreCredential } from './store-credential.ts'

interface UpdateRemoteOptions {
  db: Kysely<Database>
  audit: Audit
  log: Logger
  accounts: Pick<Accounts, 'markConnected'>
  clients: Pick<ManagedOauthClients, 'storeForRemote'>
  remotes: Pick<RemoteConnectors, 'list' | 'find'>
  remoteCaller: Pick<RemoteCaller, 'listTools'>
  upstreams: Pick<Upstreams, 'listTools' | 'forget'>
  snapshotService: Pick<SnapshotService, 'take'>
  toUpstreamUrl: ToUpstreamUrl
  authenticate: Authenticate
  storeCredential: StoreCredential
  change: ChangeRemotes
  /** Aborts when the process stops. */
  signal: AbortSignal
}

/** Short, because the snapshot follows in the same request. */
const TRY_DEADLINE_MS = 20_000

export function createUpdateRemote(options: UpdateRemoteOptions): RemoteConnectors['update'] {
  const { db, audit, log, accounts, clients, remotes, remoteCaller, upstreams, snapshotService, signal } = options
  const { toUpstreamUrl, authenticate, storeCredential, change } = options

  /** The new URL and authentication; undefined if both stay. Nothing is stored yet. */
  async function prepare(
    before: RemoteConnector,
    { upstream_url, auth }: UpdateRemoteRequest,
    origin: string,
  ): Promise<Moved | undefined> {
    const { registration } = before
    const upstreamUrl = upstream_url === undefined ? registration.upstreamUrl : await toUpstreamUrl(upstream_url)
    if (auth === undefined && upstreamUrl === registration.upstreamUrl) return undefined
    if (auth === undefined) requireCredentialFor(registration, upstreamUrl)
    const given = auth && (await authenticate(upstreamUrl, checkAuth(auth), origin))
    const moved = { upstreamUrl, auth: registration.auth, ...given, isGiven: given !== undefined }
    await tryUpstream(before, moved)
    return moved
  }

  /** Lists the tools as they will be listed. Throws snapshot_failed, so that a wrong URL or key replaces none that works. */
  async function tryUpstream(before: RemoteConnector, { upstreamUrl, auth, key, isGiven }: Moved): Promise<void> {
    const registration = { ...before.registration, upstreamUrl, auth }
    const { id, orgId, slug } = registration
    const bounds = { signal, deadlineMs: TRY_DEADLINE_MS }
    const gone = () => unknownRegistration(forOrg(db, orgId), slug)
    if (!isGiven && auth.mode !== 'none') {
      if (credentialProblem(before) !== undefined) return
      try {
        await snapshotFailed(registration, () => remoteCaller.listTools({ ...before, registration }, bounds), gone)
      } catch (error) {
        // Another path rejecting the credential says nothing about the present one.
        if (before.account !== undefined) await accounts.markConnected(forOrg(db, orgId), before.account.id)
        throw error
      }
    } else if (auth.mode !== 'oauth') {
      // A target of its own, so that neither an open breaker nor a session with the old server affects the result.
      const target = { orgId, id: `${id} ${randomUUID()}`, url: upstreamUrl }
      const credential = key === undefined ? undefined : issuedApiKey(key).credential
      const headers =
        credential === undefined || auth.mode === 'none'
          ? {}
          : upstreamHeaders(grantConnectorOf(registration, auth), credential)
      const list = () => upstreams.listTools(target, { headers, key: target.id }, bounds)
      try {
        await snapshotFailed(
          registration,
          credential === undefined ? list : () => withCredentialRedacted(credential, list),
          gone,
        )
      } finally {
        upstreams.forget(target)
      }
    }
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
    await updateRegistration(org, id, { name, refresh })
    const detail = {
      slug,
      ...(name !== locked.name && { name }),
      ...(refresh !== locked.refresh && { refresh }),
      ...(moved !== undefined && {
        upstreamUrl: moved.upstreamUrl,
        upstreamUrlBefore: locked.upstreamUrl,
        authMode: moved.auth.mode,
        newCredential: moved.isGiven,
      }),
    }
    await audit.record(org, { by: caller, action: 'remote.update', target: id, detail })
  }

  /** Changes the server, and with it everything that was stored for the old one except its pinned tools. */
  async function move(
    org: OrgDatabase,
    caller: Caller,
    { locked, before, moved }: { locked: Registration; before: Registration; moved: Moved },
  ): Promise<void> {
    if (!isSameUpstream(locked, before)) throw changedMeanwhile(locked)
    const { id, slug } = locked
    const { upstreamUrl, auth, client, key, isGiven } = moved
    // The order of locks of a removal.
    await lockRemoteAccount(org, id)
    // First of all: no credential of the old server may be stored with the URL of the new one.
    if (isGiven) await deleteCredentials(org, { id, slug })
    await updateUpstream(org, id, { upstreamUrl, auth })
    if (client !== undefined)
      await clients.storeForRemote(org, {
        remoteId: id,
        connector: remoteCapability(slug),
        clientId: client.oauth.clientId,
        clientSecret: client.clientSecret,
        setBy: caller.userId,
      })
    const provided = { by: caller, userId: caller.userId }
    if (key !== undefined) await storeCredential(org, { ...locked, upstreamUrl, auth }, issuedApiKey(key), provided)
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
    const before = await requireRemote(remotes, orgId, slug)
    const moved = await prepare(before, request, origin)
    const { registration } = before
    await change(orgId, caller, org => store(org, caller, { before: registration, request, moved }))
    const current = async () => {
      const remote = await remotes.find(orgId, slug)
      if (remote === undefined) throw await unknownRegistration(forOrg(db, orgId), slug)
      return remote
    }
    if (moved === undefined) return current()
    upstreams.forget({ orgId, id: registration.id })
    const snapshotFailure = await refreshMoved(await current(), caller)
    return { ...(await current()), ...(snapshotFailure !== undefined && { snapshotFailure }) }
  }
}

/** The new server of a registration, or the new way to authenticate to it. */
interface Moved extends Authentication {
  upstreamUrl: string
  /** Whether the request has the credential. Otherwise the stored one stays, at the same origin. */
  isGiven: boolean
}

/** Throws invalid_request unless the stored credential may be sent to a new URL. */
function requireCredentialFor({ name, upstreamUrl, auth }: Registration, url: string): void {
  if (auth.mode === 'none') return
  const [from, to] = [new URL(upstreamUrl), new URL(url)]
  if (to.origin !== from.origin)
    throw new GatewayError(
      'invalid_request',
      `The credential of ${name} is sent only to ${from.origin}, and the new URL is at ${to.origin}. Send \`auth\` with the credential for the new server together with \`upstream_url\`.`,
    )
  if (auth.mode === 'oauth')
    throw new GatewayError(
      'invalid_request',
      `The tokens of ${name} are issued for its URL. Send \`auth\` of mode oauth together with \`upstream_url\`, then sign in again.`,
    )
}

function changedMeanwhile({ name }: Registration): GatewayError {
  return new GatewayError(
    'invalid_request',
    `Another request has changed the URL or the credential of ${name} meanwhile. Nothing was changed now; read it again.`,
  )
}
