import type { Config } from '../../schemas/config.ts'
import { computeAll, once } from './faults.ts'
import { isLoopback } from './network.ts'
import { ConfigurationError, mustBe, splitList } from './variable.ts'

/** A token issuer; tokens must have exactly this `iss`. */
export interface IssuerSettings {
  readonly issuer: string
  /** The URL of its keys; discovered from its metadata when undefined. */
  readonly jwksUri: string | undefined
}

/** The accepted issuers and signatures. */
export interface TokenSettings {
  /** The issuer of user sessions; undefined: no session callers. */
  readonly session: (IssuerSettings & { readonly audience: string }) | undefined
  /** The issuer of MCP clients' OAuth tokens, and the scopes that clients request; undefined: none are accepted. */
  readonly mcp: (IssuerSettings & { readonly scopes: readonly string[] }) | undefined
  /** Whether equal subjects of both issuers are the same user. */
  readonly shareSubjects: boolean
  readonly algorithms: readonly string[]
  /** The maximum time from `iat` to `exp` in seconds. */
  readonly maxLifetimeSeconds: number
}

/** Asymmetric signatures only: with a shared secret, everyone who can verify a token can create one. */
const ASYMMETRIC = /^(?:RS|PS|ES)(?:256|384|512)$|^EdDSA$|^Ed25519$/

/** A scope (RFC 6749, appendix A.4), but without commas: all other lists have commas between items. */
const SCOPE = /^[!#-+\--[\]-~]+$/

/**
 * Parses the issuers. Throws InvalidConfiguration for issuers that could be confused, and for settings that would
 * accept any token.
 */
export function parseIssuers(config: Config): TokenSettings {
  const session = once(() => issuerOf(config, 'SESSION_ISSUER', 'SESSION_JWKS_URI'))
  const mcp = once(() => issuerOf(config, 'MCP_ISSUER', 'MCP_JWKS_URI'))
  return computeAll({
    session: () => sessionOf(config, session),
    mcp: () => mcpOf(config, session, mcp),
    shareSubjects: () => config.ISSUERS_SHARE_SUBJECTS ?? haveOneOrigin(session(), mcp()),
    algorithms: () => algorithmsOf(config.JWT_ALGORITHMS),
    maxLifetimeSeconds: () => config.JWT_MAX_LIFETIME_SECONDS,
  })
}

/** The session's issuer and audience, of which each needs the other. */
function sessionOf(config: Config, issuer: () => IssuerSettings | undefined): TokenSettings['session'] {
  const { session, audience } = computeAll({
    session: issuer,
    audience() {
      const { SESSION_ISSUER, SESSION_AUDIENCE } = config
      if ((SESSION_ISSUER === undefined) === (SESSION_AUDIENCE === undefined)) return SESSION_AUDIENCE
      throw new ConfigurationError(
        'SESSION_AUDIENCE',
        'must be set together with SESSION_ISSUER; it is the audience of its tokens',
      )
    },
  })
  return session && audience !== undefined ? { ...session, audience } : undefined
}

function mcpOf(
  config: Config,
  session: () => IssuerSettings | undefined,
  issuer: () => IssuerSettings | undefined,
): TokenSettings['mcp'] {
  const { mcp, scopes } = computeAll({ mcp: () => otherThan(session, issuer()), scopes: () => scopesOf(config) })
  return mcp && { ...mcp, scopes }
}

function scopesOf({ MCP_SCOPES, MCP_ISSUER }: Config): readonly string[] {
  if (MCP_SCOPES === undefined) return []
  const scopes = MCP_SCOPES.split(/ +/)
  if (!scopes.every(scope => SCOPE.test(scope)) || new Set(scopes).size < scopes.length) throw mustBe('MCP_SCOPES')
  if (MCP_ISSUER === undefined) throw new ConfigurationError('MCP_SCOPES', 'must be set together with MCP_ISSUER')
  return scopes
}

function otherThan(
  session: () => IssuerSettings | undefined,
  mcp: IssuerSettings | undefined,
): IssuerSettings | undefined {
  if (mcp === undefined) return undefined
  const other = session()
  if (other !== undefined && sameIssuer(other.issuer, mcp.issuer))
    throw new ConfigurationError('MCP_ISSUER', 'must differ from SESSION_ISSUER')
  return mcp
}

/** The issuers whose tokens are accepted. */
export function issuersOf({ session, mcp }: TokenSettings): readonly string[] {
  return [session, mcp].flatMap(settings => settings?.issuer ?? [])
}

/** The issuers whose equal subjects are the same user. */
export function sharedIssuersOf({ session, mcp, shareSubjects }: TokenSettings): readonly string[] {
  return shareSubjects && session !== undefined && mcp !== undefined ? [session.issuer, mcp.issuer] : []
}

function issuerOf(
  config: Config,
  variable: 'SESSION_ISSUER' | 'MCP_ISSUER',
  keys: 'SESSION_JWKS_URI' | 'MCP_JWKS_URI',
): IssuerSettings | undefined {
  const { issuer, jwksUri } = computeAll({
    issuer() {
      const issuer = config[variable]
      if (issuer === undefined) return undefined
      if (!isIssuerUrl(issuer, config) || new URL(issuer).search !== '') throw mustBe(variable)
      return issuer
    },
    jwksUri() {
      const jwksUri = config[keys]
      if (jwksUri === undefined) return undefined
      if (!isIssuerUrl(jwksUri, config)) throw mustBe(keys)
      if (config[variable] === undefined) throw new ConfigurationError(keys, `must be set together with ${variable}`)
      return jwksUri
    },
  })
  return issuer === undefined ? undefined : { issuer, jwksUri }
}

/**
 * Whether keys may be fetched from this URL: over http an attacker could replace them, so http is limited to loopback
 * and development.
 */
function isIssuerUrl(text: string, config: Config): boolean {
  const url = URL.parse(text)
  if (url === null || url.hash !== '' || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:') return true
  return url.protocol === 'http:' && (isLoopback(url.hostname) || config.GATEWAY_ENV === 'development')
}

/** Ignores a trailing slash: it makes a different issuer, but nobody means both. */
function sameIssuer(one: string, other: string): boolean {
  return new URL(one).href.replace(/\/$/, '') === new URL(other).href.replace(/\/$/, '')
}

function haveOneOrigin(one: IssuerSettings | undefined, other: IssuerSettings | undefined): boolean {
  return one !== undefined && other !== undefined && new URL(one.issuer).origin === new URL(other.issuer).origin
}

function algorithmsOf(list: string): readonly string[] {
  const algorithms = splitList(list)
  if (algorithms.length === 0 || !algorithms.every(name => ASYMMETRIC.test(name))) throw mustBe('JWT_ALGORITHMS')
  return algorithms
}
