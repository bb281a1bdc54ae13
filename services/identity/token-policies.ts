import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { JSONWebKeySet } from 'jose'
import { BadAnswer, fetchConfiguredJson } from '../../lib/egress/fetch-configured-json.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { createIssuerKeys } from './issuer-keys.ts'
import type { IssuerSettings, TokenSettings } from './issuer-settings.ts'
import type { TokenPolicy } from './jwt.ts'

interface TokenPoliciesOptions extends Pick<Infrastructure, 'clock' | 'log'> {
  /** The accepted audiences of the MCP issuer's tokens. */
  mcpResources(): readonly string[]
}

/** Creates the policies of the configured issuers: one for sessions, one for the OAuth tokens of MCP clients. */
export function createTokenPolicies(
  { session, mcp, algorithms, maxLifetimeSeconds, clockToleranceSeconds }: TokenSettings,
  { clock, log, mcpResources }: TokenPoliciesOptions,
): TokenPolicy[] {
  const of = (settings: IssuerSettings) => ({
    issuer: settings.issuer,
    algorithms,
    maxLifetimeSeconds,
    clockToleranceSeconds,
    findKey: createIssuerKeys({ issuer: settings.issuer, fetchSet: () => fetchKeySet(settings), clock, log }),
  })
  return [
    ...(session === undefined
      ? []
      : [{ ...of(session), via: 'session' as const, audiences: () => [session.audience] }]),
    ...(mcp === undefined ? [] : [{ ...of(mcp), via: 'mcp-oauth' as const, audiences: mcpResources }]),
  ]
}

const LIMITS = { deadlineMs: 5_000, maxBytes: 256 * 1024 }

/** The fields that the gateway reads of an issuer's metadata (RFC 8414, section 2; OpenID Connect Discovery, section 3). */
const IssuerMetadata = Type.Object({ issuer: Type.String(), jwks_uri: Type.String() })

/** An empty key set means an issuer outage, not a revocation of all keys. */
const KeySet = Type.Object({
  keys: Type.Array(Type.Object({ kty: Type.String() }), { minItems: 1, maxItems: 100 }),
})

/** Fetches an issuer's keys from the configured URL, or from the URL in the issuer's metadata. Throws on any failure. */
export async function fetchKeySet({ issuer, jwksUri }: IssuerSettings): Promise<JSONWebKeySet> {
  const set = await fetchConfiguredJson(jwksUri ?? (await discoverKeys(issuer)), LIMITS)
  if (!Value.Check(KeySet, set))
    throw new Error(`The key set of ${issuer} is not a JSON Web Key Set with at least one key`)
  return set as JSONWebKeySet
}

async function discoverKeys(issuer: string): Promise<string> {
  const metadata = await fetchMetadata(issuer)
  // Metadata of another issuer would lead to the keys of that issuer (RFC 8414, section 3.3).
  if (metadata.issuer !== issuer) throw new Error(`The metadata of ${issuer} names another issuer`)
  const { protocol } = new URL(metadata.jwks_uri)
  if (protocol !== 'https:' && protocol !== new URL(issuer).protocol)
    throw new Error(`The metadata of ${issuer} names a jwks_uri that is not on https`)
  return metadata.jwks_uri
}

/** Fetches the OpenID Connect document, which most issuers have, or else the OAuth one. */
async function fetchMetadata(issuer: string): Promise<Static<typeof IssuerMetadata>> {
  const [openid, oauth] = metadataUrls(issuer)
  const document = await fetchConfiguredJson(openid, LIMITS).catch(error => {
    if (error instanceof BadAnswer && error.status >= 400 && error.status < 500)
      return fetchConfiguredJson(oauth, LIMITS)
    throw error
  })
  if (!Value.Check(IssuerMetadata, document)) throw new Error(`The metadata of ${issuer} has no issuer and jwks_uri`)
  return document
}

/** OpenID Connect appends the well-known name to the issuer's path, OAuth puts it before the path (RFC 8414, section 5). */
function metadataUrls(issuer: string): [openid: string, oauth: string] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  return [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ]
}
