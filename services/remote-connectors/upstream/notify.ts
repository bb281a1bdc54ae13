import type { EgressAnswer, EgressPool } from '../../../lib/egress/egress.ts'
import { exchangeFailed } from './failures.ts'
import type { LegacyProtocol } from './protocol.ts'
import { legacyHeaders, sessionHeaders } from './requests.ts'
import type { UpstreamCredential } from './upstream.ts'

/** Sends a message that is no request, or ends a session (`DELETE`). Throws an UpstreamError where no answer came. */
export type Notify = (
  protocol: LegacyProtocol,
  message: object | 'DELETE',
  options: { readonly credential: UpstreamCredential; readonly deadlineMs: number },
) => Promise<EgressAnswer>

/** What follows a call without being it: nobody waits for it. */
const NOTIFY_MS = 5_000

/** Tells upstreams of the handshake revisions what they are not asked. */
export function createNotify({ pool, url }: { pool: Pick<EgressPool, 'request'>; url: URL }): {
  notify: Notify
  /** Best effort. */
  notifyInBackground(protocol: LegacyProtocol, message: object, credential: UpstreamCredential): void
} {
  const notify: Notify = async (protocol, message, { credential, deadlineMs }) => {
    const ends = message === 'DELETE'
    try {
      return await pool.request({
        method: ends ? 'DELETE' : 'POST',
        url,
        headers: ends ? sessionHeaders(protocol) : legacyHeaders(protocol),
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
    notify,
    notifyInBackground(protocol, message, credential) {
      notify(protocol, message, { credential, deadlineMs: NOTIFY_MS }).catch(() => {})
    },
  }
}
