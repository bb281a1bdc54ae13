import { createParser, type EventSourceParser } from 'eventsource-parser'
import { parse } from 'secure-json-parse'
import { keepDigits } from '../../../lib/exact-numbers.ts'
import { isJsonObject, isWithinBounds, type JsonBounds } from '../../../lib/http/json.ts'

/** A parsed message of an upstream. */
export type RpcObject = Readonly<Record<string, unknown>>

/** The JSON-RPC error of an upstream, with validated types. */
export interface RpcFault {
  readonly code: number
  readonly message: string
  readonly data: unknown
  /** Whether the error has the request's ID. One without it is about the transport. */
  readonly named: boolean
}

export interface RpcAnswer {
  readonly result: RpcObject | undefined
  readonly fault: RpcFault | undefined
}

/** The limits of a message. */
export interface MessageBounds extends JsonBounds {
  /** Whether members named `__proto__` are allowed, for callers that check each part of the message themselves. */
  readonly letsProto: boolean
}

/** A text of fewer characters cannot exceed any limit. */
const SHORT = 128

/**
 * Parses one message; undefined if it is not a JSON object or exceeds the bounds. Large numbers keep their digits, except in
 * lists, whose depth a reviver would not survive.
 */
export function parseMessage(text: string, bounds: MessageBounds): RpcObject | undefined {
  if (text.length > SHORT && !isWithinBounds(text, bounds)) return undefined
  try {
    const message: unknown = bounds.letsProto
      ? JSON.parse(text)
      : parse(text, keepDigits(text), { constructorAction: 'ignore' })
    return isJsonObject(message) ? message : undefined
  } catch {
    return undefined
  }
}

/** Whether a message has more elements or levels than may be parsed. The result is meaningless for invalid JSON. */
export function exceedsBounds(text: string, bounds: MessageBounds): boolean {
  return text.length > SHORT && text.startsWith('{') && !isWithinBounds(text, bounds)
}

/** Reads a message as the answer to the request with this ID; undefined if it is not. */
export function answerTo(id: number, { jsonrpc, id: named, result, error }: RpcObject): RpcAnswer | undefined {
  if (jsonrpc !== '2.0') return undefined
  if (error === undefined) return named === id && isJsonObject(result) ? { result, fault: undefined } : undefined
  if (!isJsonObject(error) || (named !== id && named !== null && named !== undefined)) return undefined
  const { code, message, data } = error
  if (typeof code !== 'number' || !Number.isSafeInteger(code) || typeof message !== 'string') return undefined
  return { result: undefined, fault: { code, message, data, named: named === id } }
}

/** What can be sent as a header. */
const EVENT_ID = /^[\x21-\x7e](?:[\x20-\x7e]{0,1022}[\x21-\x7e])?$/
/** How many requests of one stream are answered, because each costs a request. */
const MAX_ASKED = 16

/** Finds the answer to one request in a stream of server-sent events. */
export class EventAnswer {
  /** Undefined until it arrives. */
  answer: RpcAnswer | undefined
  /** Whether a message exceeded the bounds, so that no answer can follow. */
  overBounds = false
  /** The length of the stream so far, in characters. */
  size = 0
  /** Whether the stream is that of the HTTP+SSE transport, which answers no POST. */
  isOldTransport = false
  /** The ID of the last event, after which the stream can be resumed. */
  lastEventId: string | undefined
  /** How long to wait before resuming it, in milliseconds, if the upstream says so. */
  retryMs: number | undefined
  readonly #id: number
  readonly #bounds: MessageBounds
  readonly #asked: (request: RpcObject) => void
  readonly #parser: EventSourceParser
  #over = false
  #requests = 0

  constructor(id: number, bounds: MessageBounds, asked: (request: RpcObject) => void) {
    this.#id = id
    this.#bounds = bounds
    this.#asked = asked
    this.#parser = createParser({
      onEvent: ({ event, data }) => {
        if (this.#over || data === '') return
        this.isOldTransport ||= event === 'endpoint'
        this.#over = this.isOldTransport
        if (event === undefined || event === 'message') this.#over = this.#isLast(data)
      },
      onId: id => {
        this.lastEventId = EVENT_ID.test(id) ? id : undefined
      },
      onRetry: milliseconds => {
        this.retryMs = milliseconds
      },
    })
  }

  /** Whether the stream ended before its answer and can be resumed. */
  get isResumable(): boolean {
    return !this.#over && this.lastEventId !== undefined
  }

  /** Prepares for the rest of the stream. An event that was cut comes again. */
  resume(): void {
    this.#parser.reset()
  }

  /** Reads the next text. Returns true if the rest of the stream does not matter: the answer has arrived, or never will. */
  take(text: string): boolean {
    this.size += text.length
    this.#parser.feed(text)
    return this.#over
  }

  #isLast(data: string): boolean {
    const message = parseMessage(data, this.#bounds)
    if (message === undefined) {
      this.overBounds = exceedsBounds(data, this.#bounds)
      return true
    }
    if (typeof message.method !== 'string') {
      this.answer = answerTo(this.#id, message)
      return true
    }
    if (message.id !== undefined && ++this.#requests <= MAX_ASKED) this.#asked(message)
    return false
  }
}
