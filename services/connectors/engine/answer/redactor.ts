import { keptDigits } from '../../../../lib/exact-numbers.ts'
import type { Credential } from '../../../credentials/credential.ts'
import { base64Matchers, MIN_LENGTH, type SecretMatcher, secretMatcher } from './secret-encodings.ts'

const REDACTED = '[redacted]'
/** Deeper values are dropped to protect the stack. No result and no tool definition nests as deep. */
const MAX_DEPTH = 100

/** Replaces an account's secrets in a text. A text without secrets stays unchanged. */
export type Redact = (text: string) => string

/**
 * Creates the redactor of a credential. Some providers echo the token in a link or return the header that contained it.
 * Each call creates its own redactor. `others` are secrets that are sent beside the credential: fixed headers, or the secret
 * of an OAuth client.
 */
export function redactorOf(credential: Credential, ...others: readonly string[]): Redact {
  const { sent, kept } = secretsOf(credential)
  return redactorWith([...matchersFor([...sent, ...others], true), ...matchersFor(kept, false)])
}

/** Creates a redactor for a header value that is not a credential. */
export function redactorOfHeader(value: string): Redact {
  return redactorWith(matchersFor([value], true))
}

function redactorWith(matchers: readonly SecretMatcher[]): Redact {
  return function redact(text) {
    if (text.length < MIN_LENGTH) return text
    let rest = text
    for (const { core, redact: replace } of matchers) if (rest.includes(core)) rest = replace(rest, REDACTED)
    return rest
  }
}

/** Redacts all texts and all member names of a JSON value. */
export function redactedJson(value: unknown, redact: Redact, depth = 0): unknown {
  if (typeof value === 'string') return redact(value)
  if (typeof value !== 'object' || value === null) return value
  const digits = keptDigits(value)
  if (digits !== undefined) return redact(digits) === digits ? value : redact(digits)
  if (depth >= MAX_DEPTH) return undefined
  if (Array.isArray(value)) return value.map(item => redactedJson(item, redact, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [redact(name), redactedJson(held, redact, depth + 1)]),
  )
}

function matchersFor(secrets: readonly string[], inBase64: boolean): SecretMatcher[] {
  const matchers: SecretMatcher[] = []
  for (const secret of secrets) {
    if (secret.length < MIN_LENGTH) continue
    matchers.push(secretMatcher(secret))
    if (inBase64) matchers.push(...base64Matchers(secret))
  }
  return matchers
}

/**
 * Splits the secrets of a credential: those sent in a header, which may come back encoded, and those the provider knows
 * from issuing them.
 */
function secretsOf(credential: Credential): Record<'sent' | 'kept', readonly string[]> {
  switch (credential.kind) {
    case 'oauth2': {
      const { accessToken, refreshToken, user } = credential
      return { sent: present(accessToken, user?.accessToken), kept: present(refreshToken, user?.refreshToken) }
    }
    case 'oauth1a':
      return { sent: [credential.token], kept: [credential.tokenSecret] }
    case 'api_key': {
      const { key } = credential
      // The second half of a pasted `user:key` is itself a secret. The whole is matched first, so that no part of it
      // stays.
      return { sent: key.includes(':') ? [key, key.slice(key.indexOf(':') + 1)] : [key], kept: [] }
    }
  }
}

function present(...secrets: readonly (string | undefined)[]): string[] {
  return secrets.filter(secret => secret !== undefined)
}

/** The number of characters that no secret exceeds in any encoding. */
export const MARGIN = 50_000
/** The characters that JSON escapes. */
const ESCAPE = /\\(?:u([\da-f]{4})|[\s\S])/gi

/** Redacts a text that may be JSON, where escapes that JSON does not need may hide a secret. */
export function redactedSource(source: string, redact: Redact): string {
  const clean = redact(source)
  if (!/\\[/u]/.test(clean)) return clean
  const plain = inPlain(clean)
  const redacted = redact(plain)
  // A text without secrets stays unchanged: it may be a file of the member.
  return redacted === plain ? clean : redacted
}

/** Whether a cut between two texts splits a secret, so that neither part would be redacted. */
export function splitsSecret(left: string, right: string, redact: Redact): boolean {
  const splits = (before: string, after: string) => redact(before + after) !== redact(before) + redact(after)
  return splits(left, right) || splits(inPlain(left), inPlain(right))
}

function inPlain(text: string): string {
  return text.replace(ESCAPE, unescaped)
}

function unescaped(written: string, hex: string | undefined): string {
  if (hex !== undefined) return JSON.stringify(String.fromCharCode(Number.parseInt(hex, 16))).slice(1, -1)
  return written === '\\/' ? '/' : written
}
