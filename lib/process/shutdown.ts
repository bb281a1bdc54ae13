import { setTimeout as delay } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import type { Logger } from '../../schemas/log.ts'
import type { Readiness } from './readiness.ts'

export interface ShutdownOptions {
  log: Logger & { flush(): void }
  readiness: Pick<Readiness, 'drain'>
  /** How long a process that reports itself not ready goes on serving, for a balancer to notice. */
  drainDelayMs: number
  /** Stops accepting, and resolves when what is in flight has been answered. */
  stopServing(): Promise<void>
  /** Lets go of all that serving stood on. */
  close(): Promise<void>
}

/** For everything from the signal on; then the process exits anyway, with 1. */
const HARD_EXIT_MS = 30_000

/**
 * Ends the process on a signal: not ready, a while of serving on, no more connections, answers, exit 0.
 * A second signal ends it at once. An error that nothing caught ends it the same way, without the while, and with exit 1.
 */
export function shutDownOnSignal({ log, readiness, drainDelayMs, stopServing, close }: ShutdownOptions): void {
  closeWithGrace({ delay: HARD_EXIT_MS, logger: log }, async function shutDown({ err, signal }) {
    if (err !== undefined) log.error({ err }, 'an error that nothing caught')
    else log.info({ signal }, 'shutting down')
    readiness.drain()
    if (err === undefined) await delay(drainDelayMs)
    await stopServing()
    await close()
    log.flush()
  })
}
