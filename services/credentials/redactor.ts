import { createRedactor, type Redact } from '../../lib/redaction/redactor.ts'
import type { Credential } from './credential.ts'

/**
 * Creates the redactor of a credential. Some providers echo the token in a link or return the header that contained it.
 * Each call creates its own redactor. `others` are secrets that are sent beside the credential: fixed headers, or the secret
 * of an OAuth client.
 */
export function redactorOf(credential: Credential, ...others: readonly string[]): Redact {
  const { sent, plain } = secretsOf(credential)
  return createRedactor({ sent: [...sent, ...others], plain })
}

/**
 * Splits the secrets of a credential: those sent in a header, which may come back encoded, and those the provider knows
 * from issuing them.
 */
function secretsOf(credential: Credential): Record<'sent' | 'plain', readonly string[]> {
  switch (credential.kind) {
    case 'oauth2': {
      const { accessToken, refreshToken, user } = credential
      return { sent: present(accessToken, user?.accessToken), plain: present(refreshToken, user?.refreshToken) }
    }
    case 'oauth1a':
      return { sent: [credential.token], plain: [credential.tokenSecret] }
    case 'api_key': {
      const { key } = credential
      // The second half of a pasted `user:key` is itself a secret. The whole is matched first, so that no part of it
      // stays.
      return { sent: key.includes(':') ? [key, key.slice(key.indexOf(':') + 1)] : [key], plain: [] }
    }
  }
}

function present(...secrets: readonly (string | undefined)[]): string[] {
  return secrets.filter(secret => secret !== undefined)
}
