import {
  allowInsecureRequests,
  customFetch,
  protectedResourceRequest,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi'
import { scopesIn } from './published.ts'

/** What a protected resource says of the authorization that it wants (RFC 6750, section 3; RFC 9728, section 5.1). */
export interface Challenge {
  /** As it came; whether it may be fetched is for the caller to judge. */
  readonly resourceMetadata: string | undefined
  readonly scopes: readonly string[]
  readonly error: string | undefined
}

/** The bearer challenge of a `WWW-Authenticate` header; undefined where there is none that can be read. */
export async function readChallenge(header: string | undefined): Promise<Challenge | undefined> {
  const bearer = (await challengesIn(header))?.find(({ scheme }) => scheme === 'bearer')
  if (bearer === undefined) return undefined
  const { resource_metadata: resourceMetadata, scope, error } = bearer.parameters
  return { resourceMetadata, scopes: scopesIn(scope?.split(' ')), error }
}

/** The library reads challenges of answers alone: it is given one, and nothing is sent. */
async function challengesIn(header: string | undefined): Promise<WWWAuthenticateChallengeError['cause'] | undefined> {
  if (header === undefined) return undefined
  try {
    const answer = new Response(null, { status: 401, headers: { 'www-authenticate': header } })
    const options = { [customFetch]: async () => answer, [allowInsecureRequests]: true }
    await protectedResourceRequest('unsent', 'GET', new URL('http://unsent.invalid'), undefined, undefined, options)
  } catch (error) {
    if (error instanceof WWWAuthenticateChallengeError) return error.cause
  }
  return undefined
}

/**
 * What an authorization has to ask for after a 403: what was asked for before, and what the challenge names. Undefined
 * where another authorization would bring nothing new, so that nobody is sent round in circles.
 */
export function stepUpScopes(
  requested: readonly string[],
  challenge: Challenge | undefined,
): readonly string[] | undefined {
  // Some name scopes and no error; any other error is not about them.
  if (challenge === undefined || (challenge.error ?? 'insufficient_scope') !== 'insufficient_scope') return undefined
  const all = scopesIn([...requested, ...challenge.scopes])
  return all.length > requested.length ? all : undefined
}
