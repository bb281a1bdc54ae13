import { GatewayError } from '../../lib/errors/errors.ts'

/** How long after its deadline a tool may still say what has become of the call. */
const LAST_WORDS_MS = 250

/**
 * The end of a call before its own: its deadline, and the client's disconnect. The AbortSignal is made when a tool
 * first asks for it, because most tools never do and it would cost each call more than the tool itself.
 */
export class CallSignal {
  readonly #onDisconnect: (listener: () => void) => void
  readonly #deadlineMs: number
  #controller: AbortController | undefined
  #ended: Error | undefined
  #timer: NodeJS.Timeout | undefined

  /** `onDisconnect` calls its listener when the client goes away, or at once where it has gone. */
  constructor(onDisconnect: (listener: () => void) => void, deadlineMs: number) {
    this.#onDisconnect = onDisconnect
    this.#deadlineMs = deadlineMs
  }

  /** Aborts at the deadline and when the client goes away; aborted already for a tool that asks later than that. */
  get abortSignal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#ended !== undefined) this.#controller.abort(this.#ended)
      this.#onDisconnect(() => this.#end(new Error('The client has disconnected.')))
    }
    return this.#controller.signal
  }

  /**
   * The result of a running tool, or the tool error `timeout` at the deadline: in the tool's own words, where it listens
   * to the signal and has some at once, because it knows what may have been done.
   */
  withTimeout<T>(running: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let late: GatewayError | undefined
      this.#timer = setTimeout(() => {
        const seconds = this.#deadlineMs / 1000
        const error = new GatewayError('timeout', `The tool took longer than ${seconds} s and was given up.`, {
          unsettled: true,
        })
        late = error
        this.#end(error)
        const graceMs = this.#controller === undefined ? 0 : LAST_WORDS_MS
        this.#timer = setTimeout(() => reject(error), graceMs)
      }, this.#deadlineMs)
      running.then(resolve, thrown => reject(thrown instanceof GatewayError ? thrown : (late ?? thrown)))
    })
  }

  /** Ends the watch. */
  done(): void {
    clearTimeout(this.#timer)
  }

  #end(reason: Error): void {
    this.#ended ??= reason
    this.#controller?.abort(this.#ended)
  }
}
