import { createHash, randomBytes } from 'node:crypto'
import { browserSignIn } from './browser-sign-in.ts'

/** The redirect URI of test clients; nothing listens there. */
export const REDIRECT_URI = 'http://127.0.0.1:9/callback'

interface TokenAnswer {
  access_token: string
  refresh_token: string
  id_token: string
}

interface ServerMetadata {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  registration_endpoint: string
}

/**
 * Obtains tokens like a client that only knows the issuer: metadata (RFC 8414), registration (RFC 7591), a code with
 * PKCE and `resource`, tokens. Throws the server's errors.
 */
export async function obtainTokens(
  issuer: string,
  { account, resource }: { account: string; resource: string },
): Promise<TokenAnswer> {
  const metadata = await json<ServerMetadata>(await fetch(`${issuer}/.well-known/oauth-authorization-server`))
  if (metadata.issuer !== issuer) throw new Error(`The metadata of ${issuer} is that of ${metadata.issuer}`)
  const clientId = await register(metadata)
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(8).toString('hex')
  const callback = await browserSignIn(
    withQuery(metadata.authorization_endpoint, {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: REDIRECT_URI,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource,
      state,
    }),
    account,
  )
  const { code, error, ...rest } = Object.fromEntries(callback.searchParams)
  if (rest.state !== state || rest.iss !== issuer) throw new Error('The callback is not that of this sign-in')
  if (code === undefined) throw new Error(error ?? 'The callback has no code')
  return json(
    await fetch(metadata.token_endpoint, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: clientId,
        redirect_uri: REDIRECT_URI,
        code,
        code_verifier: verifier,
        resource,
      }),
    }),
  )
}

async function register({ registration_endpoint }: ServerMetadata): Promise<string> {
  const registered = await fetch(registration_endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    }),
  })
  return (await json<{ client_id: string }>(registered)).client_id
}

function withQuery(url: string, query: Record<string, string>): URL {
  return new URL(`?${new URLSearchParams(query)}`, url)
}

async function json<T>(response: Response): Promise<T> {
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${text}`)
  return JSON.parse(text)
}
