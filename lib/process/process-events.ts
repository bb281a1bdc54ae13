import { setTimeout as delay } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'
import { formatCount } from '../format-text.ts'
import type { Readiness } from './readiness.ts'

/**
 * Logs Node's warnings and uncaught errors through the logger, which redacts secrets. Node itself prints them as they are.
 * An uncaught error ends the process with exit code 1, unless another listener handles it.
 */
export function logProcessEvents(log: Logger, subject: NodeJS.Process): void {
  // Removes Node's own listener, which prints.
  subject.removeAllListeners('warning')
  subject.on('warning', warning => log.warn({ err: warning }, 'a warning of the process'))

  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    subject.on(event, (error: unknown) => {
      if (subject.listenerCount(event) > 1) return
      log.fatal({ err: error }, 'an uncaught error ended the process')
      log.flush()
      subject.exit(1)
    })
}

interface ShutdownOptions {
  log: Pick<Logger, 'info' | 'warn' | 'error' | 'flush'>
  readiness: Pick<Readiness, 'drain'>
  /** How long the process keeps serving after it reports not ready, so that a load balancer notices. */
  drainDelayMs: number
  /** Stops accepting connections; resolves when all requests in flight are answered. */
  stopServing(): Promise<void>
  /** Closes everything that serving used. */
  close(): Promise<void>
  /** Writes a line for people. A stop then writes one such line, and none to the log. */
  announce?: ((line: string) => void) | undefined
}

/** The longest time from the signal to the exit; after it, the process exits with code 1. */
const HARD_EXIT_MS = 30_000

/**
 * Ends the process gracefully on a signal: reports not ready, serves for the drain delay, answers what is in flight,
 * exits with code 0. A second signal ends it at once. An uncaught error ends it without the delay, with code 1.
 */
export function shutDownOnSignal(options: ShutdownOptions): void {
  const { log, readiness, drainDelayMs, stopServing, close, announce } = options
  const onSecondSignal = announce && { onSecondSignal: () => announce('Stopped before everything was finished.') }

  closeWithGrace({ delay: HARD_EXIT_MS, logger: log, ...onSecondSignal }, async function shutDown({ err, signal }) {
    const inFlight = readiness.drain()
    const waits = inFlight > 0 || drainDelayMs > 0
    if (err !== undefined) log.error({ err }, 'an uncaught error ends the process')
    else if (announce === undefined) log.info({ signal, in_flight: inFlight }, 'shutting down')
    else if (waits) announce(waitingFor(inFlight, drainDelayMs))
    if (err === undefined) await delay(drainDelayMs)
    await stopServing()
    await close()
    if (err === undefined && !waits) announce?.('Stopped.')
    log.flush()
  })
}

function waitingFor(inFlight: number, drainDelayMs: number): string {
  const requests = `waiting for ${formatCount(inFlight, 'request')} in flight`
  const serving = `serving for ${drainDelayMs / 1_000} more seconds`
  const work = [...(drainDelayMs > 0 ? [serving] : []), ...(inFlight > 0 ? [requests] : [])].join(', ')
  return `Stopping: ${work}; at most ${HARD_EXIT_MS / 1_000} seconds. A second signal stops at once.`
}
