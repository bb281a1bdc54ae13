import { redactorOf } from '../../connectors/engine/answer/redactor.ts'
import type { Credential } from '../../credentials/credential.ts'
import { strikeOut } from '../upstream/redact.ts'

/**
 * Runs an exchange with an upstream, and strikes the credential out of what it answers: members call with the
 * organization's, which none of them may see.
 */
export function withoutCredential<T>(credential: Credential, exchange: () => Promise<T>): Promise<T> {
  return strikeOut(() => redactorOf(credential), exchange)
}
