import { redactorOf } from '../../connectors/engine/answer/redactor.ts'
import type { Credential } from '../../credentials/credential.ts'
import { withRedaction } from '../upstream/redact.ts'

/**
 * Runs an exchange with an upstream, and strikes the credential out of what it answers: members call with the
 * organization's, which none of them may see.
 */
export function withCredentialRedacted<T>(credential: Credential, exchange: () => Promise<T>): Promise<T> {
  return withRedaction(() => redactorOf(credential), exchange)
}
