import { randomBytes } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import {
  type ConnectorAuth,
  type ConnectorDefinition,
  defineConnector,
} from '../services/definitions/define-connector.ts'

const about = { category: 'developer', icon: { monogram: 'T', color: '#333333' }, tools: [] } as const

/** A connector on a real authorization server; its user info identifies an account. */
export function oauth2Connector(
  issuer: string,
  auth: Partial<Extract<ConnectorAuth, { type: 'oauth2' }>> = {},
): ConnectorDefinition {
  return defineConnector({
    ...about,
    id: 'hub',
    name: 'Hub',
    description: 'On an authorization server.',
    baseUrl: issuer,
    auth: {
      type: 'oauth2',
      issuer,
      authorizationUrl: `${issuer}/auth`,
      tokenUrl: `${issuer}/token`,
      pkce: 'required',
      clientAuth: 'basic',
      scopes: { openid: 'Know who you are.' },
      optionalScopes: { offline_access: 'Stay connected.' },
      authorizationParams: { prompt: 'consent' },
      ...auth,
    } as Extract<ConnectorAuth, { type: 'oauth2' }>,
    identity: { request: { url: '/me' }, label: '{/sub}' },
  })
}

/** A connector whose requests are signed. */
export function oauth1Connector(origin: string): ConnectorDefinition {
  return defineConnector({
    ...about,
    id: 'board',
    name: 'Board',
    description: 'Signs its requests.',
    baseUrl: origin,
    auth: {
      type: 'oauth1a',
      requestTokenUrl: `${origin}/request`,
      authorizationUrl: `${origin}/authorize`,
      accessTokenUrl: `${origin}/access`,
      accessSummary: 'Everything that you can see.',
    },
    identity: { request: { url: '/me' }, label: '@{/username}', key: '{/id}' },
  })
}

/** A connector for pasted keys that requires a region. */
export function keyConnector(id: string, origin: string, { probe }: { probe: boolean }): ConnectorDefinition {
  return defineConnector({
    ...about,
    id,
    name: 'Vaulted',
    description: 'Takes keys.',
    baseUrl: origin,
    auth: {
      type: 'api_key',
      apiKey: { header: 'authorization', prefix: 'Bearer ', probe, hint: 'A key from the settings.' },
    },
    settings: Type.Object(
      { region: Type.Optional(Type.String({ pattern: '^[a-z]{2}$', description: 'The region of your data.' })) },
      { additionalProperties: false },
    ),
    ...(probe && { identity: { request: { url: '/user' }, label: '{/login}', key: '{/id}' } }),
  })
}

/** A connector whose site is discovered after connecting. */
export function siteConnector(origin: string): ConnectorDefinition {
  const { auth } = oauth2Connector(origin)
  return defineConnector({
    ...about,
    id: 'site',
    name: 'Site',
    description: 'Has a site.',
    baseUrl: `${origin}/{settings.site_id}`,
    auth,
    settings: Type.Object(
      { site: Type.Optional(Type.String()), site_id: Type.Optional(Type.String()) },
      { additionalProperties: false },
    ),
    discovery: {
      request: { url: `${origin}/sites` },
      items: '',
      settings: { site: '/url', site_id: '/id' },
      chosenBy: 'site',
    },
    identity: { request: { url: '/user' }, label: '{/login}' },
  })
}

/** Registers an app with a secret at an authorization server (RFC 7591). */
export async function registerApp(
  issuer: string,
  redirectUris: readonly string[],
): Promise<{ id: string; secret: string }> {
  const response = await fetch(`${issuer}/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: redirectUris,
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_basic',
    }),
  })
  const { client_id: id, client_secret: secret } = (await response.json()) as Record<string, string>
  if (id === undefined || secret === undefined) throw new Error(`The registration answered ${response.status}`)
  return { id, secret }
}

/** Returns a key in the usual form. */
export function newKey(prefix = 'sk_'): string {
  return `${prefix}${randomBytes(18).toString('base64url')}`
}
