import { type DestinationStream, type Logger, pino } from 'pino'
import { createScrubber, type Scrubber } from './scrub.ts'
import { openStandardOutput } from './standard-output.ts'

export interface LoggerOptions {
  level: string
  stream?: DestinationStream
  /** Redacts secrets in every line; when unset, only secrets of a known form. */
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
  const own = fieldsOf(logger)
  return Object.assign(logger, {
    infoLine(this: Logger, fields: object, message: string): void {
      // A child logger adds its own fields. Fastify's logger is derived from this one and adds none.
      if (fieldsOf(this) !== own) this.info(fields, message)
      else if (logger.isLevelEnabled('info')) {
        const line = JSON.stringify({ level: 30, time: Date.now(), ...fields, msg: message })
        stream.write(scrubber.line(`${line}\n`))
      }
    },
  })
}

/** The fields that a logger adds to each line, as pino keeps them. */
function fieldsOf(logger: Logger): unknown {
  return (logger as Logger & Record<symbol, unknown>)[pino.symbols.chindingsSym]
}

/** Describes errors under any field name. Logged as a plain object, an error would show all of its fields. */
function describeErrors(fields: Record<string, unknown>): Record<string, unknown> {
  for (const name in fields)
    if (name !== 'err' && fields[name] instanceof Error)
      return Object.fromEntries(
        Object.entries(fields).map(([key, value]) => [key, value instanceof Error ? describeError(value) : value]),
      )
  return fields
}

/** The maximum length of a logged text in characters. */
const MAX_TEXT = 8_192
const MAX_CAUSES = 5

/**
 * Describes an error for the log: its texts and causes. Other fields are left out because drivers put query parameters
 * and rows there.
 */
function describeError(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { message: clip(String(error)) }
  const { name, message, stack, cause } = error
  const described = { type: name, message: clip(message), code: codeOf(error), stack: clip(stack) }
  if (depth === MAX_CAUSES) return described
  return {
    ...described,
    ...(cause !== undefined && { cause: describeError(cause, depth + 1) }),
    // One error per address that was tried.
    ...(error instanceof AggregateError && { errors: error.errors.slice(0, 5).map(e => describeError(e, depth + 1)) }),
  }
}

function codeOf(error: Error): string | number | undefined {
  const code = 'code' in error ? error.code : undefined
  return typeof code === 'string' || typeof code === 'number' ? code : undefined
}

function clip(text: string | undefined): string | undefined {
  return text !== undefined && text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
}
