import { randomUUID } from 'node:crypto'
import { GatewayError } from '../../../lib/errors/errors.ts'
import type { Credential } from '../../credentials/credential.ts'
import { withCredentialRedacted } from '../calls/redact-credential.ts'
import { upstreamHeaders } from '../calls/upstream-headers.ts'
import { grantConnectorOf } from '../grant-connector.ts'
import type { CredentialAuth, Registration } from '../registration.ts'
import { UpstreamError, type Upstreams } from '../upstream/upstream.ts'

/**
 * Asks an upstream for its tools with a credential that is not stored yet. Answers why that could not be found out, or
 * undefined where it is accepted; throws invalid_request where it is refused.
 */
export type TryCredential = (
  registration: Registration,
  auth: CredentialAuth,
  credential: Credential,
) => Promise<string | undefined>

export interface TryCredentialOptions {
  upstreams: Pick<Upstreams, 'listTools' | 'forget'>
  /** Aborts when the process ends. */
  signal: AbortSignal
}

/** Somebody waits at a terminal. */
const DEADLINE_MS = 20_000

export function createTryCredential({ upstreams, signal }: TryCredentialOptions): TryCredential {
  return async function tryCredential(registration, auth, credential) {
    const { id, orgId, name, upstreamUrl: url } = registration
    const headers = upstreamHeaders(grantConnectorOf(registration, auth), credential)
    // Beside what is held for its calls: neither an open breaker nor a session of the old credential is to answer.
    const key = randomUUID()
    const target = { orgId, id: `${id} ${key}`, url }
    try {
      await withCredentialRedacted(credential, () =>
        upstreams.listTools(target, { headers, key }, { signal, deadlineMs: DEADLINE_MS }),
      )
      return undefined
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      const { kind, message } = error
      const status = kind === 'unauthorized' ? 401 : error.status
      // Some servers say 403 of a key that they do not know.
      if (status !== 401 && status !== 403) return message
      throw new GatewayError(
        'invalid_request',
        `${name} refused what was handed in (HTTP ${status}). It was not stored: what the registration had before is kept.`,
        { cause: error },
      )
    } finally {
      upstreams.forget(target)
    }
  }
}
