import {
  allowInsecureRequests,
  customFetch,
  protectedResourceRequest,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi'
import { scopesIn } from './published-metadata.ts'

/** The bearer challenge of a protected resource (RFC 6750, section 3; RFC 9728, section 5.1). */
export interface Challenge {
  /** Not validated: the caller must check it before fetching. */
  readonly resourceMetadata: string | undefined
  readonly scopes: readonly string[]
  readonly error: string | undefined
}

/** The bearer challenge of a `WWW-Authenticate` header; undefined if it is missing or unreadable. */
export async function readChallenge(header: string | undefined): Promise<Challenge | undefined> {
  const bearer = (await challengesIn(header))?.find(({ scheme }) => scheme === 'bearer')
  if (bearer === undefined) return undefined
  const { resource_metadata: resourceMetadata, scope, error } = bearer.parameters
  return { resourceMetadata, scopes: scopesIn(scope?.split(' ')), error }
}

/** Parses the header with the library, which reads only responses. Sends nothing. */
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
 * The scopes to request after a 403: the previous ones and those of the challenge. Undefined if another authorization would
 * request nothing new, to avoid an endless loop.
 */
export function stepUpScopes(
  requested: readonly string[],
  challenge: Challenge | undefined,
): readonly string[] | undefined {
  // Some servers send scopes without an error. Other errors are not about scopes.
  if (challenge === undefined || (challenge.error ?? 'insufficient_scope') !== 'insufficient_scope') return undefined
  const all = scopesIn([...requested, ...challenge.scopes])
  return all.length > requested.length ? all : undefined
}
