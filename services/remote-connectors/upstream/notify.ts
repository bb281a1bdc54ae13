import type { EgressAnswer, EgressPool } from '../../../lib/egress/egress.ts'
import { exchangeFailed } from './failures.ts'
import { legacyHeaders, sessionHeaders } from './requests.ts'
import type { LegacyTerms } from './terms.ts'
import type { UpstreamCredential } from './upstream.ts'

/** Sends a message that is no request, or ends a session (`DELETE`). Throws an UpstreamError where no answer came. */
export type Tell = (
  terms: LegacyTerms,
  message: object | 'DELETE',
  options: { readonly credential: UpstreamCredential; readonly deadlineMs: number },
) => Promise<EgressAnswer>

/** What follows a call without being it: nobody waits for it. */
const ASIDE_MS = 5_000

/** Tells upstreams of the handshake revisions what they are not asked. */
export function createTell({ pool, url }: { pool: Pick<EgressPool, 'request'>; url: URL }): {
  tell: Tell
  /** Best effort. */
  aside(terms: LegacyTerms, message: object, credential: UpstreamCredential): void
} {
  const tell: Tell = async (terms, message, { credential, deadlineMs }) => {
    const ends = message === 'DELETE'
    try {
      return await pool.request({
        method: ends ? 'DELETE' : 'POST',
        url,
        headers: ends ? sessionHeaders(terms) : legacyHeaders(terms),
        credential: { origin: url.origin, headers: credential.headers },
        deadlineMs,
        ...(!ends && { body: JSON.stringify({ jsonrpc: '2.0', ...message }) }),
        // Nothing in it is of interest.
        events: () => true,
      })
    } catch (error) {
      throw exchangeFailed(error, { runs: false, heard: false })
    }
  }

  return {
    tell,
    aside(terms, message, credential) {
      tell(terms, message, { credential, deadlineMs: ASIDE_MS }).catch(() => {})
    },
  }
}
