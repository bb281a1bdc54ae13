import type { Settings } from '../configuration/settings.ts'
import { ConfigurationError } from '../configuration/variable.ts'
import { errorCode, isDatabaseUnavailable } from '../database/database-errors.ts'
import { UsageError } from '../errors/errors.ts'
import { configuredSecrets } from '../logging/configured-secrets.ts'
import { createScrubber, type Scrubber } from '../logging/scrub.ts'
import { terminalText } from '../sanitize-text.ts'

/**
 * Runs what a process is for, with its settings and the one scrubber that is made of them. What fails is explained on
 * stderr without secrets and escape codes: before there are settings, by the forms of secrets alone. Answers whether all went well.
 */
export async function runProcess(
  readSettings: () => Settings,
  run: (settings: Settings, scrubber: Scrubber) => Promise<void>,
): Promise<boolean> {
  let scrubber = createScrubber()
  try {
    const settings = readSettings()
    scrubber = createScrubber(configuredSecrets(settings))
    await run(settings, scrubber)
    return true
  } catch (error) {
    process.stderr.write(`${terminalText(scrubber.text(explainFailure(error)), { lines: true })}\n`)
    return false
  }
}

/** Codes of PostgreSQL for a database, a role or a password that is not there. */
const WRONG_DATABASE = /^(3D|28)/

/** What PostgreSQL answers a role that may not do what is asked. */
const NO_RIGHT = '42501'

/** Why a start or a command failed: one line for what the operator can mend, and a stack for what he cannot. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = errorCode(error)
  if (code === 'EADDRINUSE') return 'The port is in use: stop what listens there, or set PORT.'
  if (code === 'EADDRNOTAVAIL') return 'HOST is no address of this machine.'
  if (code === 'EACCES' && 'syscall' in error && error.syscall === 'listen') return 'This user may not listen on PORT.'
  if (isDatabaseUnavailable(error) || WRONG_DATABASE.test(code ?? '')) return `DATABASE_URL: ${messageOf(error)}`
  // A full stop: after "table api_keys:" the scrubber takes the next word for a secret.
  if (code === NO_RIGHT)
    return `DATABASE_URL: ${error.message}. Grant its role what docs/operations.md lists under "Rights".`
  return isExpected(error) ? error.message : (error.stack ?? error.message)
}

function isExpected(error: Error): boolean {
  const expected = ['GatewayError', 'DirectoryInUse', 'ServerTooOld']
  return error instanceof ConfigurationError || error instanceof UsageError || expected.includes(error.name)
}

/** Of several addresses that were tried, what the first one said. */
function messageOf(error: Error): string {
  const [first] = error instanceof AggregateError ? error.errors : [error]
  return first instanceof Error ? first.message : error.message
}
