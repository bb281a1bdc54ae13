import { remoteCapability } from '../../schemas/remotes/names.ts'
import type { RemoteOauth } from '../../schemas/remotes/oauth-client.ts'
import { authorize } from '../connectors/engine/request/authorize.ts'
import type { Credential } from '../credentials/credential.ts'
import type { GrantConnector } from '../definitions/connector-types.ts'
import type { CredentialAuth, Registration } from './registration.ts'

/** A registered upstream of mode `oauth`, as a connector. */
interface OauthConnector extends GrantConnector {
  readonly auth: Extract<GrantConnector['auth'], { type: 'oauth2' }>
}

type Named = Pick<Registration, 'slug' | 'name'>

const HINT = 'The credential that the upstream issued.'

/** A registered upstream as a connector, so that its credential is renewed and revoked by the rules of all credentials. */
export function grantConnectorOf(registration: Named, auth: CredentialAuth): GrantConnector {
  switch (auth.mode) {
    case 'bearer':
      return keyConnector(registration, { header: 'authorization', prefix: 'Bearer ' })
    case 'header':
      return keyConnector(registration, { header: auth.headerName })
    case 'oauth':
      return signInConnectorOf(registration, auth.oauth)
    case 'client_credentials':
      return clientConnectorOf(registration, auth.oauth)
  }
}

/** A registered upstream of mode `oauth` as a connector, for its authorization. */
export function signInConnectorOf({ slug, name }: Named, oauth: RemoteOauth): OauthConnector {
  const { authorizationParams, resource, scopes, withoutResource = false } = oauth
  const scope = scopes.join(' ')
  return {
    id: remoteCapability(slug),
    name,
    auth: {
      type: 'oauth2',
      authorizationUrl: oauth.authorizationEndpoint,
      tokenUrl: oauth.tokenEndpoint,
      issuer: oauth.issuer,
      ...(!oauth.issParameter && { issOptional: true }),
      pkce: 'required',
      clientAuth: oauth.clientAuth,
      authorizationParams: { ...authorizationParams, ...(!withoutResource && { resource }) },
      tokenParams: withoutResource ? { ...(scope !== '' && { scope }) } : { resource },
      scopes: Object.fromEntries(scopes.map(scope => [scope, scope])),
    },
  }
}

/** A registered upstream of mode `client_credentials` as a connector. */
export function clientConnectorOf(registration: Named, oauth: RemoteOauth): OauthConnector {
  const { auth, ...connector } = signInConnectorOf(registration, oauth)
  return { ...connector, auth: { ...auth, grant: 'client_credentials' } }
}

function keyConnector({ slug, name }: Named, apiKey: { header: string; prefix?: string }): GrantConnector {
  return {
    id: remoteCapability(slug),
    name,
    auth: { type: 'api_key', apiKey: { ...apiKey, probe: false, hint: HINT } },
  }
}

/** Any request will do, because only signed requests need headers of their own. */
const ANY_REQUEST = { method: 'POST', url: new URL('https://upstream.invalid/') }

/** The headers that authenticate every request to a registered upstream. */
export function upstreamHeaders(connector: GrantConnector, credential: Credential): Record<string, string> {
  return authorize({ connector, credential, request: ANY_REQUEST, sign: neverSigned })
}

function neverSigned(): never {
  throw new TypeError('Upstreams do not support OAuth 1.0a')
}
