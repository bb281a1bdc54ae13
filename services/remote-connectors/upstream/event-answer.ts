import { createParser, type EventSourceParser } from 'eventsource-parser'
import { answerTo, type MessageBounds, parseMessage, type RpcAnswer, type RpcObject } from './rpc-message.ts'

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
