import { StringDecoder } from 'node:string_decoder'
import { type BodyOptions, type BodyReceiver, decoded, decodingFailed } from './bodies.ts'
import { EgressError } from './egress.ts'
import { bodyTooLarge } from './egress-errors.ts'

/**
 * After the reader has enough: how long, and how many bytes, the stream is still read for its end, so that its
 * connection can be reused.
 */
const LINGER_MS = 250
const LINGER_BYTES = 65_536

/** Whether an answer is an event stream (https://html.spec.whatwg.org/#server-sent-events). */
export function isEventStream({ 'content-type': type }: Readonly<Record<string, string>>): boolean {
  return type !== undefined && /^\s*text\/event-stream\s*(?:;|$)/i.test(type)
}

/** Passes the text of a body to `events` as it arrives, until `events` has enough or the body ends. */
export function watchEvents(
  { host, maxBytes, decoding, flow }: BodyOptions,
  events: (text: string) => boolean,
  done: (error: EgressError | null) => void,
): BodyReceiver {
  const text = new StringDecoder('utf8')
  const decoder = decoding?.stream()
  let size = 0
  let enough = false
  let timer: NodeJS.Timeout | undefined

  function deliver(chunk: Buffer): void {
    size += chunk.length
    if (enough) {
      if (size > LINGER_BYTES) stopReading()
    } else if (size > maxBytes) fail(bodyTooLarge(host, maxBytes))
    else if (events(text.write(chunk))) {
      size = 0
      timer = setTimeout(stopReading, LINGER_MS)
      over(null)
    }
  }

  function over(error: EgressError | null): void {
    if (!enough) done(error)
    enough = true
  }

  function fail(error: EgressError): void {
    clearTimeout(timer)
    decoder?.destroy()
    over(error)
    flow.abort(error)
  }

  function stopReading(): void {
    fail(new EgressError('aborted', `The event stream of ${host} did not end, and its connection was closed.`))
  }

  function end(): void {
    clearTimeout(timer)
    over(null)
  }

  const failed = (error: Error) => fail(decodingFailed(error, host, maxBytes))
  return { ...decoded({ decoder, flow, deliver, end, fail: failed }), failed: fail }
}
