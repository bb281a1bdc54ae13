import { jwtVerify } from 'jose'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { TokenPolicy } from './jwt.ts'

/** How old a logout token may be: it is sent at once. */
const MAX_AGE_S = 120
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** Whose sessions an issuer ended: of one session there (`sid`), else all of a user. */
interface EndedAtIssuer {
  issuer: string
  session: string | undefined
  subject: string | undefined
  /** The ID of the token, which works once. */
  tokenId: string
}

/** Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6). Throws invalid_request. */
export type VerifyLogoutToken = (token: string) => Promise<EndedAtIssuer>

/** Creates the verifier of the logout tokens of an issuer, for the audience of its policy. */
export function createLogoutTokens(policy: TokenPolicy, { clock }: Pick<Infrastructure, 'clock'>): VerifyLogoutToken {
  return async function verifyLogoutToken(token) {
    const { payload, protectedHeader } = await jwtVerify(token, policy.findKey, {
      issuer: policy.issuer,
      audience: [...policy.audiences()],
      algorithms: [...policy.algorithms],
      requiredClaims: ['iat', 'jti'],
      maxTokenAge: MAX_AGE_S,
      clockTolerance: policy.clockToleranceSeconds,
      currentDate: new Date(clock.now()),
    }).catch((cause: unknown) => {
      if (cause instanceof GatewayError) throw cause
      throw invalid('is not a valid token of the issuer for this client', cause)
    })
    const { typ } = protectedHeader
    const { events, nonce, sid, sub, jti = '' } = payload
    if (typ !== undefined && typ.toLowerCase() !== 'logout+jwt' && typ.toUpperCase() !== 'JWT')
      throw invalid(`has the type ${typ.slice(0, 40)}`)
    if (nonce !== undefined) throw invalid('has a nonce, like an ID token')
    if (typeof events !== 'object' || events === null || !(EVENT in events)) throw invalid('names no logout event')
    const [session, subject] = [textOf(sid), textOf(sub)]
    if (session === undefined && subject === undefined) throw invalid('names neither a session nor a subject')
    return { issuer: policy.issuer, session, subject, tokenId: jti }
  }
}

function textOf(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim !== '' && claim.length <= 512 ? claim : undefined
}

function invalid(why: string, cause?: unknown): GatewayError {
  return new GatewayError('invalid_request', `The logout token ${why}.`, { cause })
}
