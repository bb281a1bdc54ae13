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

/** A pino logger that also writes lines without pino's generic path. */
export interface GatewayLogger extends Logger {
  /**
   * Writes a line at level info. The fields are plain values: no errors and no serializers. A line costs half of what
   * `info` costs, and every request writes one.
   */
  infoLine(fields: object, message: string): void
}

/** Creates the logger of the process: JSON lines without credentials, by default on standard output. */
export function createLogger({
  level,
  stream = openStandardOutput(process),
  scrubber = createScrubber(),
}: LoggerOptions): GatewayLogger {
  const logger = pino(
    {
      level,
      base: null,
      serializers: { err: describeError },
      formatters: { log: describeErrors },
      hooks: { streamWrite: scrubber.line },
    },
    stream,
  )
  return Object.assign(logger, {
    infoLine(this: Logger, fields: object, message: string): void {
      // A child adds fields of its own.
      if (this !== logger) this.info(fields, message)
      else if (logger.isLevelEnabled('info')) {
        const line = JSON.stringify({ level: 30, time: Date.now(), ...fields, msg: message })
        stream.write(scrubber.line(`${line}\n`))
      }
    },
  })
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
