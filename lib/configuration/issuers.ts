import type { Config } from '../../schemas/config.ts'
import { isLoopback } from './network.ts'
import { ConfigurationError, mustBe, splitList } from './variable.ts'

/** An issuer of tokens whose `iss` this is, to the character. */
export interface IssuerSettings {
  readonly issuer: string
  /** Where its keys are; found from its metadata when undefined. */
  readonly jwksUri: string | undefined
}

/** Whose tokens are taken, and how they may be signed. */
export interface TokenSettings {
  /** Issues the sessions of users; undefined: no session callers. */
  readonly session: (IssuerSettings & { readonly audience: string }) | undefined
  /** Issues the OAuth tokens of MCP clients; undefined: none are taken. */
  readonly mcp: IssuerSettings | undefined
  /** Whether one subject is one user at both issuers. */
  readonly shareSubjects: boolean
  readonly algorithms: readonly string[]
  /** The longest time, in seconds, from the `iat` of a token to its `exp`. */
  readonly maxLifetimeSeconds: number
}

/** Signatures by a private key. A shared secret would let whoever can check a token make one. */
const ASYMMETRIC = /^(?:RS|PS|ES)(?:256|384|512)$|^EdDSA$|^Ed25519$/

/** The issuers of a configuration; throws a ConfigurationError for a pair that could be confused or would take anybody's token. */
export function parseIssuers(config: Config, development: boolean): TokenSettings {
  const { SESSION_AUDIENCE, ISSUERS_SHARE_SUBJECTS } = config
  const session = issuerOf(config, 'SESSION_ISSUER', 'SESSION_JWKS_URI', development)
  const mcp = issuerOf(config, 'MCP_ISSUER', 'MCP_JWKS_URI', development)
  if ((session === undefined) !== (SESSION_AUDIENCE === undefined))
    throw new ConfigurationError(
      'SESSION_AUDIENCE',
      'must stand beside a SESSION_ISSUER, and name what its tokens are for',
    )
  if (session !== undefined && mcp !== undefined && sameIssuer(session.issuer, mcp.issuer))
    throw new ConfigurationError('MCP_ISSUER', 'must be another issuer than SESSION_ISSUER')
  return {
    session: session && SESSION_AUDIENCE !== undefined ? { ...session, audience: SESSION_AUDIENCE } : undefined,
    mcp,
    shareSubjects: ISSUERS_SHARE_SUBJECTS ?? haveOneOrigin(session, mcp),
    algorithms: algorithmsOf(config.JWT_ALGORITHMS),
    maxLifetimeSeconds: config.JWT_MAX_LIFETIME_SECONDS,
  }
}

/** The issuers at which one subject is one user. */
export function sharedIssuersOf({ session, mcp, shareSubjects }: TokenSettings): readonly string[] {
  return shareSubjects && session !== undefined && mcp !== undefined ? [session.issuer, mcp.issuer] : []
}

function issuerOf(
  config: Config,
  variable: 'SESSION_ISSUER' | 'MCP_ISSUER',
  keys: 'SESSION_JWKS_URI' | 'MCP_JWKS_URI',
  development: boolean,
): IssuerSettings | undefined {
  const issuer = config[variable]
  const jwksUri = config[keys]
  if (jwksUri !== undefined && !isIssuerUrl(jwksUri, development)) throw mustBe(keys)
  if (issuer === undefined) {
    if (jwksUri !== undefined) throw new ConfigurationError(keys, `must stand beside a ${variable}`)
    return undefined
  }
  if (!isIssuerUrl(issuer, development) || new URL(issuer).search !== '') throw mustBe(variable)
  return { issuer, jwksUri }
}

/** Whether keys may be fetched from here: over http they could be anybody's, but for this machine and in development. */
function isIssuerUrl(text: string, development: boolean): boolean {
  const url = URL.parse(text)
  if (url === null || url.hash !== '' || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && (development || isLoopback(url.hostname)))
}

/** A trailing slash makes another issuer of it, but nobody who writes both means two. */
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
