import { GatewayError } from '../error-envelope/errors.ts'

/**
 * The end of a call before its own: its deadline, and the client's disconnect. The AbortSignal is made when a tool
 * first asks for it, because most tools never do and it would cost each call more than the tool itself.
 */
export class CallSignal {
  readonly #onDisconnect: (listener: () => void) => void
  readonly #deadline: number
  #controller: AbortController | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(onDisconnect: (listener: () => void) => void, deadline: number) {
    this.#onDisconnect = onDisconnect
    this.#deadline = deadline
  }

  /** Aborts at the deadline and when the client goes away. */
  get abortSignal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController()
      this.#controller = controller
      this.#onDisconnect(() => controller.abort(new Error('The client has disconnected.')))
    }
    return this.#controller.signal
  }

  /** The result of a running tool, or the tool error `timeout` at the deadline. */
  within<T>(running: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#timer = setTimeout(() => {
        const error = new GatewayError(
          'timeout',
          `The tool took longer than ${this.#deadline / 1000} s and was given up.`,
        )
        this.#controller?.abort(error)
        reject(error)
      }, this.#deadline)
      running.then(resolve, reject)
    })
  }

  /** Ends the watch. */
  done(): void {
    clearTimeout(this.#timer)
  }
}
