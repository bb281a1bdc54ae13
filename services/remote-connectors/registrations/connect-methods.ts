import type { Actor } from '../../../lib/audit/audit.ts'
import type { OrgDatabase } from '../../../lib/database/tenant.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { remoteCapability } from '../../../schemas/remotes/names.ts'
import type { RemoteOauth } from '../../../schemas/remotes/oauth-client.ts'
import type { Accounts } from '../../accounts/accounts.ts'
import { recordRefusedResource } from '../../connectors/connect/refused-resource.ts'
import type { Credential, IssuedCredential } from '../../credentials/credential.ts'
import type { ManagedOauthClients } from '../../credentials/oauth-clients.ts'
import { refusesResource } from '../../credentials/token-answer.ts'
import { TokenEndpointError } from '../../credentials/token-endpoint-error.ts'
import { type Caller, isAdmin } from '../../identity/caller.ts'
import type { OperatorCommands } from '../../operator/operator-commands.ts'
import { requireMember } from '../../organizations/requirements.ts'
import type { FixedHeaders } from '../fixed-headers.ts'
import type { ClientToken, RemoteAuthorizations } from '../oauth/remote-authorizations.ts'
import { hasCredential, isPerMember, isSameUpstream, type Registration } from '../registration.ts'
import type { RemoteConnector, RemoteConnectors } from '../remote-connectors.ts'
import { requireAdmin, requireRemote } from '../require-remote.ts'
import type { Gone, SnapshotService } from '../snapshots/snapshot-service.ts'
import { type ChangeRemotes, lockRegistration, unknownRegistration } from '../store/registration-rows.ts'
import { serverSays } from '../upstream/refusals.ts'
import { UpstreamError } from '../upstream/upstream.ts'
import { checkProvidedCredential } from './check-request.ts'
import { issuedApiKey, type ProvidedBy, type StoreCredential } from './store-credential.ts'
import type { ListOnce } from './try-upstream.ts'

/** The ways to give a registration or a member a credential, by signing in (OAuth) or with a token, and to remove one. */
type RemoteConnectMethods = Pick<
  RemoteConnectors,
  'beginAuthorization' | 'finishAuthorization' | 'setToken' | 'connectWithKey' | 'disconnect'
>

interface RemoteConnectMethodsOptions {
  authorizations: RemoteAuthorizations
  storeCredential: StoreCredential
  accounts: Pick<Accounts, 'removeRemoteOf'>
  fixedHeaders: Pick<FixedHeaders, 'open'>
  clients: Pick<ManagedOauthClients, 'storeForRemote'>
  clientToken: ClientToken
  listOnce: ListOnce
  remotes: Pick<RemoteConnectors, 'list' | 'find'>
  snapshotService: Pick<SnapshotService, 'takeFirst'>
  change: ChangeRemotes
  commands: OperatorCommands
}

export function createRemoteConnectMethods(options: RemoteConnectMethodsOptions): RemoteConnectMethods {
  const { authorizations, storeCredential, accounts, fixedHeaders, listOnce, remotes } = options
  const { snapshotService, change, commands, clients, clientToken } = options

  /**
   * Stores a credential if the registration still exists and was not changed meanwhile, and takes the first snapshot if
   * none is stored yet and an admin's credential can take it.
   */
  async function store(
    given: Registration,
    issued: IssuedCredential,
    { by, userId, gone, also }: ProvidedBy & { gone: Gone; also?: (org: OrgDatabase) => Promise<void> },
  ): Promise<RemoteConnector> {
    const { id, orgId, slug } = given
    const mayTake = await change(orgId, by, async org => {
      const registration = await lockRegistration(org, { id })
      if (registration === undefined) throw await gone(org)
      // The credential was provided for this server. A member's own must never become the organization's.
      if (!isSameUpstream(registration, given)) throw changedMeanwhile()
      await also?.(org)
      await storeCredential(org, registration, issued, { by, userId })
      return !isPerMember(registration) || isAdmin({ orgId, userId, role: await requireMember(org, userId) })
    })
    if (mayTake) return snapshotService.takeFirst({ orgId, userId }, slug, by, gone)
    return requireRemote(remotes, orgId, slug, userId)
  }

  /**
   * Lists the upstream's tools with a credential that is not stored yet. Returns undefined if the upstream accepts the
   * credential, or why that is unknown. Throws invalid_request if the upstream rejects it.
   */
  async function tryCredential(registration: Registration, credential: Credential): Promise<string | undefined> {
    const { name } = registration
    const fixed = fixedHeaders.open(registration)
    try {
      await listOnce(registration, { credential, fixed })
      return undefined
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      const { kind, message } = error
      const status = kind === 'unauthorized' ? 401 : error.status
      // Some servers answer 403 to an unknown key.
      const said = status !== undefined && status < 400 ? '' : serverSays(error.words)
      if (status !== 401 && status !== 403) return `${message}${said}`
      throw new GatewayError(
        'invalid_request',
        `${name} rejected the provided credential (HTTP ${status}).${said} It was not stored; the previous credential is unchanged.`,
        { cause: error },
      )
    }
  }

  /** Replaces the secret or key of a client, after getting a token with it. */
  async function setClientSecret(registration: Registration, oauth: RemoteOauth, secret: string, by: Actor) {
    const { id: remoteId, slug, name, createdBy } = registration
    const issued = await clientToken({ slug, name, oauth, secret })
    const userId = typeof by === 'string' ? createdBy : by.userId
    const client = { remoteId, connector: remoteCapability(slug), clientId: oauth.clientId }
    return store(registration, issued, {
      by,
      userId,
      gone: org => unknownRegistration(org, slug),
      async also(org) {
        await clients.storeForRemote(org, { ...client, clientSecret: secret, setBy: userId })
        if (issued.resourceRefused) await recordRefusal(org, registration)
      },
    })
  }

  const setToken: RemoteConnectMethods['setToken'] = async (
    orgId,
    slug,
    value,
    by,
    userId = typeof by === 'string' ? undefined : by.userId,
  ) => {
    const { registration } = await requireRemote(remotes, orgId, slug)
    const { auth, createdBy } = registration
    if (auth.mode === 'client_credentials') return setClientSecret(registration, auth.oauth, value.trim(), by)
    if (auth.mode !== 'bearer' && auth.mode !== 'header') throw acceptsNoToken(commands, registration)
    const owner = userId ?? (isPerMember(registration) ? undefined : createdBy)
    if (owner === undefined) throw withoutMember(commands, registration)
    const issued = issuedApiKey(checkProvidedCredential(auth.mode, value))
    // Try it first: a rejected credential must not replace one that works.
    const unchecked = await tryCredential(registration, issued.credential)
    const remote = await store(registration, issued, {
      by,
      userId: owner,
      gone: org => unknownRegistration(org, slug),
    })
    return { ...remote, ...(unchecked !== undefined && { unchecked }) }
  }

  return {
    setToken,

    async beginAuthorization({ caller, slug, redirectUri }) {
      const { registration } = await requireRemote(remotes, caller.orgId, slug)
      if (!isPerMember(registration)) requireAdmin(caller)
      return authorizations.begin({ registration, member: caller, redirectUri })
    },

    async finishAuthorization({ caller, by = caller, callback }) {
      const { orgId, userId } = caller
      let found: Registration | undefined
      const finished = authorizations.finish({
        member: caller,
        callback,
        async registrationOf(slug) {
          found = (await remotes.find(orgId, slug))?.registration
          // Before the code is exchanged: the caller may have lost the role since they began.
          if (found !== undefined && !isPerMember(found)) requireAdmin(caller)
          return found
        },
      })
      const { registration, issued } = await finished.catch(async error => {
        throw found === undefined ? error : await signInFailure(error, { caller, registration: found, change })
      })
      const also = issued.resourceRefused && { also: (org: OrgDatabase) => recordRefusal(org, registration) }
      return store(registration, issued, { by, userId, gone: removedMeanwhile, ...also })
    },

    async connectWithKey(caller, slug, key) {
      const { registration } = await requireRemote(remotes, caller.orgId, slug)
      if (!isPerMember(registration)) requireAdmin(caller)
      return setToken(caller.orgId, slug, key, caller)
    },

    async disconnect(caller, slug) {
      const { orgId, userId } = caller
      const { registration } = await requireRemote(remotes, orgId, slug)
      if (!isPerMember(registration)) throw notOwnCredential(registration)
      await change(orgId, caller, org =>
        accounts.removeRemoteOf(org, userId, { remoteId: registration.id, by: caller }),
      )
    },
  }
}

function acceptsNoToken(commands: OperatorCommands, registration: Registration): GatewayError {
  const { slug, auth } = registration
  const advice =
    auth.mode === 'oauth'
      ? `Sign in: ${commands.connectRemote(registration)}`
      : `If the server requires a token, an admin sends \`auth\` of mode bearer or header with PATCH /connectors/org/${slug}.`
  return new GatewayError(
    'invalid_request',
    `${slug} is registered with mode ${auth.mode}, which does not use a token. ${advice}`,
  )
}

function withoutMember(commands: OperatorCommands, registration: Registration): GatewayError {
  return new GatewayError(
    'invalid_request',
    `Each member has their own token for ${registration.slug}. Name the member: ${commands.connectRemote(registration)}`,
  )
}

function notOwnCredential({ slug, auth }: Registration): GatewayError {
  if (!hasCredential(auth))
    return new GatewayError('invalid_request', `${slug} is registered with mode ${auth.mode}. It has no credential.`)
  const path = `/connectors/org/${slug}`
  const replace = auth.mode === 'oauth' ? 'credential/authorization' : 'credential'
  return new GatewayError(
    'invalid_request',
    `The credential of ${slug} belongs to the organization. An admin replaces it with POST ${path}/${replace}, or changes \`auth\` with PATCH ${path}.`,
  )
}

function changedMeanwhile(): GatewayError {
  return new GatewayError(
    'connect_failed',
    'The remote connector was changed during its authorization. Read it again, then connect again.',
  )
}

function removedMeanwhile(): GatewayError {
  return new GatewayError(
    'connect_failed',
    'The remote connector was removed during its authorization. Register it again.',
  )
}

/** Records for the next requests that the authorization server of a registration refuses `resource`. */
async function recordRefusal(org: OrgDatabase, { slug, auth }: Registration): Promise<void> {
  if ('oauth' in auth) await recordRefusedResource(org, remoteCapability(slug), auth.oauth.tokenEndpoint)
}

/** Returns the error of a sign-in that failed. One that failed because of `resource` works the next time. */
async function signInFailure(
  error: unknown,
  { caller, registration, change }: { caller: Caller; registration: Registration; change: ChangeRemotes },
): Promise<unknown> {
  const { auth, slug, orgId } = registration
  if (!('oauth' in auth) || auth.oauth.withoutResource || !isResourceRefusal(error)) return error
  const hasScopes = auth.oauth.scopes.length > 0
  // The person's browser brought this answer, and only admins change a registration.
  const isRecorded = hasScopes && isAdmin(caller)
  if (isRecorded) await change(orgId, caller, org => recordRefusal(org, registration))
  const next = isRecorded
    ? 'The gateway sends `scope` without `resource` from now on.'
    : `An admin must send \`auth\` with \`send_resource\`: false${hasScopes ? '' : ' and the `scopes` to request'}, with PATCH /connectors/org/${slug}.`
  return new GatewayError('connect_failed', `${error.message} ${next}`, { cause: error.cause })
}

function isResourceRefusal(error: unknown): error is GatewayError {
  const { cause } = error instanceof GatewayError ? error : {}
  return cause instanceof TokenEndpointError && refusesResource(cause.description)
}
