import { createHmac, randomBytes } from 'node:crypto'
import type { Clock } from '../../schemas/primitives/time.ts'

/** A key or token with its secret. */
export interface Oauth1Pair {
  readonly key: string
  readonly secret: string
}

/** The input of one signature. */
export interface Oauth1Request {
  method: string
  url: string | URL
  consumer: Oauth1Pair
  token?: Oauth1Pair
  /** The form-encoded body; no other body is signed. */
  form?: string | Readonly<Record<string, string>>
  extra?: Readonly<Partial<Record<'oauth_callback' | 'oauth_verifier' | 'oauth_version', string>>>
  nonce: string
  /** Seconds since the epoch. */
  timestamp: number
}

/** Signs with a fresh nonce and the current time. Returns the Authorization header. */
export type Oauth1Signer = (request: Omit<Oauth1Request, 'nonce' | 'timestamp'>) => string

/** Creates a signer that uses each nonce once (RFC 5849, 3.3). */
export function createOauth1Signer({ clock }: { clock: Clock }): Oauth1Signer {
  return function sign(request) {
    const nonce = randomBytes(16).toString('hex')
    return signOauth1({ ...request, nonce, timestamp: Math.floor(clock.now() / 1_000) })
  }
}

/** The Authorization header of a request signed with HMAC-SHA1 (RFC 5849, 3.4.2 and 3.5.1). */
export function signOauth1(request: Oauth1Request): string {
  const { consumer, token, extra, nonce, timestamp } = request
  const protocol: [string, string][] = [
    ['oauth_consumer_key', consumer.key],
    ['oauth_nonce', nonce],
    ['oauth_signature_method', 'HMAC-SHA1'],
    ['oauth_timestamp', String(timestamp)],
    ...(token === undefined ? [] : [['oauth_token', token.key] as [string, string]]),
    ...Object.entries(extra ?? {}),
  ]
  const key = `${percentEncode(consumer.secret)}&${percentEncode(token?.secret ?? '')}`
  const signature = createHmac('sha1', key).update(signatureBase(request, protocol)).digest('base64')
  const fields = [...protocol, ['oauth_signature', signature]] as const
  return `OAuth ${fields.map(([name, value]) => `${percentEncode(name)}="${percentEncode(value)}"`).join(', ')}`
}

/** Builds the signature base string of a request (RFC 5849, 3.4.1). */
export function signatureBase(
  { method, url, form }: Pick<Oauth1Request, 'method' | 'url' | 'form'>,
  protocol: readonly (readonly [name: string, value: string])[],
): string {
  const { origin, pathname, searchParams } = new URL(url)
  const parameters = [...searchParams, ...new URLSearchParams(form as string | Record<string, string>), ...protocol]
    .map(([name, value]) => [percentEncode(name), percentEncode(value)] as const)
    .sort(([nameA, valueA], [nameB, valueB]) => compare(nameA, nameB) || compare(valueA, valueB))
    .map(pair => pair.join('='))
    .join('&')
  return [method.toUpperCase(), percentEncode(origin + pathname), percentEncode(parameters)].join('&')
}

/** Compares by code units; the input is ASCII. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * Percent-encodes by RFC 3986 with upper-case digits; `encodeURIComponent` leaves five reserved characters unencoded.
 */
function percentEncode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
