import { Socket } from 'node:net'
import type { LogHealth } from '../../schemas/log.ts'
import { diagnosticsChannel } from '../diagnostics-channel.ts'
import { createLogOutput, type LogOutput } from './log-output.ts'
import { createLogReport } from './log-report.ts'

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
