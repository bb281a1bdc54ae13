import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { JSONWebKeySet } from 'jose'
import type { IssuerSettings, TokenSettings } from '../../lib/configuration/issuers.ts'
import { BadAnswer, fetchConfiguredJson } from '../../lib/egress/fetch-configured-json.ts'
import type { Logger } from '../../schemas/log.ts'
import type { Clock } from '../../schemas/time.ts'
import { createIssuerKeys } from './issuer-keys.ts'
import type { TokenPolicy } from './jwt.ts'

export interface TokenPoliciesOptions {
  clock: Clock
  log: Logger
  /** What a token of the MCP issuer may be for. */
  mcpResources(): readonly string[]
}

/** The policies of the configured issuers: one for sessions, one for the OAuth tokens of MCP clients (decisions.md, JWTs). */
export function createTokenPolicies(
  { session, mcp, algorithms, maxLifetimeSeconds }: TokenSettings,
  { clock, log, mcpResources }: TokenPoliciesOptions,
): TokenPolicy[] {
  const of = (settings: IssuerSettings) => ({
    issuer: settings.issuer,
    algorithms,
    maxLifetimeSeconds,
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

/** What is read of an issuer's metadata (RFC 8414, section 2; OpenID Connect Discovery, section 3). */
const IssuerMetadata = Type.Object({ issuer: Type.String(), jwks_uri: Type.String() })

/** An empty set is an issuer in trouble: nobody takes back all keys and means it. */
const KeySet = Type.Object({
  keys: Type.Array(Type.Object({ kty: Type.String() }), { minItems: 1, maxItems: 100 }),
})

/** Fetches an issuer's keys, from where it is configured or from where its metadata says. Throws when they cannot be had. */
export async function fetchKeySet({ issuer, jwksUri }: IssuerSettings): Promise<JSONWebKeySet> {
  const set = await fetchConfiguredJson(jwksUri ?? (await discoverKeys(issuer)), LIMITS)
  if (!Value.Check(KeySet, set)) throw new Error(`The keys of ${issuer} are no JSON Web Key Set with a key in it`)
  return set as JSONWebKeySet
}

async function discoverKeys(issuer: string): Promise<string> {
  const metadata = await fetchMetadata(issuer)
  // Another issuer's document would bring another issuer's keys (RFC 8414, section 3.3).
  if (metadata.issuer !== issuer) throw new Error(`The metadata of ${issuer} names another issuer`)
  const { protocol } = new URL(metadata.jwks_uri)
  if (protocol !== 'https:' && protocol !== new URL(issuer).protocol)
    throw new Error(`The metadata of ${issuer} names keys that are not on https`)
  return metadata.jwks_uri
}

/** The document of OpenID Connect, which most issuers have, or else that of OAuth. */
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

/** One well-known name is appended to the issuer's path, the other stands before it (RFC 8414, section 5). */
function metadataUrls(issuer: string): [openid: string, oauth: string] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  return [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ]
}
