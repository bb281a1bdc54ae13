import { StringDecoder } from 'node:string_decoder'
import { type BodyOptions, type BodyReceiver, decoded, decodingFailed } from './bodies.ts'
import { EgressError } from './egress.ts'
import { bodyTooLarge } from './egress-errors.ts'

/** How long, and how many bytes, a stream is read on for its end, so that its connection can be used again. */
const LINGER_MS = 250
const LINGER_BYTES = 65_536

/** Whether an answer is a stream of events (https://html.spec.whatwg.org/#server-sent-events). */
export function isEventStream({ 'content-type': type }: Readonly<Record<string, string>>): boolean {
  return type !== undefined && /^\s*text\/event-stream\s*(?:;|$)/i.test(type)
}

/** Hands the text of a body on while it arrives, until `events` has enough or it ends. */
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
      if (size > LINGER_BYTES) letGo()
    } else if (size > maxBytes) fail(bodyTooLarge(host, maxBytes))
    else if (events(text.write(chunk))) {
      size = 0
      timer = setTimeout(letGo, LINGER_MS)
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

  function letGo(): void {
    fail(new EgressError('aborted', `The stream of ${host} goes on, and is not read any more.`))
  }

  function end(): void {
    clearTimeout(timer)
    over(null)
  }

  const failed = (error: Error) => fail(decodingFailed(error, host, maxBytes))
  return { ...decoded({ decoder, flow, deliver, end, fail: failed }), failed: fail }
}
