import { Socket } from 'node:net'
import { publishLogHealth } from './log-health-event.ts'
import { createLogOutput, type LogOutput } from './log-output.ts'
import { createLogReport } from './log-report.ts'

/** Opens standard output for the log. Trouble with it is published and reported on stderr. */
export function openStandardOutput(subject: NodeJS.Process): LogOutput {
  const { stdout, stderr } = subject
  const report = createLogReport(stderr)
  const output = createLogOutput({
    fd: 1,
    // Node has made the pipe or socket of this stream non-blocking, but not a terminal.
    nonBlocking: stdout instanceof Socket && !stdout.isTTY,
    onHealth(health) {
      publishLogHealth(health)
      report.health(health)
    },
  })
  subject.once('exit', () => {
    output.flushSync()
    report.exit(output.health().lost, output.waiting())
  })
  return output
}
