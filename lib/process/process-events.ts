import type { Logger } from 'pino'

/**
 * Has what happens to the process written to its log, which strikes secrets out: Node prints warnings, and errors that
 * nothing caught, as they are. Until something else listens for such an error, it ends the process here.
 */
export function logProcessEvents(log: Logger, subject: NodeJS.Process): void {
  // Node's own listener, which prints.
  subject.removeAllListeners('warning')
  subject.on('warning', warning => log.warn({ err: warning }, 'a warning of the process'))

  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    subject.on(event, (error: unknown) => {
      if (subject.listenerCount(event) > 1) return
      log.fatal({ err: error }, 'an error that nothing caught')
      log.flush()
      subject.exit(1)
    })
}
