import { setTimeout } from 'node:timers/promises'
import { EgressError, type EgressPool } from '../../../lib/egress/egress.ts'
import { isEventStream } from '../../../lib/egress/events.ts'
import { sessionHeaders } from './requests.ts'
import type { EventAnswer } from './rpc-message.ts'
import type { LegacyProtocol, UpstreamCredential } from './upstream.ts'

/** How long to wait before resuming, if the upstream does not say it, and at least. */
const RETRY_MS = 1_000
const MIN_RETRY_MS = 200
/** How much of all parts of a stream is read, in characters. */
const MAX_SIZE = 8 * 1024 ** 2

/**
 * Reads the rest of a stream that ended before its answer, which servers close on purpose while a call takes long (SEP-1699).
 * Returns without an answer if the upstream does not resume it. Throws an EgressError, also when the time is over.
 */
export async function resumeStream(
  events: EventAnswer,
  {
    pool,
    url,
    protocol,
    credential,
    signal,
    left,
    concurrencyKey,
  }: {
    pool: Pick<EgressPool, 'request'>
    url: URL
    protocol: LegacyProtocol
    credential: UpstreamCredential
    signal: AbortSignal | undefined
    /** The remaining milliseconds. */
    left(): number
    concurrencyKey: string
  },
): Promise<void> {
  while (events.isResumable && events.size <= MAX_SIZE) {
    await wait(Math.min(Math.max(events.retryMs ?? RETRY_MS, MIN_RETRY_MS), left()), signal)
    const before = events.size
    events.resume()
    try {
      const { status, headers } = await pool.request({
        method: 'GET',
        url,
        headers: {
          accept: 'text/event-stream',
          ...sessionHeaders(protocol),
          'last-event-id': events.lastEventId ?? '',
        },
        credential: { origin: url.origin, headers: credential.headers },
        deadlineMs: left(),
        concurrencyKey,
        events: text => events.take(text),
        ...(signal !== undefined && { signal }),
      })
      if (status !== 200 || !isEventStream(headers)) return
    } catch (error) {
      if (!isConnectionLost(error) || events.size === before) throw error
    }
  }
}

/** Whether a connection was lost, which does not end a stream that can be resumed. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof EgressError && error.reason === 'unreachable'
}

/** Ends early if the caller aborts, which the next request reports. */
async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await setTimeout(milliseconds, undefined, signal === undefined ? {} : { signal }).catch(() => {})
}
