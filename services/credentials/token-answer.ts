import { type ClientAuth, ClientSecretPost, None } from 'oauth4webapi'
import { parseUpstream } from '../../lib/http/json.ts'
import type { TokenQuirks } from '../definitions/define-connector.ts'
import { readPointer } from '../definitions/placeholders.ts'
import type { TokenPair } from './credential.ts'
import type { OauthClient } from './oauth-clients.ts'

/** A token as an answer has it, in seconds and words. */
export interface AnsweredToken {
  accessToken: string
  refreshToken: string | undefined
  /** Seconds; undefined where the token does not end, or the provider does not say. */
  expiresIn: number | undefined
  scopes: readonly string[] | undefined
}

/** What a token endpoint said, once its quirks are taken off. */
export interface TokenAnswer {
  /** The token that the connector acts with; undefined where there is none. */
  own: AnsweredToken | undefined
  user: AnsweredToken | undefined
  kept: Readonly<Record<string, string>>
  /** The error code, where it is an error. */
  error: string | undefined
}

/** Ten years: what is said to live longer (a point in time in place of a duration, a largest number) does not end. */
const LONGEST_LIFE_S = 10 * 365 * 86_400
/** RFC 6749, appendix A.12 and A.17: what a header or a form can carry, and a database keep. */
const TOKEN = /^[\x20-\x7e]{1,16384}$/

type JsonObject = Readonly<Record<string, unknown>>

/** Reads the body of a token answer as the connector's quirks have it; undefined for what is no JSON object. */
export function readTokenAnswer(body: string, quirks: TokenQuirks = {}): TokenAnswer | undefined {
  const json = parseUpstream(body)
  if (!isObject(json)) return undefined
  const token = (pointer: string | undefined) => readToken(readPointer(json, pointer ?? ''), quirks)
  return {
    own: token(quirks.token),
    user: quirks.userToken === undefined ? undefined : token(quirks.userToken),
    kept: readKept(json, quirks),
    error: readError(json, quirks),
  }
}

function readToken(value: unknown, { grantedScopeSeparator }: TokenQuirks): AnsweredToken | undefined {
  if (typeof value === 'string' && TOKEN.test(value))
    return { accessToken: value, refreshToken: undefined, expiresIn: undefined, scopes: undefined }
  if (!isObject(value)) return undefined
  const accessToken = text(value.access_token)
  const refreshToken = text(value.refresh_token)
  if (accessToken === undefined || !TOKEN.test(accessToken)) return undefined
  if (refreshToken !== undefined && !TOKEN.test(refreshToken)) return undefined
  return {
    accessToken,
    refreshToken,
    expiresIn: readLife(value.expires_in),
    scopes: readScopes(value.scope, grantedScopeSeparator),
  }
}

/** Seconds, which some send as a text. */
function readLife(expiresIn: unknown): number | undefined {
  const seconds = typeof expiresIn === 'string' ? Number(expiresIn) : expiresIn
  return typeof seconds === 'number' && seconds > 0 && seconds <= LONGEST_LIFE_S ? seconds : undefined
}

function readScopes(scope: unknown, separator: string | undefined): readonly string[] | undefined {
  if (Array.isArray(scope)) return scope.filter(one => typeof one === 'string').filter(isStorable)
  // Empty is what GitHub Apps say, whose access their registration fixes: not that nothing was granted.
  if (typeof scope !== 'string' || scope.trim() === '') return undefined
  return scope
    .split(separator ?? /[ ,]+/)
    .map(one => one.trim())
    .filter(one => one !== '' && isStorable(one))
}

function readKept(json: JsonObject, { keep = {} }: TokenQuirks): Readonly<Record<string, string>> {
  const found = Object.entries(keep).map(([name, pointer]) => [name, readPointer(json, pointer)] as const)
  return Object.fromEntries(
    found.flatMap(([name, value]) =>
      (typeof value === 'string' && isStorable(value)) || typeof value === 'number' ? [[name, String(value)]] : [],
    ),
  )
}

/** An `error` at the top counts for every provider: several send it under HTTP 200. */
function readError(json: JsonObject, { errors }: TokenQuirks): string | undefined {
  const code = text(errors === undefined ? undefined : readPointer(json, errors.code)) ?? text(json.error)
  if (errors?.ok === undefined) return code
  return readPointer(json, errors.ok) === false ? (code ?? 'unnamed') : undefined
}

/** Whether a database takes it as text: not with a zero character, nor with half of a pair. */
function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0')
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

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
