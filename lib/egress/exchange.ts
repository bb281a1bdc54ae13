import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { EgressError } from './egress.ts'
import { egressErrorOf } from './egress-errors.ts'

/** One request as it goes onto the wire: judged, complete, its header names in lower case. */
export interface Outgoing {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | Readable | null
}

/** What steers an answer while it arrives; all of it does nothing once the exchange is over. */
export interface Flow {
  pause(): void
  resume(): void
  /** Ends the exchange and its connection; the receiver's `failed` follows at once. */
  abort(error: EgressError): void
}

/** Takes an answer apart: `begun` when the request goes out, `head`, then `data`, then `end`; or `failed` at any point, after which nothing follows. */
export interface Receiver {
  begun(): void
  head(status: number, headers: Record<string, string>): void
  data(chunk: Buffer): void
  end(): void
  failed(error: EgressError): void
}

/** Interim answers (1xx) of one exchange at most: each begins a new count of header bytes. */
const MAX_INTERIM = 16

/** Sends one request and hands its answer over as it arrives. It is sent once, whatever happens. */
export function exchange(dispatcher: Dispatcher, outgoing: Outgoing, receiver: Receiver): Flow {
  let controller: Dispatcher.DispatchController | undefined
  let ended: EgressError | 'complete' | undefined
  let interim = 0

  function fail(error: EgressError): void {
    if (ended !== undefined) return
    ended = error
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
      // Given up while it waited for a connection.
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
      receiver.end()
    },
    onResponseError(_controller, error) {
      fail(egressErrorOf(error, outgoing.url.host))
    },
  }

  try {
    dispatcher.dispatch(
      {
        origin: outgoing.url.origin,
        path: outgoing.url.pathname + outgoing.url.search,
        method: outgoing.method,
        headers: outgoing.headers,
        body: outgoing.body,
      },
      handler,
    )
  } catch (error) {
    fail(egressErrorOf(error, outgoing.url.host))
  }
  return flow
}

function endlessInterim(host: string): EgressError {
  return new EgressError('too_large', `${host} sent more than ${MAX_INTERIM} interim answers and no final one.`)
}

// The object is the answer's own: nothing else holds it.
function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  for (const name in headers) {
    const value = headers[name]
    if (Array.isArray(value)) headers[name] = value.join(', ')
  }
  return headers as Record<string, string>
}
