import { hash } from 'node:crypto'
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

/** What a credential is cached by: a digest of the whole of it, so that no cache holds it and none takes two for one. */
export function digestOf(credential: string): string {
  return hash('sha256', credential, 'base64url')
}
