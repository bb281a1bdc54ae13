import { randomUUID } from 'node:crypto'
import type { Credential } from '../../credentials/credential.ts'
import { grantConnectorOf, upstreamHeaders } from '../grant-connector.ts'
import { hasCredential, type Registration } from '../registration.ts'
import { withCredentialRedacted } from '../upstream/redact.ts'
import type { Upstreams } from '../upstream/upstream.ts'

interface Provided {
  /** Absent for mode `none`. */
  credential: Credential | undefined
  /** The fixed headers by name. */
  fixed: Readonly<Record<string, string>>
}

/**
 * Lists the tools of an upstream with a credential that is not stored, to try it. Neither an open breaker nor a session of
 * the registration affects the result. Throws UpstreamErrors, without the credential.
 */
export type ListOnce = (registration: Registration, provided: Provided) => Promise<unknown>

/** Short, because a snapshot follows in the same request, or an operator waits at a terminal. */
export const TRY_DEADLINE_MS = 20_000

export function createListOnce({
  upstreams,
  signal,
}: {
  upstreams: Pick<Upstreams, 'listTools' | 'forget'>
  /** Aborts when the process stops. */
  signal: AbortSignal
}): ListOnce {
  return async function listOnce(registration, { credential, fixed }) {
    const { id, orgId, upstreamUrl: url, auth } = registration
    const key = randomUUID()
    const target = { orgId, id: `${id} ${key}`, url }
    const list = (headers: Readonly<Record<string, string>>) =>
      upstreams.listTools(target, { headers, key }, { signal, deadlineMs: TRY_DEADLINE_MS })
    try {
      if (credential === undefined || !hasCredential(auth)) return await list({})
      const headers = { ...fixed, ...upstreamHeaders(grantConnectorOf(registration, auth), credential) }
      return await withCredentialRedacted(credential, () => list(headers), fixed)
    } finally {
      upstreams.forget(target)
    }
  }
}
