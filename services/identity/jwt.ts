import { decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Clock } from '../../schemas/time.ts'
import { type UserIdentity, verifiedIdentity } from './identity.ts'
import type { FindIssuerKey } from './issuer-keys.ts'
import { TokenCache } from './token-cache.ts'

/** Which bearer JWTs a route takes: those of the session issuer, or on POST /mcp those of the MCP issuer too. */
export type Audience = 'session' | 'mcp'

/** What a token of one issuer must hold, all of it (decisions.md, JWTs). */
export interface TokenPolicy {
  via: UserIdentity['via']
  /** The `iss`, to the character. */
  issuer: string
  /** What `aud` must be, or contain one of. */
  audiences(): readonly string[]
  algorithms: readonly string[]
  /** The longest time, in seconds, from its `iat` to its `exp`. */
  maxLifetimeSeconds: number
  findKey: FindIssuerKey
}

/** Who a verified token names. */
export interface TokenSubject {
  issuer: string
  subject: string
  email: string | undefined
}

export interface JwtsOptions {
  policies: readonly TokenPolicy[]
  /** The id of the user that a token's subject is; made when its first token comes. */
  userOf(subject: TokenSubject): Promise<string>
  clock: Clock
}

/** Verifies bearer JWTs: from the cache where it can. */
export interface Jwts {
  /** The bearer of a token that was verified within the last minute; without a promise, because every request asks. */
  cached(token: string, audience: Audience): UserIdentity | undefined
  /**
   * The bearer of a token, kept for a minute. Throws invalid_jwt, identity_provider_unavailable when its issuer's keys
   * cannot be had, and the database's own error when only it could tell which user he is.
   */
  verify(token: string, audience: Audience): Promise<UserIdentity>
}

const TOLERANCE_S = 5
/** What to do about a token that lives too long: the next one would as well. */
const SHORTER_LIFETIME = 'Set a shorter lifetime at its issuer, or raise JWT_MAX_LIFETIME_SECONDS.'
/** What an issuer may call a subject or a client: longer, and no index would hold it. */
const MAX_NAME = 512

export function createJwts({ policies, userOf, clock }: JwtsOptions): Jwts {
  const cache = new TokenCache(clock)

  async function check(token: string, policy: TokenPolicy): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token, policy.findKey, {
        issuer: policy.issuer,
        audience: [...policy.audiences()],
        algorithms: [...policy.algorithms],
        requiredClaims: ['exp', 'iat', 'sub'],
        clockTolerance: TOLERANCE_S,
        currentDate: new Date(clock.now()),
      })
      return payload
    } catch (error) {
      throw error instanceof GatewayError ? error : refused(reasonOf(error), policy)
    }
  }

  return {
    cached: (token, audience) => cache.get(token, audience),
    async verify(token, audience) {
      const policy = policyOf(token, audience, policies)
      const claims = await check(token, policy)
      const identity = await toIdentity(claims, policy)
      cache.keep(token, audience, identity, Number(claims.exp) * 1000)
      return identity
    },
  }

  async function toIdentity(claims: JWTPayload, policy: TokenPolicy): Promise<UserIdentity> {
    const { sub, exp, iat, cnf, email } = claims
    const fault = faultOfTimes(claims, clock.now() / 1000)
    if (fault !== undefined) throw refused(fault, policy)
    // Bounds the time that is left as well: the token was not issued in the future.
    if (Number(exp) - Number(iat) > policy.maxLifetimeSeconds)
      throw refused(`its lifetime exceeds ${policy.maxLifetimeSeconds} seconds`, policy, SHORTER_LIFETIME)
    // Bound to a key that this service does not ask for (RFC 9449, RFC 8705): as a mere bearer token it may be stolen.
    if (cnf !== undefined) throw refused('it is bound to a key of its client', policy)
    if (!isName(sub)) throw refused('its sub is no name of a user', policy)
    const clientId = policy.via === 'session' ? '' : (claims.client_id ?? claims.azp ?? '')
    if (clientId !== '' && !isName(clientId)) throw refused('its client_id is no name of a client', policy)
    // Last, because it may make him: a token that is refused makes nobody.
    const userId = await userOf({ issuer: policy.issuer, subject: sub, email: isName(email) ? email : undefined })
    return verifiedIdentity<UserIdentity>({ via: policy.via, userId, meterKey: userId, clientId })
  }
}

/** The policy of the issuer that a token says it is of; what it says has to be proved against all of the policy. */
function policyOf(token: string, audience: Audience, policies: readonly TokenPolicy[]): TokenPolicy {
  const issuer = unverifiedIssuer(token)
  const policy = policies.find(one => one.issuer === issuer)
  if (policy === undefined)
    throw new GatewayError(
      'invalid_jwt',
      policies.length === 0
        ? 'This gateway has no issuer of tokens configured. Use an API key.'
        : `This token is of no issuer that this gateway knows (${policies.map(one => one.issuer).join(', ')}). Sign in again, or use an API key.`,
    )
  if (policy.via === 'mcp-oauth' && audience !== 'mcp')
    throw new GatewayError(
      'invalid_jwt',
      'OAuth tokens of MCP clients are taken on POST /mcp alone. Use a session token.',
    )
  return policy
}

function unverifiedIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}

/** What is wrong with the times of a token, beyond what jose checks: that it has not expired and that `nbf` has passed. */
function faultOfTimes({ exp, iat, nbf = 0 }: JWTPayload, now: number): string | undefined {
  if (!isTime(exp)) return 'its exp is not a time'
  if (!isTime(iat)) return 'its iat is not a time'
  if (!isTime(nbf)) return 'its nbf is not a time'
  if (iat > now + TOLERANCE_S) return 'it was issued in the future'
  return undefined
}

/** A NumericDate (RFC 7519), which may have a fraction. JSON.parse makes Infinity of 1e400. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER
}

/** Text that is the same in the database, in a log and here: no control characters, and no half of a surrogate pair. */
function isName(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.length <= MAX_NAME &&
    value.isWellFormed() &&
    !/\p{Cc}/u.test(value)
  )
}

/** Why jose refuses a token, in words that hold nothing of it. */
function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'it has expired'
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.reason === 'missing') return `it has no ${error.claim}`
    if (error.claim === 'aud') return 'it is for another audience'
    if (error.claim === 'nbf') return 'it is not valid yet'
    return `its ${error.claim} does not hold`
  }
  if (error instanceof errors.JOSEAlgNotAllowed) return 'its algorithm is not taken here'
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'its signature does not hold'
  if (error instanceof errors.JWKSNoMatchingKey) return 'its issuer has no such key'
  if (error instanceof errors.JWKSMultipleMatchingKeys) return 'it does not say which key of its issuer has signed it'
  return 'it is not a signed token that could be read'
}

function refused(
  reason: string,
  policy: TokenPolicy,
  remedy = policy.via === 'session' ? 'Refresh the session.' : 'Sign in again.',
): GatewayError {
  return new GatewayError('invalid_jwt', `This token is refused: ${reason}. ${remedy}`)
}
