import { keptDigits } from '../exact-numbers.ts'
import { base64Matchers, MIN_LENGTH, type SecretMatcher, secretMatcher } from './secret-matcher.ts'

/** What replaces a secret. */
export const REDACTED = '[redacted]'
/** Deeper values are dropped to protect the stack. No result and no tool definition nests as deep. */
const MAX_DEPTH = 100

/** Replaces known secrets in a text. A text without secrets stays unchanged. */
export type Redact = (text: string) => string

/** Secrets that are known by value, those that contain others first. Secrets with fewer than 8 characters are ignored. */
interface KnownSecrets {
  /** Secrets that are sent in headers, which may come back in Base64. */
  readonly sent?: readonly string[]
  readonly plain?: readonly string[]
}

/** Creates a redactor of known secrets. */
export function createRedactor({ sent = [], plain = [] }: KnownSecrets): Redact {
  const matchers = [...matchersFor(sent, true), ...matchersFor(plain, false)]

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
