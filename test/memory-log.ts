import { Writable } from 'node:stream'
import type { Logger } from 'pino'
import { createLogger, type LoggerOptions } from '../lib/logging/logger.ts'

/** The logger that is served with, and the lines it has written so far. */
export function memoryLog(options: Partial<Omit<LoggerOptions, 'stream'>> = {}): { log: Logger; lines: string[] } {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { log: createLogger({ level: 'trace', ...options, stream }), lines }
}
