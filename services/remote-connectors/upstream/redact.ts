import { type Redact, redactedJson, redactorOf } from '../../connectors/engine/answer/redactor.ts'
import type { Credential } from '../../credentials/credential.ts'
import { UpstreamError } from './upstream.ts'

/** Runs an exchange, and strikes out of what it answers or fails with; what holds nothing is answered as the object that it is. */
export async function withRedaction<T>(redactor: () => Redact, exchange: () => Promise<T>): Promise<T> {
  try {
    const answer = await exchange()
    const redact = redactor()
    return holds(answer, redact) ? (redactedJson(answer, redact) as T) : answer
  } catch (error) {
    throw error instanceof UpstreamError ? failureWithout(error, redactor()) : error
  }
}

/** Of both that an upstream words: what a challenge names is told on. */
function failureWithout(error: UpstreamError, redact: Redact): UpstreamError {
  const message = redact(error.message)
  const challenge = error.challenge === undefined ? undefined : redact(error.challenge)
  return message === error.message && challenge === error.challenge ? error : error.with({ message, challenge })
}

/** Without recursion: a list of tools may nest thousands deep before each of them is judged. */
function holds(root: unknown, redact: Redact): boolean {
  const left = [root]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string' && redact(value) !== value) return true
    if (typeof value !== 'object' || value === null) continue
    for (const name in value) {
      if (redact(name) !== name) return true
      left.push(value[name as keyof typeof value])
    }
  }
  return false
}

/**
 * Runs an exchange with an upstream, and strikes the credential out of what it answers: members call with the
 * organization's, which none of them may see.
 */
export function withCredentialRedacted<T>(credential: Credential, exchange: () => Promise<T>): Promise<T> {
  return withRedaction(() => redactorOf(credential), exchange)
}
