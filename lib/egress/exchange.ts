import type { Readable } from 'node:stream'
import { type Dispatcher, errors } from 'undici'
import { EgressError, type StreamedBody } from './egress.ts'
import { bodyUnreadable, egressErrorOf } from './egress-errors.ts'

/** A checked, complete request with lower-case header names. */
export interface Outgoing {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | StreamedBody | null
}

/** Controls an answer while it arrives. After the exchange ended, these functions do nothing. */
export interface Flow {
  pause(): void
  resume(): void
  /** Ends the exchange and its connection, and calls the receiver's `failed` at once. */
  abort(error: EgressError): void
}

/**
 * Receives an answer: `begun` when the request is sent, then `head`, `data`, `end`. `failed` may come at any point;
 * nothing follows it.
 */
export interface Receiver {
  begun(): void
  head(status: number, headers: Record<string, string>): void
  data(chunk: Buffer): void
  end(): void
  failed(error: EgressError): void
}

/** The maximum number of interim answers (1xx) per exchange: each one resets the count of header bytes. */
const MAX_INTERIM = 16

/** Sends one request, exactly once, and passes its answer to the receiver as it arrives. */
export function exchange(dispatcher: Dispatcher, outgoing: Outgoing, receiver: Receiver): Flow {
  let controller: Dispatcher.DispatchController | undefined
  let ended: EgressError | 'complete' | undefined
  let interim = 0
  let opened: Readable | undefined
  let unreadable: EgressError | undefined

  function fail(error: EgressError): void {
    if (ended !== undefined) return
    ended = error
    opened?.destroy()
    receiver.failed(error)
  }

  const flow: Flow = {
    pause() {
      if (ended === undefined) controller?.pause()
    },
    resume() {
      if (ended === undefined) controller?.resume()
    },
    abort(error) {
      if (ended !== undefined) return
      fail(error)
      controller?.abort(error)
    },
  }

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started) {
      controller = started
      // It was aborted while it waited for a connection.
      if (ended !== undefined && ended !== 'complete') started.abort(ended)
      else receiver.begun()
    },
    onResponseStart(_controller, status, headers) {
      if (ended !== undefined) return
      if (status >= 200) receiver.head(status, joined(headers))
      else if (++interim > MAX_INTERIM) flow.abort(endlessInterim(outgoing.url.host))
    },
    onResponseData(_controller, chunk) {
      if (ended === undefined) receiver.data(chunk)
    },
    onResponseEnd() {
      if (ended !== undefined) return
      ended = 'complete'
      // Some providers answer before they have read the body.
      opened?.destroy()
      receiver.end()
    },
    onResponseError(_controller, error) {
      fail(unreadable ?? egressErrorOf(error, outgoing.url.host))
    },
  }

  function open(body: StreamedBody): Readable {
    opened = body.open()
    opened.on('error', error => {
      // undici destroys the body with its own errors: those of the exchange.
      if (!(error instanceof errors.UndiciError)) unreadable = bodyUnreadable(outgoing.url.host, error)
    })
    return opened
  }

  const { body } = outgoing
  try {
    dispatcher.dispatch(
      {
        origin: outgoing.url.origin,
        path: outgoing.url.pathname + outgoing.url.search,
        method: outgoing.method,
        headers: outgoing.headers,
        body: isStreamed(body) ? open(body) : body,
      },
      handler,
    )
  } catch (error) {
    fail(egressErrorOf(error, outgoing.url.host))
  }
  return flow
}

function isStreamed(body: Outgoing['body']): body is StreamedBody {
  return typeof body === 'object' && body !== null && 'open' in body
}

function endlessInterim(host: string): EgressError {
  return new EgressError('too_large', `${host} sent more than ${MAX_INTERIM} interim responses without a final one.`)
}

// Changes the object in place: nothing else refers to it.
function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  for (const name in headers) {
    const value = headers[name]
    if (Array.isArray(value)) headers[name] = value.join(', ')
  }
  return headers as Record<string, string>
}
