import { decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose'
import type { DatabaseEvents } from '../../lib/database/events.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { hasHidden } from '../../lib/sanitize-text.ts'
import { isEmail } from '../../schemas/primitives/email.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { AgentTokens } from './agent-tokens.ts'
import { type SignIn, type UserIdentity, verifiedIdentity } from './identity.ts'
import type { FindIssuerKey } from './issuer-keys.ts'
import { TokenCache, type TokenIdentity } from './token-cache.ts'

/** Which bearer JWTs a route accepts: those of the session issuer, and on POST /mcp also those of the MCP issuer. */
export type Audience = 'session' | 'mcp'

/** The requirements for the tokens of one issuer. */
export interface TokenPolicy {
  via: UserIdentity['via']
  /** The exact `iss`. */
  issuer: string
  /** The accepted values of `aud`. A list in `aud` must contain one of them. */
  audiences(): readonly string[]
  algorithms: readonly string[]
  /** The maximum time from `iat` to `exp`, in seconds. */
  maxLifetimeSeconds: number
  /** How far the issuer's clock may differ from ours, in seconds: for `exp`, `iat` and `nbf`. */
  clockToleranceSeconds: number
  findKey: FindIssuerKey
}

/** The user that a verified token names. */
export interface TokenSubject extends SignIn {
  email: string | undefined
}

export interface JwtsOptions extends Pick<Infrastructure, 'clock'> {
  policies: readonly TokenPolicy[]
  /** The id of the user with this subject. Creates the user on their first token, and their memberships by its claims. */
  userOf(subject: TokenSubject, claims: Readonly<Record<string, unknown>>): Promise<string>
  /** The agents with own tokens. Their subjects never become users. */
  agents: AgentTokens
  events: Pick<DatabaseEvents, 'on'>
}

/** Verifies bearer JWTs, from the cache if possible. */
export interface Jwts {
  /**
   * The user or agent of a token that was verified within the last minute; an agent as of the last 10 s. Synchronous,
   * because every request needs it.
   */
  cached(token: string, audience: Audience): TokenIdentity | undefined
  /**
   * The user or agent of a token; cached for a minute. Throws invalid_jwt, identity_provider_unavailable if the issuer's keys are
   * unavailable, and the error of the database if it is unreachable and the user is not cached.
   */
  verify(token: string, audience: Audience): Promise<TokenIdentity>
}

/** Verifies a token without looking up or creating whom it names. Throws as `Jwts.verify`. */
export type SubjectOf = (token: string) => Promise<SignIn>

/** The remedy for a token with too long a lifetime: the next token of the issuer would have the same. */
const SHORTER_LIFETIME = 'Configure a shorter lifetime at its issuer, or increase JWT_MAX_LIFETIME_SECONDS.'
/** The maximum length of a subject or client id. A database index cannot hold longer ones. */
const MAX_NAME = 512

export function createJwts({ policies, userOf, agents, clock, events }: JwtsOptions): Jwts & { subjectOf: SubjectOf } {
  const cache = new TokenCache(clock, events)

  async function check(token: string, policy: TokenPolicy): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token, policy.findKey, {
        issuer: policy.issuer,
        audience: [...policy.audiences()],
        algorithms: [...policy.algorithms],
        requiredClaims: ['exp', 'iat', 'sub'],
        clockTolerance: policy.clockToleranceSeconds,
        currentDate: new Date(clock.now()),
      })
      return payload
    } catch (error) {
      throw error instanceof GatewayError ? error : refused(reasonOf(error), policy)
    }
  }

  return {
    cached(token, audience) {
      const identity = cache.get(token, audience)
      return identity?.via === 'agent-token' ? agents.cached(identity.signIn) : identity
    },
    async verify(token, audience) {
      const policy = policyOf(token, audience, policies)
      const claims = await check(token, policy)
      const identity = await toIdentity(claims, policy)
      cache.keep(token, audience, identity, Number(claims.exp) * 1000)
      return identity
    },
    async subjectOf(token) {
      const policy = policyOf(token, 'mcp', policies)
      return signInOf(await check(token, policy), policy)
    },
  }

  /** The issuer and subject of verified claims. Throws invalid_jwt if the token may not be used. */
  function signInOf(claims: JWTPayload, policy: TokenPolicy): SignIn {
    const { sub, exp, iat, cnf } = claims
    const fault = faultOfTimes(claims, clock.now() / 1000 + policy.clockToleranceSeconds)
    if (fault !== undefined) throw refused(fault, policy)
    // This also limits the remaining lifetime, because the token was not issued in the future.
    if (Number(exp) - Number(iat) > policy.maxLifetimeSeconds)
      throw refused(`its lifetime exceeds ${policy.maxLifetimeSeconds} seconds`, policy, SHORTER_LIFETIME)
    // The token is bound to a key that this service does not verify (RFC 9449, RFC 8705). Without that check, the token
    // may be stolen.
    if (cnf !== undefined)
      throw refused('it is bound to a key of its client, which this gateway does not verify', policy)
    if (!isName(sub)) throw refused('its sub is not a valid user identifier', policy)
    return { issuer: policy.issuer, subject: sub }
  }

  async function toIdentity(claims: JWTPayload, policy: TokenPolicy): Promise<TokenIdentity> {
    const signIn = signInOf(claims, policy)
    const clientId = policy.via === 'session' ? '' : (claims.client_id ?? claims.azp ?? '')
    if (clientId !== '' && !isName(clientId)) throw refused('its client_id is not a valid client identifier', policy)
    const agent = await agents.of(signIn)
    if (agent !== undefined) return agent
    // Runs last because it may create the user. A rejected token must not create one.
    const email = emailOf(claims)
    const userId = await userOf({ ...signIn, email }, claims)
    const verifiedEmail = claims.email_verified === true ? email : undefined
    return verifiedIdentity<UserIdentity>({
      via: policy.via,
      userId,
      meterKey: userId,
      clientId,
      ...(verifiedEmail !== undefined && { verifiedEmail }),
    })
  }
}

/** The policy of the issuer that a token claims. The claim is verified later, against the whole policy. */
function policyOf(token: string, audience: Audience, policies: readonly TokenPolicy[]): TokenPolicy {
  const issuer = unverifiedIssuer(token)
  const policy = policies.find(one => one.issuer === issuer)
  if (policy === undefined)
    throw new GatewayError(
      'invalid_jwt',
      policies.length === 0
        ? 'No token issuer is configured on this gateway. Use an API key.'
        : `The issuer of this token is unknown to this gateway, which accepts ${policies.map(one => one.issuer).join(', ')}. Sign in again, or use an API key.`,
    )
  if (policy.via === 'mcp-oauth' && audience !== 'mcp')
    throw new GatewayError(
      'invalid_jwt',
      'OAuth tokens of MCP clients are accepted only on POST /mcp. Use a session token.',
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

/**
 * The fault in the times of a token; `latest` is the latest time that its issuer's clock may show. jose checks only that
 * `exp` is in the future and `nbf` in the past.
 */
function faultOfTimes({ exp, iat, nbf = 0 }: JWTPayload, latest: number): string | undefined {
  if (!isTime(exp)) return 'its exp is not a time'
  if (!isTime(iat)) return 'its iat is not a time'
  if (!isTime(nbf)) return 'its nbf is not a time'
  if (iat > latest) return 'it was issued in the future'
  return undefined
}

/** Whether a value is a NumericDate (RFC 7519), which may have a fraction. JSON.parse turns 1e400 into Infinity. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER
}

/** Whether text survives storage and logging unchanged: no control characters, no lone surrogates. */
function isName(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.length <= MAX_NAME &&
    value.isWellFormed() &&
    !/\p{Cc}/u.test(value)
  )
}

/**
 * The email of a token; undefined if its issuer says that it is not verified, or if it is not in the form of an email.
 * Admins and their models read it as the name of the user, who may have chosen it.
 */
function emailOf({ email, email_verified: verified }: JWTPayload): string | undefined {
  if (verified === false || verified === 'false' || !isName(email) || hasHidden(email)) return undefined
  return isEmail(email) ? email : undefined
}

/** Why jose rejects a token, in words that contain nothing of the token. */
function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'it has expired'
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.reason === 'missing') return `it has no ${error.claim}`
    if (error.claim === 'aud') return 'it is for another audience'
    if (error.claim === 'nbf') return 'it is not valid yet'
    return `its ${error.claim} is invalid`
  }
  if (error instanceof errors.JOSEAlgNotAllowed) return 'its algorithm is not accepted here'
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'its signature is invalid'
  if (error instanceof errors.JWKSNoMatchingKey) return 'its issuer has no such key'
  if (error instanceof errors.JWKSMultipleMatchingKeys)
    return 'it does not name the key that signed it, and several keys match'
  return 'it is not a readable signed token'
}

function refused(
  reason: string,
  policy: TokenPolicy,
  remedy = policy.via === 'session' ? 'Refresh the session.' : 'Sign in again.',
): GatewayError {
  return new GatewayError('invalid_jwt', `Invalid token: ${reason}. ${remedy}`)
}
