import { Type } from '@sinclair/typebox'
import { isDevelopment } from '../../lib/configuration/environment.ts'
import { computeAll, once } from '../../lib/configuration/faults.ts'
import { isLoopback } from '../../lib/configuration/network.ts'
import { type Reading, settingOf } from '../../lib/configuration/setting.ts'
import {
  ConfigurationError,
  mustBe,
  mustBeSetWith,
  splitList,
  type Variable,
  variable,
} from '../../lib/configuration/variable.ts'

const ISSUER = 'the URL in the iss of its tokens, without a query; https except for loopback and development'
const KEYS = 'the URL of a JSON Web Key Set; https except for loopback and development'

export const SESSION_ISSUER = variable('SESSION_ISSUER', Type.Optional(Type.String({ description: ISSUER })), {
  doc: 'the issuer of user sessions: the `iss` of its tokens. Set it together with `SESSION_AUDIENCE`',
  unset: 'none: no session callers',
})

const SESSION_AUDIENCE = variable(
  'SESSION_AUDIENCE',
  Type.Optional(Type.String({ description: 'the audience of session tokens' })),
  { doc: 'the `aud` of its tokens' },
)

const SESSION_JWKS_URI = variable('SESSION_JWKS_URI', Type.Optional(Type.String({ description: KEYS })), {
  doc: 'the URL of its keys',
  unset: 'discovered from the issuer (OpenID Connect discovery, RFC 8414)',
})

const MCP_ISSUER = variable('MCP_ISSUER', Type.Optional(Type.String({ description: ISSUER })), {
  doc: 'the authorization server in the metadata document. Its tokens are for `<public origin>/mcp`. Write it exactly as in `iss`. It must differ from `SESSION_ISSUER`, so that each token falls under one policy',
  unset:
    'in development [the dashboard](identity.md#sign-in-in-development); elsewhere none: no OAuth tokens of MCP clients',
})

const MCP_JWKS_URI = variable('MCP_JWKS_URI', Type.Optional(Type.String({ description: KEYS })), {
  doc: 'the URL of its keys',
  unset: 'discovered from the issuer',
})

const MCP_SCOPES = variable(
  'MCP_SCOPES',
  Type.Optional(
    Type.String({ description: 'a space-separated list of OAuth scopes, each once, without commas, quotes and "\\"' }),
  ),
  {
    doc: 'the scopes that MCP clients request there, with spaces between them: `scopes_supported` of the metadata document, and `scope` in `WWW-Authenticate`. Needs `MCP_ISSUER`',
    unset: "none: the authorization server's default",
  },
)

const ISSUERS_SHARE_SUBJECTS = variable(
  'ISSUERS_SHARE_SUBJECTS',
  Type.Optional(Type.Boolean({ description: 'true or false' })),
  {
    doc: 'whether the same `sub` at both issuers is the same user',
    unset: 'true if both issuers have the same origin',
  },
)

const JWT_ALGORITHMS = variable(
  'JWT_ALGORITHMS',
  Type.String({
    default: 'RS256,ES256,EdDSA',
    description: 'a comma-separated list of asymmetric signature algorithms, such as RS256, ES256 or EdDSA',
  }),
  { doc: 'accepted signature algorithms, only asymmetric ones' },
)

const JWT_MAX_LIFETIME_SECONDS = variable(
  'JWT_MAX_LIFETIME_SECONDS',
  Type.Integer({
    default: 86_400,
    minimum: 60,
    maximum: 31_536_000,
    description: 'a whole number of seconds, from 60 to 31536000',
  }),
  {
    doc: 'the longest accepted lifetime of a JWT, from its `iat` to its `exp`; 60 to 31536000',
    unset: '`86400` (24 h)',
  },
)

const JWT_CLOCK_TOLERANCE_SECONDS = variable(
  'JWT_CLOCK_TOLERANCE_SECONDS',
  Type.Integer({
    default: 30,
    minimum: 0,
    maximum: 300,
    description: 'a whole number of seconds, from 0 to 300',
  }),
  {
    doc: 'how far the clock of an issuer may differ from that of the gateway: `exp` may be that long ago, `iat` and `nbf` that far ahead; 0 to 300',
  },
)

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
  /** How far an issuer's clock may differ from ours, in seconds. */
  readonly clockToleranceSeconds: number
}

/** Asymmetric signatures only: with a shared secret, everyone who can verify a token can create one. */
const ASYMMETRIC = /^(?:RS|PS|ES)(?:256|384|512)$|^EdDSA$|^Ed25519$/

/** A scope (RFC 6749, appendix A.4), but without commas: all other lists have commas between items. */
const SCOPE = /^[!#-+\--[\]-~]+$/

/** The accepted tokens besides API keys. */
export const tokens = settingOf(
  [
    SESSION_ISSUER,
    SESSION_AUDIENCE,
    SESSION_JWKS_URI,
    MCP_ISSUER,
    MCP_JWKS_URI,
    MCP_SCOPES,
    ISSUERS_SHARE_SUBJECTS,
    JWT_ALGORITHMS,
    JWT_MAX_LIFETIME_SECONDS,
    JWT_CLOCK_TOLERANCE_SECONDS,
  ],
  parseIssuers,
)

/**
 * Parses the issuers. Throws InvalidConfiguration for issuers that could be confused, and for settings that would
 * accept any token.
 */
function parseIssuers(reading: Reading): TokenSettings {
  const { read } = reading
  const session = once(() => issuerOf(reading, SESSION_ISSUER, SESSION_JWKS_URI))
  const mcp = once(() => issuerOf(reading, MCP_ISSUER, MCP_JWKS_URI))
  return computeAll({
    session: () => sessionOf(reading, session),
    mcp: () => mcpOf(reading, session, mcp),
    shareSubjects: () => read(ISSUERS_SHARE_SUBJECTS) ?? haveOneOrigin(session(), mcp()),
    algorithms: () => algorithmsOf(read(JWT_ALGORITHMS)),
    maxLifetimeSeconds: () => read(JWT_MAX_LIFETIME_SECONDS),
    clockToleranceSeconds: () => read(JWT_CLOCK_TOLERANCE_SECONDS),
  })
}

/** The session's issuer and audience, of which each needs the other. */
function sessionOf({ read }: Reading, issuer: () => IssuerSettings | undefined): TokenSettings['session'] {
  const { session, audience } = computeAll({
    session: issuer,
    audience() {
      const audience = read(SESSION_AUDIENCE)
      if ((read(SESSION_ISSUER) === undefined) === (audience === undefined)) return audience
      throw new ConfigurationError(
        'SESSION_AUDIENCE',
        'must be set together with SESSION_ISSUER; it is the audience of its tokens',
      )
    },
  })
  return session && audience !== undefined ? { ...session, audience } : undefined
}

function mcpOf(
  reading: Reading,
  session: () => IssuerSettings | undefined,
  issuer: () => IssuerSettings | undefined,
): TokenSettings['mcp'] {
  const { mcp, scopes } = computeAll({ mcp: () => otherThan(session, issuer()), scopes: () => scopesOf(reading) })
  return mcp && { ...mcp, scopes }
}

function scopesOf({ read }: Reading): readonly string[] {
  const list = read(MCP_SCOPES)
  if (list === undefined) return []
  const scopes = list.split(/ +/)
  if (!scopes.every(scope => SCOPE.test(scope)) || new Set(scopes).size < scopes.length) throw mustBe(MCP_SCOPES)
  if (read(MCP_ISSUER) === undefined) throw mustBeSetWith(MCP_SCOPES, MCP_ISSUER)
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
  reading: Reading,
  source: Variable<string | undefined>,
  keys: Variable<string | undefined>,
): IssuerSettings | undefined {
  const { issuer, jwksUri } = computeAll({
    issuer() {
      const issuer = reading.read(source)
      if (issuer === undefined) return undefined
      if (!isIssuerUrl(issuer, reading) || new URL(issuer).search !== '') throw mustBe(source)
      return issuer
    },
    jwksUri() {
      const jwksUri = reading.read(keys)
      if (jwksUri === undefined) return undefined
      if (!isIssuerUrl(jwksUri, reading)) throw mustBe(keys)
      if (reading.read(source) === undefined) throw mustBeSetWith(keys, source)
      return jwksUri
    },
  })
  return issuer === undefined ? undefined : { issuer, jwksUri }
}

/**
 * Whether keys may be fetched from this URL: over http an attacker could replace them, so http is limited to loopback
 * and development.
 */
function isIssuerUrl(text: string, reading: Reading): boolean {
  const url = URL.parse(text)
  if (url === null || url.hash !== '' || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:') return true
  return url.protocol === 'http:' && (isLoopback(url.hostname) || isDevelopment(reading))
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
  if (algorithms.length === 0 || !algorithms.every(name => ASYMMETRIC.test(name))) throw mustBe(JWT_ALGORITHMS)
  return algorithms
}
