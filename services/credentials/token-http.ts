import { type ClientAuth, ClientSecretPost, None } from 'oauth4webapi'
import type { TokenPair } from './credential.ts'
import type { OauthClient } from './oauth-clients.ts'
import type { AnsweredToken } from './token-answer.ts'

/** How the client proves itself at the token endpoint. */
export function clientAuthentication(form: 'basic' | 'post' | 'none', { secret }: OauthClient): ClientAuth {
  if (form === 'none') return None()
  return form === 'post' ? ClientSecretPost(secret) : clientSecretBasic(secret)
}

/**
 * RFC 6749, 2.3.1: form-encoded as URLSearchParams does it, which leaves `.`, `-` and `_` as they are: oauth4webapi
 * encodes those as well, and several providers do not decode.
 */
function clientSecretBasic(secret: string): ClientAuth {
  return (_server, { client_id }, _body, headers) => {
    headers.set('authorization', basicAuthorization(client_id, secret))
  }
}

/** The Authorization header of an OAuth client. */
export function basicAuthorization(id: string, secret: string): string {
  const [user, password] = [id, secret].map(part => new URLSearchParams({ '': part }).toString().slice(1))
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

/** A token answer as RFC 6749 has it: no quirk, no id_token (nobody reads one), `bearer` whatever the provider calls it. */
export function standardAnswer({ accessToken, refreshToken, expiresIn }: AnsweredToken): Response {
  return Response.json({
    access_token: accessToken,
    token_type: 'bearer',
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(expiresIn !== undefined && { expires_in: expiresIn }),
  })
}

/** A refusal as RFC 6749 has it. */
export function standardError(error: string): Response {
  return Response.json({ error }, { status: 400 })
}

/** A token to be kept; where no new refresh token came, the old one goes on. */
export function toPair(
  { accessToken, refreshToken, expiresIn }: AnsweredToken,
  askedAt: number,
  oldRefreshToken?: string,
): TokenPair {
  const next = refreshToken ?? oldRefreshToken
  return {
    accessToken,
    ...(next !== undefined && { refreshToken: next }),
    ...(expiresIn !== undefined && { expiresAt: askedAt + Math.floor(expiresIn * 1_000) }),
  }
}
