import type { ClientMetadata } from '../../../schemas/remotes/oauth-client.ts'

/** The path of this gateway's client metadata document. */
export const CLIENT_METADATA_PATH = '/.well-known/oauth-client-metadata'

/** The redirect URI of the operator's command, which waits there for the browser. */
export const LOOPBACK_REDIRECT_URI = 'http://127.0.0.1:8976/callback'

/** The supported client authentication methods, the best first, with the names of RFC 7591. */
export const AUTH_METHODS = { basic: 'client_secret_basic', post: 'client_secret_post', none: 'none' } as const

export type ClientAuth = keyof typeof AUTH_METHODS

/** The method with a name of RFC 7591; undefined if it is not supported. */
export function clientAuthOf(method: unknown): ClientAuth | undefined {
  return (Object.keys(AUTH_METHODS) as ClientAuth[]).find(auth => AUTH_METHODS[auth] === method)
}

/** The redirect URIs of this gateway: of the operator's command and, if there is one, of the dashboard. */
export function redirectUris(dashboardUrl: string | undefined): readonly string[] {
  return [LOOPBACK_REDIRECT_URI, ...(dashboardUrl === undefined ? [] : [`${dashboardUrl}/connect/callback`])]
}

/** Whether a browser may be sent to this URI after a sign-in: on the loopback any port may wait (RFC 8252, section 7.3). */
export function isRedirectUri(uri: string, dashboardUrl: string | undefined): boolean {
  if (redirectUris(dashboardUrl).includes(uri)) return true
  const url = URL.parse(uri)
  return url?.protocol === 'http:' && url.hostname === '127.0.0.1' && url.username === '' && url.password === ''
}

/** The metadata of this gateway as an OAuth client with an authentication method. */
export function clientMetadata(
  dashboardUrl: string | undefined,
  authMethod: ClientMetadata['token_endpoint_auth_method'] = 'none',
): ClientMetadata {
  return {
    client_name: 'Connector Gateway',
    redirect_uris: [...redirectUris(dashboardUrl)],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: authMethod,
    application_type: 'native',
  }
}
