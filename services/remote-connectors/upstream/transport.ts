import type { EgressAnswer, EgressPool } from '../../../lib/egress/egress.ts'
import type { Clock } from '../../../schemas/time.ts'
import type { Breaker } from './breaker.ts'
import { exchangeFailed, malformed, refusalOf, tooComplex, WEB_PAGE } from './failures.ts'
import { isPage, redirectTarget, refusalWords } from './refusal-words.ts'
import { legacyHeaders, sessionHeaders, type UpstreamRequest } from './requests.ts'
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
}

/** One key for all requests of a pool, so that its concurrency limiter counts them together. */
const CONCURRENCY_KEY = 'calls'
/** The maximum length of an error's body. A longer one is not a JSON-RPC message. */
const MAX_ERROR_LENGTH = 65_536

export function createTransport({
  pool,
  url,
  breaker,
  clock,
}: {
  pool: Pick<EgressPool, 'request'>
  url: URL
  breaker: Pick<Breaker, 'succeeded' | 'failed'>
  clock: Clock
}): Transport {
  const { origin, host } = url
  const { notify, notifyInBackground } = createNotify({ pool, url })

  async function ask<T>(request: UpstreamRequest, options: RequestOptions<T>): Promise<Reply<T>> {
    const { id, body, headers, protocol, runs } = request
    const { credential, signal, deadlineMs, maxBytes, bounds } = options
    let events: EventAnswer | undefined
    let answer: EgressAnswer
    try {
      answer = await pool.request({
        method: 'POST',
        url,
        headers,
        body,
        credential: { origin, headers: credential.headers },
        deadlineMs,
        concurrencyKey: CONCURRENCY_KEY,
        events(text) {
          events ??= new EventAnswer(id, bounds, asked => respond(protocol, asked, credential))
          return events.take(text)
        },
        ...(signal !== undefined && { signal }),
        ...(maxBytes !== undefined && { maxBytes }),
      })
    } catch (error) {
      throw failed(exchangeFailed(error, { runs, heard: events !== undefined }), request, options)
    }
    const { status } = answer
    const found = events === undefined ? answerIn(answer, request, bounds) : events.answer
    const size = events === undefined ? answer.body.length : events.size
    if (status >= 200 && status < 300) {
      const overBounds = events?.overBounds === true
      return complete(answer, { found, size, overBounds }, request, options)
    }
    if (status < 500) breaker.succeeded()
    else breaker.failed()
    const words =
      status < 400
        ? redirectTarget(answer.headers.location, url)
        : refusalWords({ status, body: answer.body, fault: found?.fault })
    return { status, headers: answer.headers, value: undefined, fault: found?.fault, words, size }
  }

  function answerIn({ status, body }: EgressAnswer, { id }: UpstreamRequest, bounds: MessageBounds) {
    if (body === '' || (status >= 300 && body.length > MAX_ERROR_LENGTH)) return undefined
    const message = parseMessage(body, bounds)
    return message === undefined ? undefined : answerTo(id, message)
  }

  function complete<T>(
    { status, headers, body }: EgressAnswer,
    { found, size, overBounds }: { found: RpcAnswer | undefined; size: number; overBounds: boolean },
    { protocol, runs }: UpstreamRequest,
    { read, bounds }: RequestOptions<T>,
  ): Reply<T> {
    const value = found?.result === undefined ? undefined : read(found.result, protocol)
    if (found === undefined && (overBounds || exceedsBounds(body, bounds))) {
      // The upstream works; only this answer cannot be passed on.
      breaker.succeeded()
      throw tooComplex(host, bounds, runs)
    }
    if (found === undefined || (value === undefined && found.fault === undefined)) {
      breaker.failed()
      const invalid = isPage(body) ? WEB_PAGE : 'an invalid response'
      throw malformed(host, found === undefined ? invalid : 'an invalid result', runs)
    }
    breaker.succeeded()
    return { status, headers, value, fault: found.fault, words: found.fault?.message, size }
  }

  function failed<T>(
    error: unknown,
    { id, protocol, runs }: UpstreamRequest,
    { credential }: RequestOptions<T>,
  ): unknown {
    if (!(error instanceof UpstreamError)) return error
    const { kind } = error
    if (kind === 'unreachable' || kind === 'timeout' || kind === 'malformed') breaker.failed()
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
  }
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
