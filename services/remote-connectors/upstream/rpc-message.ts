import { createParser, type EventSourceParser } from 'eventsource-parser'
import { parse } from 'secure-json-parse'
import { isJsonObject, isWithinBounds, type JsonBounds } from '../../../lib/http/json.ts'

/** A parsed message of an upstream's. */
export type RpcObject = Readonly<Record<string, unknown>>

/** The upstream's error, its members of the types that JSON-RPC gives them. */
export interface RpcFault {
  readonly code: number
  readonly message: string
  readonly data: unknown
  /** Whether it names the request: an error that does not is about what carried it. */
  readonly named: boolean
}

export interface RpcAnswer {
  readonly result: RpcObject | undefined
  readonly fault: RpcFault | undefined
}

/** What a message may hold. */
export interface MessageBounds extends JsonBounds {
  /** Whether members named `__proto__` are let through, for those who look for them in each part of the message. */
  readonly letsProto: boolean
}

/** No text of fewer characters nests deeper than is allowed anywhere. */
const SHORT = 128

/** One message; undefined for what is no JSON object, and for one that holds more than it may. */
export function parseMessage(text: string, bounds: MessageBounds): RpcObject | undefined {
  if (text.length > SHORT && !isWithinBounds(text, bounds)) return undefined
  try {
    const message: unknown = bounds.letsProto
      ? JSON.parse(text)
      : parse(text, undefined, { constructorAction: 'ignore' })
    return isJsonObject(message) ? message : undefined
  } catch {
    return undefined
  }
}

/** A message as the answer to the request of this id; undefined when it is none. */
export function answerTo(id: number, { jsonrpc, id: named, result, error }: RpcObject): RpcAnswer | undefined {
  if (jsonrpc !== '2.0') return undefined
  if (error === undefined) return named === id && isJsonObject(result) ? { result, fault: undefined } : undefined
  if (!isJsonObject(error) || (named !== id && named !== null && named !== undefined)) return undefined
  const { code, message, data } = error
  if (typeof code !== 'number' || !Number.isSafeInteger(code) || typeof message !== 'string') return undefined
  return { result: undefined, fault: { code, message, data, named: named === id } }
}

/** Requests of one stream that are answered at most: each costs a request of our own. */
const MAX_ASKED = 16

/** Looks for the answer to one request in a stream of events (MCP, Streamable HTTP). */
export class EventAnswer {
  /** Undefined until it came. */
  answer: RpcAnswer | undefined
  /** Characters of the stream so far. */
  size = 0
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
        if (!this.#over && data !== '' && (event === undefined || event === 'message')) this.#over = this.#isLast(data)
      },
    })
  }

  /** Takes the text as it comes; true: nothing after this counts, whether the answer has come or never will. */
  take(text: string): boolean {
    this.size += text.length
    this.#parser.feed(text)
    return this.#over
  }

  #isLast(data: string): boolean {
    const message = parseMessage(data, this.#bounds)
    if (message === undefined) return true
    if (typeof message.method !== 'string') {
      this.answer = answerTo(this.#id, message)
      return true
    }
    if (message.id !== undefined && ++this.#requests <= MAX_ASKED) this.#asked(message)
    return false
  }
}
