import type { IncomingMessage } from 'node:http'
import { isRepeated } from '../../lib/http/headers.ts'

/** The credential of a request. */
export type Credential =
  | { kind: 'api-key'; key: string }
  | { kind: 'jwt'; token: string }
  /** More than one credential; none is verified. */
  | { kind: 'conflict' }

/** Node.js trims values, so a bearer without a token has no space. */
const BEARER = /^bearer(?: +|$)/i
/** Three base64url parts; an unsecured JWT has an empty signature (RFC 7519, section 6). */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/

/** Whether a request has a credential, valid or not. */
export function hasCredential({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers.authorization !== undefined || headers['x-api-key'] !== undefined
}

/**
 * Reads the credential of a request; undefined if it has none. A bearer in the form of a JWT is a JWT. Any other value of
 * Authorization, and every x-api-key, is an API key.
 */
export function readCredential({
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): Credential | undefined {
  const { authorization } = headers
  const apiKey = headers['x-api-key']
  if (apiKey !== undefined && isRepeated('x-api-key', rawHeaders)) return { kind: 'conflict' }
  if (authorization === undefined) return typeof apiKey === 'string' ? { kind: 'api-key', key: apiKey } : undefined

  if (isRepeated('authorization', rawHeaders)) return { kind: 'conflict' }
  const bearer = authorization.replace(BEARER, '')
  if (apiKey !== undefined && apiKey !== bearer) return { kind: 'conflict' }
  return JWT.test(bearer) ? { kind: 'jwt', token: bearer } : { kind: 'api-key', key: bearer }
}
