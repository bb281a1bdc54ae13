import { type DestinationStream, type Logger, pino } from 'pino'
import { describeError } from './describe-error.ts'
import { createScrubber, type Scrubber } from './scrub.ts'
import { openStandardOutput } from './standard-output.ts'

export interface LoggerOptions {
  level: string
  stream?: DestinationStream
  /** What strikes secrets out of every line; one that knows them by their form alone when unset. */
  scrubber?: Scrubber
}

/** The process's logger: JSON lines without credentials, by default on standard output. */
export function createLogger({ level, stream, scrubber = createScrubber() }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: null,
      serializers: { err: describeError },
      formatters: { log: describeErrors },
      hooks: { streamWrite: scrubber.line },
    },
    stream ?? openStandardOutput(process),
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
