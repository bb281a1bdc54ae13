import { forOrg, type OrgDatabase } from '../../../lib/database/tenant.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import type { CredentialPer, RemoteAuthRequest } from '../../../schemas/remotes/auth.ts'
import { remoteCapability } from '../../../schemas/remotes/names.ts'
import type { RegisterRemoteRequest } from '../../../schemas/remotes/remote.ts'
import type { IssuedCredential } from '../../credentials/credential.ts'
import type { ManagedOauthClients } from '../../credentials/oauth-clients.ts'
import type { Caller } from '../../identity/caller.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import { requireMember } from '../../organizations/requirements.ts'
import type { FixedHeaders } from '../fixed-headers.ts'
import type { ClientRegistration, RegisteredClient } from '../oauth/client-registration.ts'
import type { Discovery } from '../oauth/discovery.ts'
import type { ClientToken } from '../oauth/remote-authorizations.ts'
import { isPerMember, type Registration } from '../registration.ts'
import type { RemoteConnectors } from '../remote-connectors.ts'
import { requireAdmin } from '../require-remote.ts'
import type { SnapshotService } from '../snapshots/snapshot-service.ts'
import { type ChangeRemotes, insertRegistration, requireFree, requireRoom } from '../store/registration-rows.ts'
import { checkRequest, type ToUpstreamUrl } from './check-request.ts'
import { issuedApiKey, type StoreCredential } from './store-credential.ts'

interface RegisterRemoteOptions extends Pick<Infrastructure, 'db' | 'clock' | 'ids' | 'audit'> {
  clients: Pick<ManagedOauthClients, 'storeForRemote'>
  toUpstreamUrl: ToUpstreamUrl
  discovery: Discovery
  clientRegistration: ClientRegistration
  clientToken: ClientToken
  storeCredential: StoreCredential
  fixedHeaders: Pick<FixedHeaders, 'seal'>
  snapshotService: Pick<SnapshotService, 'takeFirst'>
  change: ChangeRemotes
}

/** The registration to store, with its credential. Nothing is stored yet. */
interface Prepared extends Authentication, Pick<Registration, 'slug' | 'name' | 'refresh'> {
  upstreamUrl: string
}

/** How a registration authenticates, with the credential to store. */
export interface Authentication extends Pick<Registration, 'auth'> {
  /** The URL at which the discovery found the upstream, for the modes with OAuth. */
  upstreamUrl?: string
  /** This gateway's OAuth client, for mode `oauth`. */
  client?: RegisteredClient
  /** The credential: a provided token or header value, or the first token of mode `client_credentials`. */
  issued?: IssuedCredential
  /** The fixed headers by name. */
  headers?: Readonly<Record<string, string>>
}

/** Prepares a checked `auth` for a URL: for mode `oauth`, discovers the servers and registers a client. Stores nothing. */
export type Authenticate = (registration: Authenticated, origin: string) => Promise<Authentication>

interface Authenticated extends Pick<Registration, 'slug' | 'name' | 'upstreamUrl'> {
  auth: RemoteAuthRequest
}

export function createRegisterRemote(options: RegisterRemoteOptions): {
  register: RemoteConnectors['register']
  authenticate: Authenticate
} {
  const { db, clock, ids, audit, clients, toUpstreamUrl, discovery, clientRegistration } = options
  const { clientToken, storeCredential, fixedHeaders, snapshotService, change } = options

  async function prepare({ orgId }: Caller, request: RegisterRemoteRequest, origin: string): Promise<Prepared> {
    const { slug, name, auth } = checkRequest(request)
    const { refresh = 'manual' } = request
    const upstreamUrl = await toUpstreamUrl(request.upstream_url)
    // Check these before any request to the upstream. `store` checks them again in its transaction.
    await requireFree(forOrg(db, orgId), slug)
    await requireRoom(forOrg(db, orgId))
    return { slug, name, upstreamUrl, refresh, ...(await authenticate({ slug, name, upstreamUrl, auth }, origin)) }
  }

  const authenticate: Authenticate = async (registration, origin) => ({
    ...headersOf(registration.auth),
    ...(await credentialOf(registration, origin)),
  })

  async function credentialOf(
    { slug, name, upstreamUrl, auth }: Authenticated,
    origin: string,
  ): Promise<Authentication> {
    switch (auth.mode) {
      case 'none':
        return { auth }
      case 'assertion':
        return { auth: { mode: 'assertion' } }
      case 'bearer':
        return { auth: { mode: 'bearer', ...perOf(auth) }, issued: issuedApiKey(auth.token) }
      case 'header':
        return { auth: { mode: 'header', headerName: auth.name, ...perOf(auth) }, issued: issuedApiKey(auth.value) }
      case 'oauth': {
        const given = {
          clientId: auth.client_id,
          clientSecret: auth.client_secret,
          scopes: auth.scopes,
          authorizationParams: auth.authorization_params,
          sendResource: auth.send_resource,
        }
        const discovered = await discovery.discover(upstreamUrl)
        const { upstreamUrl: foundAt } = discovered
        const client = await clientRegistration.register(discovered, given, { origin })
        return { upstreamUrl: foundAt, auth: { mode: 'oauth', oauth: client.oauth, ...perOf(auth) }, client }
      }
      case 'client_credentials': {
        const { mode, client_id: clientId, client_secret: clientSecret, private_key: privateKey, scopes } = auth
        const discovered = await discovery.discover(upstreamUrl, mode)
        const client = await clientRegistration.register(
          discovered,
          { clientId, clientSecret, privateKey, scopes, sendResource: auth.send_resource },
          { origin },
        )
        const { oauth } = client
        // Before anything is stored: a client that gets no token is of no use.
        const issued = await clientToken({ slug, name, oauth, secret: client.clientSecret ?? '' })
        const { resourceRefused: withoutResource } = issued
        const { upstreamUrl: foundAt } = discovered
        const kept = { ...oauth, ...(withoutResource && { withoutResource }) }
        return { upstreamUrl: foundAt, auth: { mode, oauth: kept }, client, issued }
      }
    }
  }

  async function store(org: OrgDatabase, caller: Caller, prepared: Prepared): Promise<void> {
    const { slug, name, upstreamUrl, auth, refresh, client, issued, headers } = prepared
    // The caller may have lost the role while the upstream was asked.
    requireAdmin({ ...caller, role: await requireMember(org, caller.userId) })
    await requireRoom(org)
    const place = { id: ids('rem'), orgId: org.orgId }
    const registration: Registration = {
      ...place,
      slug,
      name,
      upstreamUrl,
      auth,
      ...(headers !== undefined && { headers: fixedHeaders.seal(place, headers) }),
      hidden: false,
      createdBy: caller.userId,
      createdAt: new Date(clock.now()),
      snapshotId: null,
      snapshotRefusal: null,
      refresh,
      candidate: null,
      overrides: [],
      confirmed: null,
    }
    await insertRegistration(org, registration)
    const { id: target } = registration
    if (client !== undefined) {
      const { clientId } = client.oauth
      const { clientSecret } = client
      await clients.storeForRemote(org, {
        remoteId: target,
        connector: remoteCapability(slug),
        clientId,
        clientSecret,
        setBy: caller.userId,
      })
    }
    if (issued !== undefined) await storeCredential(org, registration, issued, { by: caller, userId: caller.userId })
    const per = isPerMember(registration) ? { credentialPer: 'member' } : {}
    const detail = { slug, name, upstreamUrl, authMode: auth.mode, refresh, ...per }
    await audit.record(org, { by: caller, action: 'remote.add', target, detail })
  }

  const register: RemoteConnectors['register'] = async (caller, request, origin) => {
    requireAdmin(caller)
    const { orgId } = caller
    const prepared = await prepare(caller, request, origin)
    await change(orgId, caller, org => store(org, caller, prepared))
    return snapshotService.takeFirst({ orgId, userId: caller.userId }, prepared.slug, caller, () =>
      removedMeanwhile(prepared.slug),
    )
  }

  return { register, authenticate }
}

function headersOf(auth: RemoteAuthRequest): Pick<Prepared, 'headers'> {
  const headers = auth.mode === 'none' ? [] : (auth.headers ?? [])
  if (headers.length === 0) return {}
  return { headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])) }
}

/** Stored only if it is not the default. */
function perOf({ per }: { per?: CredentialPer }): { per?: 'member' } {
  return per === 'member' ? { per } : {}
}

function removedMeanwhile(slug: string): GatewayError {
  return new GatewayError('internal_error', `${slug} was registered, but another request removed it immediately.`)
}
