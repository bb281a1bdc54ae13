import { ConfigurationError } from '../../lib/configuration/variable.ts'
import type { ConnectorAuth, ConnectorDefinition, ProviderRequest, Revocation } from '../definitions/connector-types.ts'
import type { ConnectorOverride } from './connector-settings.ts'

/** An absolute URL. It may contain placeholders, which a URL parser would encode. */
const ABSOLUTE = /^(https?:\/\/[^/?#]+)(.*)$/i

/**
 * Applies an operator's URLs (CONNECTOR_OVERRIDES) to a definition. `base_url` also moves the definition's other
 * requests to the old base's origin; OAuth endpoints move only if they are named. Throws a ConfigurationError for a URL
 * that the connector does not use.
 */
export function applyOverrides(definition: ConnectorDefinition, override: ConnectorOverride): ConnectorDefinition {
  const { auth, baseUrl, hosts, identity, discovery } = definition
  const base = override.base_url?.replace(/\/+$/, '') ?? baseUrl
  const move = <R extends ProviderRequest>(request: R): R => ({
    ...request,
    url: moved(request.url, baseUrl, base),
  })
  const unused =
    (Object.keys(override) as (keyof ConnectorOverride)[]).find(name => !has(definition, name)) ??
    Object.keys(override.hosts ?? {}).find(name => !Object.hasOwn(hosts ?? {}, name))
  if (unused !== undefined)
    throw new ConfigurationError(
      'CONNECTOR_OVERRIDES',
      `must give ${definition.id} only URLs that it uses. It has no ${unused}`,
    )
  return Object.freeze({
    ...definition,
    baseUrl: base,
    ...(hosts && { hosts: hostsWith(hosts, override) }),
    auth: authWith(auth, override, move),
    ...(identity && { identity: { ...identity, request: move(identity.request) } }),
    ...(discovery && {
      discovery: { ...discovery, request: { ...move(discovery.request), ...urlOf(override.discovery_url) } },
    }),
  })
}

/** A host that is not named moves to the new base's origin: the old one must not receive credentials of the new one. */
function hostsWith(
  hosts: NonNullable<ConnectorDefinition['hosts']>,
  { base_url, hosts: urls = {} }: ConnectorOverride,
) {
  const [, origin] = ABSOLUTE.exec(base_url ?? '') ?? []
  return Object.fromEntries(
    Object.entries(hosts).map(([name, host]) => {
      const [, own = '', path = ''] = ABSOLUTE.exec(host.url) ?? []
      return [name, { ...host, url: urls[name]?.replace(/\/+$/, '') ?? (origin ?? own) + path }]
    }),
  )
}

function authWith(auth: ConnectorAuth, override: ConnectorOverride, move: (request: Revocation) => Revocation) {
  const { authorization_url, token_url, request_token_url, access_token_url, revocation_url, issuer } = override
  if (auth.type === 'api_key') return auth
  const revocation = auth.revocation && {
    revocation: { ...move(auth.revocation), ...urlOf(revocation_url) },
  }
  const authorizationUrl = authorization_url ?? auth.authorizationUrl
  if (auth.type === 'oauth2')
    return {
      ...auth,
      authorizationUrl,
      tokenUrl: token_url ?? auth.tokenUrl,
      ...(issuer !== undefined && { issuer }),
      ...revocation,
    }
  return {
    ...auth,
    authorizationUrl,
    requestTokenUrl: request_token_url ?? auth.requestTokenUrl,
    accessTokenUrl: access_token_url ?? auth.accessTokenUrl,
    ...revocation,
  }
}

function has({ auth, hosts, discovery }: ConnectorDefinition, name: keyof ConnectorOverride): boolean {
  switch (name) {
    case 'base_url':
      return true
    case 'hosts':
      return hosts !== undefined
    case 'discovery_url':
      return discovery !== undefined
    case 'authorization_url':
      return auth.type !== 'api_key'
    case 'revocation_url':
      return auth.type !== 'api_key' && auth.revocation !== undefined
    case 'request_token_url':
    case 'access_token_url':
      return auth.type === 'oauth1a'
    case 'token_url':
    case 'issuer':
      return auth.type === 'oauth2'
  }
}

function urlOf(url: string | undefined): { url?: string } {
  return url === undefined ? {} : { url }
}

/** Moves a URL from the old base's origin to the new base. A URL below the old base stays below the new one. */
function moved(url: string, from: string, to: string): string {
  if (from === to) return url
  const [, origin = '', rest = ''] = ABSOLUTE.exec(url) ?? []
  const [, oldOrigin = '', oldPath = ''] = ABSOLUTE.exec(from) ?? []
  const [, newOrigin = ''] = ABSOLUTE.exec(to) ?? []
  if (origin === '' || origin.toLowerCase() !== oldOrigin.toLowerCase()) return url
  const below = rest.startsWith(oldPath) && /^(?:[/?#]|$)/.test(rest.slice(oldPath.length))
  return below ? `${to}${rest.slice(oldPath.length)}` : `${newOrigin}${rest}`
}
