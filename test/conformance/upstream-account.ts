import type { Egress } from '../../lib/egress/egress.ts'
import type { RemoteOauth } from '../../schemas/remotes/oauth-client.ts'
import type { PendingAuthorization } from '../../services/connectors/connect/pending-authorizations.ts'
import type { IssuedCredential } from '../../services/credentials/credential.ts'
import { createTokenEndpoint } from '../../services/credentials/token-endpoint.ts'
import type { ServerInfo } from '../../services/mcp/tool-list.ts'
import type { OauthGrant } from '../../services/remote-connectors/oauth/authorization-server.ts'
import { readChallenge, stepUpScopes } from '../../services/remote-connectors/oauth/challenge.ts'
import { CLIENT_METADATA_PATH, LOOPBACK_REDIRECT_URI } from '../../services/remote-connectors/oauth/client-metadata.ts'
import {
  createClientRegistration,
  type ProvidedClient,
  type RegisteredClient,
} from '../../services/remote-connectors/oauth/client-registration.ts'
import { createDiscovery } from '../../services/remote-connectors/oauth/discovery.ts'
import {
  createClientToken,
  createRemoteAuthorizations,
} from '../../services/remote-connectors/oauth/remote-authorizations.ts'
import type { Registration } from '../../services/remote-connectors/registration.ts'
import { createRequests } from '../../services/remote-connectors/upstream/requests.ts'
import { type UpstreamCredential, UpstreamError } from '../../services/remote-connectors/upstream/upstream.ts'

/** The maximum number of authorizations per request. */
const MAX_AUTHORIZATIONS = 2

/** The client metadata document that the runner knows. It replaces this service's own. */
const CLIENT_METADATA = new URL('https://conformance-test.local/client-metadata.json')

const member = { orgId: 'org_conformance', userId: 'usr_conformance' }

/** An upstream's credential in memory, authorized by the service's own OAuth code and a user who accepts everything. */
export function upstreamAccount({
  egress,
  url,
  given,
  clientInfo,
  grant,
}: {
  egress: Egress
  url: string
  given: ProvidedClient
  clientInfo: ServerInfo
  grant: OauthGrant
}) {
  const clock = { now: () => Date.now() }
  const { discover } = createDiscovery({ egress, requests: createRequests({ clientInfo }) })
  const { register } = createClientRegistration({ egress })
  const clients = new Map<string, RegisteredClient>()
  const pendingAuthorizations = new Map<string, PendingAuthorization>()
  let registration = registrationOf(url)
  let credential: UpstreamCredential = { headers: {}, key: '' }
  let authorizations = 0

  const tokenEndpoint = createTokenEndpoint({ egress, clock })
  const clientToken = createClientToken({ tokenEndpoint })

  const authorizer = createRemoteAuthorizations({
    pendingAuthorizations: {
      async begin(_member, handle, attempt) {
        pendingAuthorizations.set(handle, attempt)
      },
      async take(_member, handle) {
        const attempt = pendingAuthorizations.get(handle)
        if (attempt === undefined || !pendingAuthorizations.delete(handle)) throw new Error('No such authorization')
        return attempt as never
      },
    },
    clients: {
      async ofGrant(_orgId, _connector, clientId) {
        const secret = clients.get(oauthOf(registration)?.issuer ?? '')?.clientSecret ?? ''
        return clientId === null ? undefined : { id: clientId, secret, source: 'org' }
      },
    },
    tokenEndpoint,
  })

  /** Finds the authorization server and the client at it. Each issuer has its own client. */
  async function discoverOauth(): Promise<RemoteOauth> {
    const discovered = await discover(url, grant)
    const known = clients.get(discovered.issuer)
    const client = known ?? withRunnerMetadata(await register(discovered, given, { origin: CLIENT_METADATA.origin }))
    clients.set(discovered.issuer, client)
    return { ...client.oauth, scopes: discovered.scopes }
  }

  async function authorize(oauth: RemoteOauth): Promise<void> {
    if (grant === 'authorization_code') return use(await signIn(oauth))
    const secret = clients.get(oauth.issuer)?.clientSecret ?? ''
    use(await clientToken({ ...registration, oauth, secret }))
  }

  async function signIn(oauth: RemoteOauth): Promise<IssuedCredential> {
    registration = { ...registration, auth: { mode: 'oauth', oauth } }
    const { authorizationUrl } = await authorizer.begin({
      registration,
      member,
      redirectUri: LOOPBACK_REDIRECT_URI,
    })
    const { headers } = await egress.request({ method: 'GET', url: authorizationUrl })
    const { issued } = await authorizer.finish({
      member,
      callback: headers.location ?? '',
      registrationOf: async () => registration,
    })
    return issued
  }

  function use(issued: IssuedCredential): void {
    if (issued.credential.kind !== 'oauth2') throw new Error('No OAuth 2 token was issued')
    authorizations += 1
    credential = { headers: { authorization: `Bearer ${issued.credential.accessToken}` }, key: `${authorizations}` }
  }

  /** Returns what another authorization must request after a refusal; undefined if none would help. */
  async function oauthAfter(error: unknown): Promise<RemoteOauth | undefined> {
    if (!(error instanceof UpstreamError)) return undefined
    if (error.kind === 'unauthorized') return discoverOauth()
    const oauth = oauthOf(registration)
    if (error.kind !== 'insufficient_scope' || oauth === undefined) return undefined
    const scopes = await stepUpScopes(oauth.scopes, await readChallenge(error.challenge))
    return scopes && { ...oauth, scopes }
  }

  return {
    /** Sends a request with the current credential, and again after an authorization if the upstream requires one. */
    async send<T>(ask: (credential: UpstreamCredential) => Promise<T>): Promise<T> {
      for (let left = MAX_AUTHORIZATIONS; ; left--) {
        try {
          return await ask(credential)
        } catch (error) {
          const oauth = left === 0 ? undefined : await oauthAfter(error)
          if (oauth === undefined) throw error
          await authorize(oauth)
        }
      }
    },
  }
}

/** Replaces this service's metadata document with the runner's. */
function withRunnerMetadata(client: RegisteredClient): RegisteredClient {
  const own = CLIENT_METADATA.origin + CLIENT_METADATA_PATH
  return client.oauth.clientId === own
    ? { ...client, oauth: { ...client.oauth, clientId: CLIENT_METADATA.href } }
    : client
}

function oauthOf({ auth }: Registration): RemoteOauth | undefined {
  return auth.mode === 'oauth' ? auth.oauth : undefined
}

function registrationOf(upstreamUrl: string): Registration {
  return {
    id: 'rem_conformance',
    orgId: member.orgId,
    slug: 'runner',
    name: 'Runner',
    upstreamUrl,
    auth: { mode: 'none' },
    hidden: false,
    createdBy: member.userId,
    createdAt: new Date(),
    snapshotId: null,
    snapshotRefusal: null,
    refresh: 'manual',
    candidate: null,
    overrides: [],
    confirmed: null,
  }
}
