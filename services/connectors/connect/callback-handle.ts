import { GatewayError } from '../../../lib/errors/errors.ts'

/** What an authorization is known by when it comes back: the `state`, or the request token of OAuth 1.0a. */
export function handleOf(parameters: URLSearchParams): string | null {
  // `denied` is how OAuth 1.0a providers that say no at all name the request token.
  return parameters.get('state') ?? parameters.get('oauth_token') ?? parameters.get('denied')
}

/** What came back, and what it is known by. */
export interface Callback {
  handle: string
  parameters: URLSearchParams
}

/** Throws connect_failed for what is no callback. */
export function readCallback(callback: string | URLSearchParams): Callback {
  const parameters = typeof callback === 'string' ? URL.parse(callback)?.searchParams : callback
  const handle = parameters && handleOf(parameters)
  if (parameters === undefined || !handle)
    throw new GatewayError(
      'connect_failed',
      'This is no answer to an authorization: it has no state. Begin again, and let the provider’s last page lead you back.',
    )
  return { handle, parameters }
}
