import type { Dispatcher } from 'undici'
import type { AddressRules } from './address-rules.ts'
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
import { discard, locationOf, prepare, redirected, secretNames, withFormWritten } from './prepare.ts'
import { refused } from './validate-destination.ts'

/** What requests go out by. */
export interface Out {
  rules: AddressRules
  dispatcher: Dispatcher
  limiter: ConcurrencyLimiter
}

/** What a caller does with an answer: one that fails before its head arrived comes to `failed`, later to the receiver. */
export interface Taker {
  receive(head: AnswerHead, options: BodyOptions): BodyReceiver
  failed(error: EgressError): void
}

const DEADLINE_MS = 30_000
const MAX_BYTES = 8 * 1024 * 1024

/** Bytes of a redirect's body that are read so that its connection can be used again. */
const SKIPPED_BYTES = 65_536

/** Sends a request within its deadline, and after it those that redirects make of it. */
export function follow(out: Out, request: EgressRequest, taker: Taker): void {
  const { rules, dispatcher, limiter } = out
  const { body, deadlineMs = DEADLINE_MS, maxBytes = MAX_BYTES, maxRedirects = 0, concurrencyKey, signal } = request
  if (body instanceof FormData) {
    withFormWritten(request, body).then(
      written => follow(out, written, taker),
      error => taker.failed(egressErrorOf(error, 'The form')),
    )
    return
  }

  let outgoing: Outgoing
  try {
    outgoing = prepare(request, rules)
    if (signal?.aborted) throw givenUp(outgoing.url.host, signal)
  } catch (error) {
    discard(body)
    taker.failed(unsent(egressErrorOf(error, 'The request')))
    return
  }

  let flow: Flow | undefined
  let sent = false
  const timer = setTimeout(() => flow?.abort(deadlinePassed(outgoing.url.host, deadlineMs)), deadlineMs)
  const giveUp = () => flow?.abort(givenUp(outgoing.url.host, signal))
  signal?.addEventListener('abort', giveUp)
  let release: (() => void) | undefined
  if (concurrencyKey === undefined) send(maxRedirects)
  else takeSlot(`${concurrencyKey} ${outgoing.url.origin}`)

  /** Takes one slot for the request and all of its redirects. */
  function takeSlot(key: string): void {
    const { host } = outgoing.url
    flow = {
      pause() {},
      resume() {},
      // A request whose deadline ends in the queue was not sent, so the error must not say that nobody answered.
      abort: error => fail(error.reason === 'timeout' ? concurrencyLimitReached(host) : error),
    }
    release = limiter.acquire(key, {
      start(releaseSlot) {
        release = releaseSlot
        send(maxRedirects)
      },
      reject: () => fail(concurrencyLimitReached(host)),
    })
  }

  function over(): void {
    release?.()
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }

  function fail(error: EgressError): void {
    over()
    discard(body)
    taker.failed(sent ? error : unsent(error))
  }

  function send(redirectsLeft: number): void {
    let receiver: BodyReceiver = { data() {}, end() {}, failed: fail }
    const hop = exchange(dispatcher, outgoing, {
      begun() {
        sent = true
      },
      head(status, headers) {
        const location = maxRedirects > 0 ? locationOf(status, headers) : undefined
        if (location === undefined) receiver = answered(hop, status, headers) ?? receiver
        else receiver = moved(hop, status, location, redirectsLeft) ?? receiver
      },
      data: chunk => receiver.data(chunk),
      end: () => receiver.end(),
      failed: error => receiver.failed(error),
    })
    flow = hop
  }

  function answered(hop: Flow, status: number, headers: Record<string, string>): BodyReceiver | undefined {
    const { url, method } = outgoing
    const bodiless = method === 'HEAD' || status === 204 || status === 304
    const decoding = bodiless ? undefined : decodingOf(headers['content-encoding'])
    if (decoding === null) {
      hop.abort(new EgressError('unreachable', `${url.host} answered in a content encoding that was not asked for.`))
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
    const taken = taker.receive(
      { status, headers, url: url.href, answeredWithCredential: hasCredential(outgoing, request) },
      { host: url.host, maxBytes, decoding, flow: hop },
    )
    return {
      data: taken.data,
      end() {
        over()
        taken.end()
      },
      failed(error) {
        over()
        discard(body)
        taken.failed(error)
      },
    }
  }

  function moved(hop: Flow, status: number, location: string, redirectsLeft: number): BodyReceiver | undefined {
    let next: Outgoing
    try {
      if (redirectsLeft === 0) throw refused(outgoing.url.host, `redirects more than ${maxRedirects} times`)
      next = redirected(outgoing, status, location, secretNames(request), rules)
    } catch (error) {
      hop.abort(egressErrorOf(error, outgoing.url.host))
      return undefined
    }
    const enough = new EgressError('aborted', `The redirect of ${outgoing.url.host} is followed without reading it.`)
    let size = 0
    function end(): void {
      outgoing = next
      send(redirectsLeft - 1)
    }
    return {
      data(chunk) {
        size += chunk.length
        if (size > SKIPPED_BYTES) hop.abort(enough)
      },
      end,
      failed: error => (error === enough ? end() : fail(error)),
    }
  }
}

function hasCredential({ headers }: Outgoing, request: EgressRequest): boolean {
  return request.credential !== undefined && secretNames(request).every(name => headers[name] !== undefined)
}
