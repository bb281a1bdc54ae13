import type { RemoteOauth } from '../../schemas/oauth-client.ts'
import { remoteCapability } from '../../schemas/remote-names.ts'
import type { GrantConnector } from '../definitions/define-connector.ts'
import type { CredentialAuth, Registration } from './registration.ts'

/** A registered upstream whose authorization server hands out tokens, as the keeping of credentials sees connectors. */
interface SignInConnector extends GrantConnector {
  readonly auth: Extract<GrantConnector['auth'], { type: 'oauth2' }>
}

const HINT = 'What the upstream gave you.'

/**
 * A registered upstream as the keeping of credentials sees connectors: so that its tokens are renewed, put off and given
 * up by the same rules.
 */
export function grantConnectorOf(registration: Named, auth: CredentialAuth): GrantConnector {
  switch (auth.mode) {
    case 'bearer':
      return keyConnector(registration, { header: 'authorization', prefix: 'Bearer ' })
    case 'header':
      return keyConnector(registration, { header: auth.headerName })
    case 'oauth':
      return signInConnectorOf(registration, auth.oauth)
  }
}

/** The same for one of mode `oauth`, which can be signed in to. */
export function signInConnectorOf({ slug, name }: Named, oauth: RemoteOauth): SignInConnector {
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
      authorizationParams: { resource: oauth.resource },
      tokenParams: { resource: oauth.resource },
      scopes: Object.fromEntries(oauth.scopes.map(scope => [scope, scope])),
    },
  }
}

type Named = Pick<Registration, 'slug' | 'name'>

function keyConnector({ slug, name }: Named, apiKey: { header: string; prefix?: string }): GrantConnector {
  return {
    id: remoteCapability(slug),
    name,
    auth: { type: 'api_key', apiKey: { ...apiKey, probe: false, hint: HINT } },
  }
}
