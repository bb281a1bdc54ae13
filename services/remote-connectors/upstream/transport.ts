import { type EgressAnswer, EgressError, type EgressPool } from '../../../lib/egress/egress.ts'
import { retryAfter } from '../../../lib/http/headers.ts'
import type { Clock } from '../../../schemas/primitives/time.ts'
import { exchangeFailed, malformed, oldTransport, refusalOf, tooComplex, WEB_PAGE } from './failures.ts'
import type { Health, Outcome } from './health.ts'
import { isPage, redirectTarget, refusalWords } from './refusals.ts'
import { legacyHeaders, sessionHeaders, type UpstreamRequest } from './requests.ts'
import { isConnectionLost, resumeStream } from './resume-stream.ts'
import {
  answerTo,
  EventAnswer,
  exceedsBounds,
  type MessageBounds,
  parseMessage,
  type RpcAnswer,
  type RpcFault,
  type RpcObject,
} from './rpc-message.ts'
import { type LegacyProtocol, type Protocol, type UpstreamCredential, UpstreamError } from './upstream.ts'

/** The limits of a request and the reader of its result. */
export interface RequestOptions<T> {
  readonly credential: UpstreamCredential
  readonly signal?: AbortSignal
  readonly deadlineMs: number
  readonly bounds: MessageBounds
  /** The maximum size of the decoded answer in bytes; egress's limit if absent. */
  readonly maxBytes?: number
  /** The parsed result; undefined if it is invalid. */
  read(result: RpcObject, protocol: Protocol | undefined): T | undefined
}

/** A complete answer: a result, or a fault. */
export interface Reply<T> {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly value: T | undefined
  readonly fault: RpcFault | undefined
  /** What the upstream says about a refusal, as it was sent; undefined for a result. */
  readonly words: string | undefined
  /** The length of the answer, in characters. */
  readonly size: number
}

/** Sends messages to one upstream. */
export interface Transport {
  readonly host: string
  /** Sends a request once. Throws an UpstreamError if no complete MCP answer arrives. */
  ask<T>(request: UpstreamRequest, options: RequestOptions<T>): Promise<Reply<T>>
  /** The result of an answer. Throws an UpstreamError if it has none. */
  valueOf<T>(reply: Reply<T>, request: UpstreamRequest): T
  readonly notify: Notify
  /** Whether a GET opens the stream of the HTTP+SSE transport. Never throws. */
  opensOldTransport(credential: UpstreamCredential, deadlineMs: number): Promise<boolean>
}

/** The statuses with which a proxy says that the server is down. */
const PROXY_SAYS_DOWN = new Set([502, 503, 504])
/** The head of a resumed stream whose first connection was lost. */
const RESUMED = { status: 200, headers: {}, body: '' }
/** One key for all requests of a pool, so that its concurrency limiter counts them together. */
const CONCURRENCY_KEY = 'calls'
/** The maximum length of an error's body. A longer one is not a JSON-RPC message. */
const MAX_ERROR_LENGTH = 65_536

export function createTransport({
  pool,
  url,
  health,
  clock,
}: {
  pool: Pick<EgressPool, 'request'>
  url: URL
  health: Pick<Health, 'ended' | 'limited'>
  clock: Clock
}): Transport {
  const { origin, host } = url
  const { notify, notifyInBackground } = createNotify({ pool, url })

  async function ask<T>(request: UpstreamRequest, options: RequestOptions<T>): Promise<Reply<T>> {
    const { id, body, headers, protocol, runs } = request
    const { credential, signal, deadlineMs, maxBytes, bounds } = options
    const begun = clock.now()
    const events = new EventAnswer(id, bounds, asked => respond(protocol, asked, credential))
    let answer: EgressAnswer | undefined
    try {
      answer = await pool.request({
        method: 'POST',
        url,
        headers,
        body,
        credential: { origin, headers: credential.headers },
        deadlineMs,
        concurrencyKey: CONCURRENCY_KEY,
        events: text => events.take(text),
        ...(signal !== undefined && { signal }),
        ...(maxBytes !== undefined && { maxBytes }),
      })
    } catch (error) {
      if (!(isConnectionLost(error) && isResumable(protocol, events)))
        throw failed(exchangeFailed(error, { runs, heard: events.size > 0 }), request, options)
    }
    if (isResumable(protocol, events))
      try {
        const left = () => Math.max(deadlineMs - (clock.now() - begun), 1)
        await resumeStream(events, { pool, url, protocol, credential, signal, left, concurrencyKey: CONCURRENCY_KEY })
      } catch (error) {
        throw failed(resumingFailed(error, runs), request, options)
      }
    if (events.isOldTransport) throw oldTransport(host)
    return replyOf(answer ?? RESUMED, events, request, options)
  }

  function replyOf<T>(
    answer: Pick<EgressAnswer, 'status' | 'headers' | 'body'>,
    events: EventAnswer,
    request: UpstreamRequest,
    options: RequestOptions<T>,
  ): Reply<T> {
    const { credential, bounds } = options
    const { status, headers, body } = answer
    const found = events.size === 0 ? answerIn(answer, request, bounds) : events.answer
    const size = events.size || body.length
    if (status >= 200 && status < 300)
      return complete(answer, { found, size, overBounds: events.overBounds }, request, options)
    ended(request, credential, status < 500 ? 'answered' : PROXY_SAYS_DOWN.has(status) ? 'down' : 'failed')
    if (status === 429) health.limited(credential, retryAfter(headers['retry-after'], clock.now()) ?? 0)
    const words =
      status < 400 ? redirectTarget(headers.location, url) : refusalWords({ status, body, fault: found?.fault })
    return { status, headers, value: undefined, fault: found?.fault, words, size }
  }

  function ended({ protocol }: UpstreamRequest, credential: UpstreamCredential, outcome: Outcome): void {
    health.ended({ credential, handshake: protocol === undefined }, outcome)
  }

  function answerIn(
    { status, body }: Pick<EgressAnswer, 'status' | 'body'>,
    { id }: UpstreamRequest,
    bounds: MessageBounds,
  ) {
    if (body === '' || (status >= 300 && body.length > MAX_ERROR_LENGTH)) return undefined
    const message = parseMessage(body, bounds)
    return message === undefined ? undefined : answerTo(id, message)
  }

  function complete<T>(
    { status, headers, body }: Pick<EgressAnswer, 'status' | 'headers' | 'body'>,
    { found, size, overBounds }: { found: RpcAnswer | undefined; size: number; overBounds: boolean },
    request: UpstreamRequest,
    { read, bounds, credential }: RequestOptions<T>,
  ): Reply<T> {
    const { protocol, runs } = request
    const value = found?.result === undefined ? undefined : read(found.result, protocol)
    if (found === undefined && (overBounds || exceedsBounds(body, bounds))) {
      // The upstream works; only this answer cannot be passed on.
      ended(request, credential, 'answered')
      throw tooComplex(host, bounds, runs)
    }
    if (found === undefined || (value === undefined && found.fault === undefined)) {
      ended(request, credential, 'failed')
      const invalid = isPage(body) ? WEB_PAGE : 'an invalid response'
      throw malformed(host, found === undefined ? invalid : 'an invalid result', runs)
    }
    ended(request, credential, 'answered')
    return { status, headers, value, fault: found.fault, words: found.fault?.message, size }
  }

  function failed<T>(error: unknown, request: UpstreamRequest, { credential }: RequestOptions<T>): unknown {
    if (!(error instanceof UpstreamError)) return error
    const { id, protocol, runs } = request
    const { kind } = error
    if (kind === 'unreachable' || kind === 'timeout') ended(request, credential, 'down')
    if (kind === 'malformed') ended(request, credential, 'failed')
    // A legacy upstream continues an aborted call until it gets a cancellation.
    if (runs && protocol?.generation === 'legacy' && error.unsettled && (kind === 'timeout' || kind === 'aborted'))
      notifyInBackground(
        protocol,
        { method: 'notifications/cancelled', params: { requestId: id, reason: kind } },
        credential,
      )
    return error
  }

  /** Answers a request that the upstream sends in a stream. Only `ping` is supported. */
  function respond(protocol: Protocol | undefined, { id, method }: RpcObject, credential: UpstreamCredential): void {
    // Modern upstreams accept no responses.
    if (protocol?.generation !== 'legacy' || (typeof id !== 'number' && (typeof id !== 'string' || id.length > 256)))
      return
    const error = { code: -32_601, message: 'Method not found' }
    notifyInBackground(protocol, method === 'ping' ? { id, result: {} } : { id, error }, credential)
  }

  return {
    host,
    ask,
    valueOf(reply, { runs }) {
      if (reply.value !== undefined) return reply.value
      throw refusalOf(host, reply, { runs, now: clock.now() })
    },
    notify,
    async opensOldTransport(credential, deadlineMs) {
      const events = new EventAnswer(0, { levels: 1, elements: 1, letsProto: false }, () => {})
      try {
        await pool.request({
          method: 'GET',
          url,
          headers: { accept: 'text/event-stream' },
          credential: { origin, headers: credential.headers },
          deadlineMs,
          events: text => events.take(text),
        })
      } catch (error) {
        if (!(error instanceof EgressError)) throw error
      }
      return events.isOldTransport
    },
  }
}

/** Since 2026-07-28, streams cannot be resumed. */
function isResumable(protocol: Protocol | undefined, events: EventAnswer): protocol is LegacyProtocol {
  return protocol?.generation === 'legacy' && events.isResumable
}

/** The call was sent, whatever happened to the requests after it. */
function resumingFailed(error: unknown, runs: boolean): unknown {
  const failure = exchangeFailed(error, { runs, heard: true })
  return failure instanceof UpstreamError ? failure.with({ unsettled: runs }) : failure
}

/** Sends a notification or a response, or ends a session (`DELETE`). Throws an UpstreamError if no answer arrives. */
type Notify = (
  protocol: LegacyProtocol,
  message: object | 'DELETE',
  options: { readonly credential: UpstreamCredential; readonly deadlineMs: number },
) => Promise<EgressAnswer>

/** The deadline of background notifications. */
const NOTIFY_MS = 5_000

/** Creates the functions that send notifications to legacy upstreams. */
function createNotify({ pool, url }: { pool: Pick<EgressPool, 'request'>; url: URL }): {
  notify: Notify
  /** Sends without waiting; ignores failures. */
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
        // Ignore the content of the answer.
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
