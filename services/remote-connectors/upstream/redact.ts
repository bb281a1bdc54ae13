import { type Redact, redactedJson } from '../../../lib/redaction/redactor.ts'
import type { Credential } from '../../credentials/credential.ts'
import { redactorOf } from '../../credentials/redactor.ts'
import { rpcMessage } from './failures.ts'
import { UpstreamError } from './upstream.ts'

/** Runs an exchange and redacts its result or its error. A result without secrets is returned as the same object. */
export async function withRedaction<T>(redactor: () => Redact, exchange: () => Promise<T>): Promise<T> {
  try {
    const answer = await exchange()
    const redact = redactor()
    return holds(answer, redact) ? (redactedJson(answer, redact) as T) : answer
  } catch (error) {
    throw error instanceof UpstreamError ? failureWithout(error, redactor()) : error
  }
}

/** Redacts the message, the challenge and the words, which contain the upstream's own text. */
function failureWithout(error: UpstreamError, redact: Redact): UpstreamError {
  const challenge = error.challenge === undefined ? undefined : redact(error.challenge)
  const words = error.words === undefined ? undefined : redact(error.words)
  // Cut after redacting: half a secret would not be recognized.
  const message = error.kind === 'rpc' && words !== undefined ? rpcMessage(words) : redact(error.message)
  if (message === error.message && challenge === error.challenge && words === error.words) return error
  return error.with({ message, challenge, words })
}

/** Without recursion, because a list of tools that is not validated yet may nest thousands deep. */
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
 * Runs an exchange with an upstream and redacts the credential and the fixed headers from its answer. Members use the
 * organization's credential, which they must not see.
 */
export function withCredentialRedacted<T>(
  credential: Credential,
  exchange: () => Promise<T>,
  fixedHeaders: Readonly<Record<string, string>> = {},
): Promise<T> {
  return withRedaction(() => redactorOf(credential, ...Object.values(fixedHeaders)), exchange)
}
