import { createPrivateKey, type KeyObject } from 'node:crypto'
import { type CryptoKey, importJWK, importPKCS8, type JWK } from 'jose'
import { type ClientAuth, ClientSecretPost, None, PrivateKeyJwt } from 'oauth4webapi'
import { foreignLine } from '../../lib/egress/private-addresses.ts'
import { isJsonObject, parseUpstream } from '../../lib/http/json.ts'
import type { RemoteOauth } from '../../schemas/remotes/oauth-client.ts'
import type { TokenQuirks } from '../definitions/connector-types.ts'
import { readPointer } from '../definitions/placeholders.ts'
import type { TokenPair } from './credential.ts'
import type { OauthClient } from './oauth-clients.ts'

/** A token of an answer; its lifetime is in seconds. */
export interface AnsweredToken {
  accessToken: string
  refreshToken: string | undefined
  /** Seconds; undefined if the token does not expire or the provider does not say. */
  expiresIn: number | undefined
  scopes: readonly string[] | undefined
}

/** The answer of a token endpoint after resolving its quirks. */
export interface TokenAnswer {
  /** The token that the connector acts with; undefined if there is none. */
  own: AnsweredToken | undefined
  user: AnsweredToken | undefined
  kept: Readonly<Record<string, string>>
  /** The error code; undefined for a success. */
  error: string | undefined
  /** What the server says about the error, as it was sent. */
  errorDescription: string | undefined
}

/** Ten years. A longer lifetime is a mistake (a point in time, a maximum value), and counts as no expiry. */
const LONGEST_LIFE_S = 10 * 365 * 86_400
/** RFC 6749, appendix A.12 and A.17: what headers, forms and databases can carry. */
const TOKEN = /^[\x20-\x7e]{1,16384}$/

type JsonObject = Readonly<Record<string, unknown>>

/** Parses a token answer with the connector's quirks. Returns undefined if it is not a JSON object. */
export function readTokenAnswer(body: string, quirks: TokenQuirks = {}): TokenAnswer | undefined {
  const json = parseUpstream(body)
  if (!isJsonObject(json)) return undefined
  const token = (pointer: string | undefined) => readToken(readPointer(json, pointer ?? ''), quirks)
  return {
    own: token(quirks.token),
    user: quirks.userToken === undefined ? undefined : token(quirks.userToken),
    kept: readKept(json, quirks),
    error: readError(json, quirks),
    errorDescription: text(json.error_description) ?? (isJsonObject(json.error) ? text(json.error.message) : undefined),
  }
}

function readToken(value: unknown, quirks: TokenQuirks): AnsweredToken | undefined {
  if (typeof value === 'string' && TOKEN.test(value))
    return { accessToken: value, refreshToken: undefined, expiresIn: undefined, scopes: undefined }
  if (!isJsonObject(value)) return undefined
  const accessToken = text(value.access_token)
  const refreshToken = text(value.refresh_token)
  if (accessToken === undefined || !TOKEN.test(accessToken)) return undefined
  if (refreshToken !== undefined && !TOKEN.test(refreshToken)) return undefined
  return {
    accessToken,
    refreshToken,
    expiresIn: readLife(value.expires_in),
    scopes: readScopes(value.scope, quirks),
  }
}

/** Accepts a number of seconds, also as text. */
function readLife(expiresIn: unknown): number | undefined {
  const seconds = typeof expiresIn === 'string' ? Number(expiresIn) : expiresIn
  return typeof seconds === 'number' && seconds > 0 && seconds <= LONGEST_LIFE_S ? seconds : undefined
}

function readScopes(
  scope: unknown,
  { grantedScopeSeparator, grantedScopePrefix = '', unreportedScopes = [] }: TokenQuirks,
): readonly string[] | undefined {
  if (Array.isArray(scope)) return scope.filter(one => typeof one === 'string').filter(isStorable)
  // GitHub Apps send an empty scope, because their registration fixes the access. It does not mean that nothing was
  // granted.
  if (typeof scope !== 'string' || scope.trim() === '') return undefined
  const named = scope
    .split(grantedScopeSeparator ?? /[ ,]+/)
    .map(one => one.trim())
    .filter(one => one !== '' && isStorable(one))
    .map(one => (one.startsWith(grantedScopePrefix) ? one.slice(grantedScopePrefix.length) : one))
  return [...named, ...unreportedScopes]
}

function readKept(json: JsonObject, { keep = {} }: TokenQuirks): Readonly<Record<string, string>> {
  const found = Object.entries(keep).map(([name, pointer]) => [name, readPointer(json, pointer)] as const)
  return Object.fromEntries(
    found.flatMap(([name, value]) =>
      (typeof value === 'string' && isStorable(value)) || typeof value === 'number' ? [[name, String(value)]] : [],
    ),
  )
}

/** A top-level `error` counts for every provider: several send it under HTTP 200, some as an object. */
function readError(json: JsonObject, { errors }: TokenQuirks): string | undefined {
  const { error } = json
  const nested = isJsonObject(error) ? (text(error.code) ?? text(error.type) ?? 'unnamed') : undefined
  const code = text(errors === undefined ? undefined : readPointer(json, errors.code)) ?? text(error) ?? nested
  if (errors?.ok === undefined) return code
  return readPointer(json, errors.ok) === false ? (code ?? 'unnamed') : undefined
}

/** Whether a database can store the text: without NUL characters and lone surrogates. */
function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0')
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** How a client authenticates at the token endpoint. */
type ClientAuthForm = RemoteOauth['clientAuth']

/** Returns how the client authenticates at the token endpoint. */
export function clientAuthentication(form: ClientAuthForm, { secret }: OauthClient): ClientAuth {
  if (form === 'none') return None()
  if (form === 'private_key_jwt') return privateKeyJwt(secret)
  return form === 'post' ? ClientSecretPost(secret) : clientSecretBasic(secret)
}

/**
 * Encodes as RFC 6749, section 2.3.1, says, with URLSearchParams, which keeps `.`, `-` and `_`. oauth4webapi also
 * encodes those, but several providers do not decode them.
 */
function clientSecretBasic(secret: string): ClientAuth {
  return (_server, { client_id }, _body, headers) => {
    headers.set('authorization', basicAuthorization(client_id, secret))
  }
}

/** Returns the Authorization header of an OAuth client. */
export function basicAuthorization(id: string, secret: string): string {
  const [user, password] = [id, secret].map(part => new URLSearchParams({ '': part }).toString().slice(1))
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

/**
 * Returns a standard token answer (RFC 6749): without quirks, without the unused id_token, and always of type `bearer`.
 */
export function standardAnswer({ accessToken, refreshToken, expiresIn }: AnsweredToken): Response {
  return Response.json({
    access_token: accessToken,
    token_type: 'bearer',
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(expiresIn !== undefined && { expires_in: expiresIn }),
  })
}

/** Returns a standard error answer (RFC 6749). */
export function standardError(error: string, description: string | undefined): Response {
  return Response.json({ error, ...(description !== undefined && { error_description: description }) }, { status: 400 })
}

/** Converts a token to its stored form. Without a new refresh token, the old one stays. */
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

/** The maximum length of a server's own words about an error. */
const MAX_DESCRIPTION = 300
/** A shorter secret cannot be redacted without hiding ordinary words. */
const MIN_SECRET = 8

/** Could be a token that the server knows and the request did not contain. The codes that people search for are shorter. */
const TOKEN_LIKE = /(?=[\w+/=~%.-]*\d)[\w+/=~%.-]{16,}/g

/** Returns a server's own words about an error as one line that is safe to show; empty without any. */
export function safeDescription(description: string | undefined, sent: readonly (string | null | undefined)[]): string {
  const secrets = sent.flatMap(secret =>
    secret && secret.length >= MIN_SECRET ? [secret, encodeURIComponent(secret)] : [],
  )
  const redacted = secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), description ?? '')
  const words = redacted.replaceAll(TOKEN_LIKE, '[redacted]')
  return foreignLine(words, MAX_DESCRIPTION).replaceAll(/[“”]/g, '"').replace(/\.$/, '')
}

/**
 * The errors of Microsoft Entra for a request with `resource` (RFC 8707), or with a refresh token and no `scope`. Other
 * servers that refuse a resource protect the tokens of another one, so no other words count.
 */
const ENTRA_REFUSAL = /\bAADSTS(?:901002|9010010|90009)\b/

/** Whether a server accepts only requests that name the access by `scope` and not by `resource`. */
export function refusesResource(errorDescription: string | null | undefined): boolean {
  return ENTRA_REFUSAL.test(errorDescription ?? '')
}

/** Returns an error code that is safe to show: valid, and without any part of the secrets. */
export function safeErrorCode(error: string, sent: readonly (string | null | undefined)[]): string {
  const revealsSecret = sent.some(secret => {
    const text = secret?.toLowerCase()
    return text && (text.includes(error) || error.includes(text))
  })
  return /^[a-z][a-z0-9_.-]{0,39}$/.test(error) && !revealsSecret ? error : 'unnamed'
}

/** Returns the body and headers of a token request, of which the library writes a form: as it is, or as JSON. */
export function tokenRequest({ body, headers }: RequestInit, form: 'form' | 'json' = 'form'): RequestInit {
  const written = String(body)
  if (form === 'form') return { body: written }
  const sent = new Headers(headers)
  sent.set('content-type', 'application/json')
  return { body: JSON.stringify(Object.fromEntries(new URLSearchParams(written))), headers: sent }
}

/** The private key of an OAuth client that authenticates with `private_key_jwt` (RFC 7523). */
interface ClientKey {
  readonly key: CryptoKey
  readonly kid?: string
}

/**
 * Returns the client authentication `private_key_jwt`. The key is imported for each request, so that it is not kept in
 * memory. Throws a TypeError for an unusable key.
 */
function privateKeyJwt(secret: string): ClientAuth {
  return async (...request) => PrivateKeyJwt(await importClientKey(secret))(...request)
}

/**
 * Imports a private key: PKCS #8 in PEM, or a JWK. The algorithm is that of the JWK, or else follows from the key: RS256,
 * ES256, ES384, ES512 or Ed25519. Throws a TypeError, whose message contains no part of the key.
 */
export async function importClientKey(text: string): Promise<ClientKey> {
  try {
    if (!text.startsWith('{')) {
      const key = createPrivateKey(text)
      const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString()
      return { key: await importPKCS8(pem, algorithmOf(key)) }
    }
    const jwk = JSON.parse(text) as JWK
    const alg = jwk.alg ?? algorithmOf(createPrivateKey({ key: jwk as never, format: 'jwk' }))
    const key = await importJWK(jwk, alg)
    if (key instanceof Uint8Array || key.type !== 'private') throw new TypeError('not a private key')
    return { key, ...(typeof jwk.kid === 'string' && { kid: jwk.kid }) }
  } catch {
    // The errors of the libraries may quote the key.
    throw new TypeError('The private key cannot be used')
  }
}

const CURVES: Readonly<Record<string, string>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' }

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string {
  if (asymmetricKeyType === 'rsa') return 'RS256'
  if (asymmetricKeyType === 'ed25519') return 'Ed25519'
  const algorithm = CURVES[asymmetricKeyDetails?.namedCurve ?? '']
  if (algorithm === undefined) throw new TypeError('an unsupported key type')
  return algorithm
}
