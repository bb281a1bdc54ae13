import { type DestinationStream, type Logger, pino } from 'pino'
import { describeError } from './describe-error.ts'
import { createScrubber, type Scrubber } from './scrub.ts'

export interface LoggerOptions {
  level: string
  stream?: DestinationStream
  /** What strikes secrets out of every line; one that knows them by their form alone when unset. */
  scrubber?: Scrubber
}

/** The process's logger: JSON lines with credentials struck out, written in chunks of 12 KB or a second. */
export function createLogger({ level, stream, scrubber = createScrubber() }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: null,
      serializers: { err: describeError },
      formatters: { log: describeErrors },
      hooks: { streamWrite: scrubber.line },
    },
    stream ??
      pino.destination({ dest: 1, sync: false, minLength: 12_288, periodicFlush: 1_000, retryEAGAIN: isReaderThere }),
  )
}

/** Has an error described under whatever name it is logged: as an object it would show all that hangs on it. */
function describeErrors(fields: Record<string, unknown>): Record<string, unknown> {
  for (const name in fields)
    if (name !== 'err' && fields[name] instanceof Error)
      return Object.fromEntries(
        Object.entries(fields).map(([key, value]) => [key, value instanceof Error ? describeError(value) : value]),
      )
  return fields
}

/** Whether a write is worth trying again: without it, an exit waits for ever for a reader that has gone. */
function isReaderThere(error: Error): boolean {
  return !('code' in error && error.code === 'EPIPE')
}
