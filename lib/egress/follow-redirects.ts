import type { Dispatcher } from 'undici'
import { type BodyOptions, type BodyReceiver, decodingOf } from './bodies.ts'
import type { ConcurrencyLimiter } from './concurrency-limiter.ts'
import { type AnswerHead, EgressError, type EgressRequest } from './egress.ts'
import {
  bodyTooLarge,
  concurrencyLimitReached,
  deadlinePassed,
  egressErrorOf,
  givenUp,
  unsent,
} from './egress-errors.ts'
import { exchange, type Flow, type Outgoing } from './exchange.ts'
import { locationOf, prepare, redirected, secretNames, withFormWritten } from './prepare.ts'
import type { AddressRules } from './private-addresses.ts'
import { refused } from './validate-destination.ts'

/** What a set of requests shares: the address rules, the connections and the concurrency limits. */
export interface Route {
  rules: AddressRules
  dispatcher: Dispatcher
  limiter: ConcurrencyLimiter
}

/** Receives an answer. A failure before the head of the answer goes to `failed`, a later one to the body's receiver. */
interface AnswerReceiver {
  receive(head: AnswerHead, options: BodyOptions): BodyReceiver
  failed(error: EgressError): void
}

const DEADLINE_MS = 30_000
const MAX_BYTES = 8 * 1024 * 1024

/** The maximum number of bytes read of a redirect's body, so that its connection can be reused. */
const MAX_REDIRECT_BYTES = 65_536

/** Sends a request and follows its redirects within one deadline. */
export function followRedirects(route: Route, request: EgressRequest, receiver: AnswerReceiver): void {
  const { body, signal } = request
  if (body instanceof FormData) {
    withFormWritten(request, body).then(
      written => followRedirects(route, written, receiver),
      error => receiver.failed(egressErrorOf(error, 'The form')),
    )
    return
  }
  let outgoing: Outgoing
  try {
    outgoing = prepare(request, route.rules)
    if (signal?.aborted) throw givenUp(outgoing.url.host, signal)
  } catch (error) {
    receiver.failed(unsent(egressErrorOf(error, 'The request')))
    return
  }
  new RequestRun(route, request, outgoing, receiver).start()
}

/** One request with its redirects, until its answer ends or fails. */
class RequestRun {
  readonly #route: Route
  readonly #request: EgressRequest
  readonly #receiver: AnswerReceiver
  readonly #maxBytes: number
  readonly #maxRedirects: number
  readonly #timer: NodeJS.Timeout
  /** The request of the current hop. */
  #outgoing: Outgoing
  #flow: Flow | undefined
  #sent = false
  #releaseSlot: (() => void) | undefined

  constructor(route: Route, request: EgressRequest, outgoing: Outgoing, receiver: AnswerReceiver) {
    const { deadlineMs = DEADLINE_MS, maxBytes = MAX_BYTES, maxRedirects = 0, signal } = request
    this.#route = route
    this.#request = request
    this.#outgoing = outgoing
    this.#receiver = receiver
    this.#maxBytes = maxBytes
    this.#maxRedirects = maxRedirects
    this.#timer = setTimeout(() => this.#flow?.abort(deadlinePassed(this.#outgoing.url.host, deadlineMs)), deadlineMs)
    signal?.addEventListener('abort', this.#giveUp)
  }

  start(): void {
    const { concurrencyKey } = this.#request
    if (concurrencyKey === undefined) this.#send(this.#maxRedirects)
    else this.#takeSlot(`${concurrencyKey} ${this.#outgoing.url.origin}`)
  }

  readonly #giveUp = (): void => {
    this.#flow?.abort(givenUp(this.#outgoing.url.host, this.#request.signal))
  }

  /** Takes one slot for the request and all of its redirects. */
  #takeSlot(key: string): void {
    const { host } = this.#outgoing.url
    this.#flow = {
      pause() {},
      resume() {},
      // A request whose deadline ends in the queue was not sent, so the error must not say that nobody answered.
      abort: error => this.#fail(error.reason === 'timeout' ? concurrencyLimitReached(host) : error),
    }
    this.#releaseSlot = this.#route.limiter.acquire(key, {
      start: release => {
        this.#releaseSlot = release
        this.#send(this.#maxRedirects)
      },
      reject: () => this.#fail(concurrencyLimitReached(host)),
    })
  }

  #end(): void {
    this.#releaseSlot?.()
    clearTimeout(this.#timer)
    this.#request.signal?.removeEventListener('abort', this.#giveUp)
  }

  #fail(error: EgressError): void {
    this.#end()
    this.#receiver.failed(this.#sent ? error : unsent(error))
  }

  #send(redirectsLeft: number): void {
    let receiver: BodyReceiver = { data() {}, end() {}, failed: error => this.#fail(error) }
    const hop = exchange(this.#route.dispatcher, this.#outgoing, {
      begun: () => {
        this.#sent = true
      },
      head: (status, headers) => {
        const location = this.#maxRedirects > 0 ? locationOf(status, headers) : undefined
        const next =
          location === undefined
            ? this.#answered(hop, status, headers)
            : this.#redirected(hop, { status, location, redirectsLeft })
        receiver = next ?? receiver
      },
      data: chunk => receiver.data(chunk),
      end: () => receiver.end(),
      failed: error => receiver.failed(error),
    })
    this.#flow = hop
  }

  #answered(hop: Flow, status: number, headers: Record<string, string>): BodyReceiver | undefined {
    const { url, method } = this.#outgoing
    const maxBytes = this.#maxBytes
    const bodiless = method === 'HEAD' || status === 204 || status === 304
    const decoding = bodiless ? undefined : decodingOf(headers['content-encoding'])
    if (decoding === null) {
      hop.abort(new EgressError('unreachable', `${url.host} sent a content encoding that was not requested.`))
      return undefined
    }
    if (!bodiless && Number(headers['content-length']) > maxBytes) {
      hop.abort(bodyTooLarge(url.host, maxBytes))
      return undefined
    }
    if (decoding !== undefined) {
      delete headers['content-encoding']
      delete headers['content-length']
    }
    const body = this.#receiver.receive(
      { status, headers, url: url.href, answeredWithCredential: hasCredential(this.#outgoing, this.#request) },
      { host: url.host, maxBytes, decoding, flow: hop },
    )
    return {
      data: body.data,
      end: () => {
        this.#end()
        body.end()
      },
      failed: error => {
        this.#end()
        body.failed(error)
      },
    }
  }

  #redirected(
    hop: Flow,
    { status, location, redirectsLeft }: { status: number; location: string; redirectsLeft: number },
  ): BodyReceiver | undefined {
    const { host } = this.#outgoing.url
    let next: Outgoing
    try {
      if (redirectsLeft === 0) throw refused(host, `redirects more than ${this.#maxRedirects} times`)
      next = redirected(this.#outgoing, status, location, secretNames(this.#request), this.#route.rules)
    } catch (error) {
      hop.abort(egressErrorOf(error, host))
      return undefined
    }
    const enough = new EgressError('aborted', `The redirect of ${host} is followed without reading the rest of it.`)
    let size = 0
    const end = () => {
      this.#outgoing = next
      this.#send(redirectsLeft - 1)
    }
    return {
      data(chunk) {
        size += chunk.length
        if (size > MAX_REDIRECT_BYTES) hop.abort(enough)
      },
      end,
      failed: error => (error === enough ? end() : this.#fail(error)),
    }
  }
}

function hasCredential({ headers }: Outgoing, request: EgressRequest): boolean {
  return request.credential !== undefined && secretNames(request).every(name => headers[name] !== undefined)
}
