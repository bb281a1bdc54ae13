import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import type { LogHealth } from '../../schemas/gateway/log.ts'
import { diagnosticsChannel } from '../diagnostics-channel.ts'
import { createLogOutput, type LogOutput, MAX_WAITING_BYTES } from './log-output.ts'

/** Reports when the log starts or stops failing, and once a second while lines are lost. */
export const logHealthChannel = diagnosticsChannel<LogHealth>('connector-gateway:log-health')

/** Opens standard output for the log. Trouble with it is published and reported on stderr. */
export function openStandardOutput(subject: NodeJS.Process): LogOutput {
  const { stdout, stderr } = subject
  const report = createLogReport(stderr)
  const output = createLogOutput({
    fd: 1,
    // Node has made the pipe or socket of this stream non-blocking, but not a terminal.
    nonBlocking: stdout instanceof Socket && !stdout.isTTY,
    onHealth(health) {
      logHealthChannel.publish(health)
      report.health(health)
    },
  })
  subject.once('exit', () => {
    output.flushSync()
    report.exit(output.health().lost, output.waiting())
  })
  return output
}

/** Keeps the process alive if a stream's reader is gone or its disk is full. Without a listener Node throws the error. */
export function ignoreWriteErrors(...streams: readonly Writable[]): void {
  for (const stream of streams) if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore)
}

function ignore(): void {}

/** At most one failure a minute is reported, with its recovery: a slow reader can fail again and again. */
const REPORT_EVERY_MS = 60_000

interface LogReport {
  /** Writes a line when the log starts failing, and one when it recovers. */
  health(health: LogHealth): void
  /** Writes a line if the process ends while lines wait. */
  exit(lost: number, waiting: number): void
}

/** Reports trouble with the log on stderr. Drops a report if stderr has no reader, or one that is behind. */
export function createLogReport(stderr: Writable, now = () => performance.now()): LogReport {
  let reported = false
  let lastFailure = Number.NEGATIVE_INFINITY
  ignoreWriteErrors(stderr)

  function writeLine(line: string): void {
    if (!stderr.writableNeedDrain) stderr.write(`${line}\n`)
  }

  return {
    health({ failing, lost, reason }) {
      if (failing === reported) return
      if (failing && now() - lastFailure < REPORT_EVERY_MS) return
      if (failing) lastFailure = now()
      reported = failing
      writeLine(failing ? explain(reason) : `The log is written again. ${lost} lines were lost since the start.`)
    },
    exit(lost, waiting) {
      if (waiting === 0) return
      writeLine(`${lost + waiting} log lines were lost since the start, ${waiting} of them at the exit.`)
    },
  }
}

function explain(reason: string | undefined): string {
  const trouble =
    reason === 'slow'
      ? 'The reader of standard output is too slow for the log'
      : `The log cannot be written to standard output (${reason})`
  return `${trouble}. The gateway keeps serving, holds ${MAX_WAITING_BYTES >> 20} MiB of lines and drops later ones. If the reader does not come back, restart the gateway.`
}
