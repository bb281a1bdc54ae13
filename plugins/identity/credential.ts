import type { IncomingHttpHeaders } from 'node:http'

/** What a request brings to say who calls. */
export type Credential =
  | { kind: 'api-key'; key: string }
  | { kind: 'jwt'; token: string }
  /** Two headers that name different credentials: neither is tried. */
  | { kind: 'conflict' }

const BEARER = /^bearer +/i
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/

/**
 * Reads the one credential of a request; undefined when it has none.
 * A bearer of three base64url parts is a JWT; anything else there, and all of `x-api-key`, is an API key
 * (decisions.md, Identity and organizations).
 */
export function readCredential(headers: IncomingHttpHeaders): Credential | undefined {
  const { authorization } = headers
  const apiKey = headers['x-api-key']
  if (authorization === undefined) return typeof apiKey === 'string' ? { kind: 'api-key', key: apiKey } : undefined

  const bearer = authorization.replace(BEARER, '')
  if (apiKey !== undefined && apiKey !== bearer) return { kind: 'conflict' }
  return JWT.test(bearer) ? { kind: 'jwt', token: bearer } : { kind: 'api-key', key: bearer }
}
