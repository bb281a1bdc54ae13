import type { Actor } from '../../../lib/audit/audit.ts'
import type { OrgDatabase } from '../../../lib/database/tenant.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import type { RemoteOauth } from '../../../schemas/oauth-client.ts'
import { remoteCapability } from '../../../schemas/remote-names.ts'
import type { Accounts } from '../../accounts/accounts.ts'
import type { Credential, IssuedCredential } from '../../credentials/credential.ts'
import type { ManagedOauthClients } from '../../credentials/oauth-clients.ts'
import { isAdmin } from '../../identity/caller.ts'
import type { OperatorCommands } from '../../operator/operator-commands.ts'
import { requireMember } from '../../organizations/requirements.ts'
import type { FixedHeaders } from '../fixed-headers.ts'
import type { ClientToken } from '../oauth/client-token.ts'
import type { RemoteAuthorizations } from '../oauth/remote-authorizations.ts'
import { hasCredential, isPerMember, isSameUpstream, type Registration } from '../registration.ts'
import type { RemoteConnector, RemoteConnectors } from '../remote-connectors.ts'
import { requireAdmin, requireRemote } from '../require-remote.ts'
import type { Gone, SnapshotService } from '../snapshots/snapshot-service.ts'
import { type ChangeRemotes, lockRegistration, unknownRegistration } from '../store/registration-rows.ts'
import { serverSays } from '../upstream/refusal-words.ts'
import { UpstreamError } from '../upstream/upstream.ts'
import { checkProvidedCredential } from './check-request.ts'
import type { ListOnce } from './list-once.ts'
import { issuedApiKey, type ProvidedBy, type StoreCredential } from './store-credential.ts'

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
      also: org => clients.storeForRemote(org, { ...client, clientSecret: secret, setBy: userId }),
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
      const { registration, issued } = await authorizations.finish({
        member: caller,
        callback,
        async registrationOf(slug) {
          const registration = (await remotes.find(orgId, slug))?.registration
          // Before the code is exchanged: the caller may have lost the role since they began.
          if (registration !== undefined && !isPerMember(registration)) requireAdmin(caller)
          return registration
        },
      })
      return store(registration, issued, { by, userId, gone: removedMeanwhile })
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
