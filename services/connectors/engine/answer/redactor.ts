import type { Credential } from '../../../credentials/credential.ts'
import { base64Matchers, MIN_LENGTH, type SecretMatcher, secretMatcher } from './secret-encodings.ts'

const REDACTED = '[redacted]'
/** Deeper is left out, for the stack ends somewhere. No result that is given nests as deep, and no tool that is taken. */
const MAX_DEPTH = 100

/** Takes an account's secrets out of a text; what holds none stays as it is. */
export type Redact = (text: string) => string

/**
 * Strikes a credential out of what a provider answers, however it is written there: some echo the token in a link, or
 * the header that it came in. It is made anew for each call, as the credential is opened, and for all texts of the call.
 */
export function redactorOf(credential: Credential, ...others: readonly string[]): Redact {
  const { sent, kept } = secretsOf(credential)
  return redactorWith([...matchersFor(sent, true), ...matchersFor([...kept, ...others], false)])
}

/** Strikes out what goes out in a header and is no credential. */
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

/** The same of all texts of a JSON value, and of all names in it. */
export function redactedJson(value: unknown, redact: Redact, depth = 0): unknown {
  if (typeof value === 'string') return redact(value)
  if (typeof value !== 'object' || value === null) return value
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

/** What goes out in a header, which may come back encoded as one, and what a provider has seen when it was issued. */
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
      // Half of a pasted `user:key` is a secret by itself; the whole is looked for first, so that none of it is left.
      return { sent: key.includes(':') ? [key, key.slice(key.indexOf(':') + 1)] : [key], kept: [] }
    }
  }
}

function present(...secrets: readonly (string | undefined)[]): string[] {
  return secrets.filter(secret => secret !== undefined)
}
