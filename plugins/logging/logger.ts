import { type DestinationStream, type Logger, pino } from 'pino'
import { scrub } from './scrub.ts'

/** The process's logger: JSON lines with credentials struck out, written in chunks of 12 KB or a second. */
export function createLogger({ level, stream }: { level: string; stream?: DestinationStream }): Logger {
  return pino(
    { level, base: null, serializers: { err: describeError }, hooks: { streamWrite: scrub } },
    stream ??
      pino.destination({ dest: 1, sync: false, minLength: 12_288, periodicFlush: 1_000, retryEAGAIN: isReaderThere }),
  )
}

/** What the log keeps of an error. Its other fields stay out: drivers put a query's parameters there. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack, cause } = error
  const code = 'code' in error ? error.code : undefined
  return { type: name, message, code, stack, ...(cause !== undefined && { cause: describeError(cause) }) }
}

/** Whether a write is worth trying again: without it, an exit waits for ever for a reader that has gone. */
function isReaderThere(error: Error): boolean {
  return !('code' in error && error.code === 'EPIPE')
}
