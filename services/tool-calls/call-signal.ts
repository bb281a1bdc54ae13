import { GatewayError } from '../../lib/errors/errors.ts'

/** How long after the deadline a tool may still report what it has done. */
const GRACE_MS = 250

/**
 * Ends a call early: at its deadline, or when the client disconnects. Creates the AbortSignal on first access, because most
 * tools do not use it and it would cost more than the rest of the call.
 */
export class CallSignal {
  readonly #onDisconnect: (listener: () => void) => void
  readonly #deadlineMs: number
  #controller: AbortController | undefined
  #ended: Error | undefined
  #timer: NodeJS.Timeout | undefined

  /** `onDisconnect` calls its listener when the client disconnects, or at once if it already has. */
  constructor(onDisconnect: (listener: () => void) => void, deadlineMs: number) {
    this.#onDisconnect = onDisconnect
    this.#deadlineMs = deadlineMs
  }

  /** Aborts at the deadline and when the client disconnects. */
  get abortSignal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#ended !== undefined) this.#controller.abort(this.#ended)
      this.#onDisconnect(() => this.#end(new Error('The client has disconnected.')))
    }
    return this.#controller.signal
  }

  /**
   * The result of a running tool, or the error `timeout` at the deadline. A tool that listens to the signal may throw its
   * own error shortly after the deadline, because it knows what it has done.
   */
  withTimeout<T>(running: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let late: GatewayError | undefined
      this.#timer = setTimeout(() => {
        const seconds = this.#deadlineMs / 1000
        const error = new GatewayError('timeout', `The tool took longer than ${seconds} s and was aborted.`, {
          unsettled: true,
        })
        late = error
        this.#end(error)
        const graceMs = this.#controller === undefined ? 0 : GRACE_MS
        this.#timer = setTimeout(() => reject(error), graceMs)
      }, this.#deadlineMs)
      running.then(resolve, thrown => reject(thrown instanceof GatewayError ? thrown : (late ?? thrown)))
    })
  }

  /** Stops the timer. */
  done(): void {
    clearTimeout(this.#timer)
  }

  #end(reason: Error): void {
    this.#ended ??= reason
    this.#controller?.abort(this.#ended)
  }
}
