import { Writable } from 'node:stream'
import { createLogger, type GatewayLogger, type LoggerOptions } from '../lib/logging/logger.ts'

/** A logger, and the lines it has written so far. */
export function memoryLog(options: Partial<Omit<LoggerOptions, 'stream'>> = {}): {
  log: GatewayLogger
  lines: string[]
} {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { log: createLogger({ level: 'trace', ...options, stream }), lines }
}
