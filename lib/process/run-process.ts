import { errorCode, isDatabaseUnavailable } from '../database/database-errors.ts'
import type { PostgresOptions } from '../database/postgres.ts'
import { UsageError } from '../errors/errors.ts'
import { createScrubber, type Scrubber } from '../logging/scrub.ts'
import { terminalText } from '../sanitize-text.ts'

/**
 * Runs the main work of a process with its settings and a scrubber of their secrets. Explains a failure on stderr
 * without secrets and escape codes. Returns whether it succeeded.
 */
export async function runProcess<S extends FailedSettings>(
  readSettings: () => S,
  secretsOf: (settings: S) => readonly string[],
  run: (settings: S, scrubber: Scrubber) => Promise<void>,
): Promise<boolean> {
  let scrubber = createScrubber()
  let settings: S | undefined
  try {
    settings = readSettings()
    scrubber = createScrubber(secretsOf(settings))
    await run(settings, scrubber)
    return true
  } catch (error) {
    process.stderr.write(`${terminalText(scrubber.text(explainFailure(error, settings)), { lines: true })}\n`)
    return false
  }
}

/** PostgreSQL's code for insufficient privilege. */
const NO_RIGHT = '42501'

interface FailedSettings {
  readonly database: PostgresOptions | undefined
  readonly dashboard?: { readonly port: number } | undefined
}

/** Explains a failed start or command: one line for each fault that the operator can fix, otherwise a stack. */
export function explainFailure(error: unknown, settings: FailedSettings = { database: undefined }): string {
  if (!(error instanceof Error)) return String(error)
  const code = errorCode(error)
  if (code === 'EADDRINUSE')
    return `${listener(error)} is in use. Stop the process that listens on it, or set ${portOf(error, settings)} to another one.`
  if (code === 'EADDRNOTAVAIL') return 'HOST is not an address of this machine.'
  if (code === 'EACCES' && 'syscall' in error && error.syscall === 'listen')
    return 'This user may not listen on PORT. Use a port above 1023.'
  if (isOtherServer(error))
    return `DATABASE_URL: ${serverOf(settings)} is not a PostgreSQL server. Correct the host and port.`
  if (isDatabaseUnavailable(error) || connectionAdvice(error) !== undefined) return databaseFailure(error)
  // A full stop, because the scrubber takes a word after a colon ("table api_keys: …") for a secret.
  if (code === NO_RIGHT)
    return `DATABASE_URL: ${error.message}. Grant its role what docs/deployment.md lists under "Rights".`
  return isExpected(error) ? error.message : (error.stack ?? error.message)
}

function isExpected(error: Error): boolean {
  const expected = ['ConfigurationError', 'InvalidConfiguration', 'GatewayError', 'DirectoryInUse', 'ServerTooOld']
  return error instanceof UsageError || expected.includes(error.name)
}

/** The port of an error of listening. */
function listener(error: Error): string {
  const { port, address } = { port: undefined, address: undefined, ...error }
  return port === undefined ? 'The port' : `Port ${port} of ${address ?? 'this machine'}`
}

/** The variable of the port of an error of listening. */
function portOf(error: Error, { dashboard }: FailedSettings): string {
  return dashboard !== undefined && 'port' in error && error.port === dashboard.port ? 'DASHBOARD_PORT' : 'PORT'
}

/** The host and port of the database. With two URLs, it is not known which of them failed. */
function serverOf({ database }: FailedSettings): string {
  if (database === undefined || database.directUrl !== database.url) return 'the server'
  const { hostname, port } = new URL(database.url)
  return hostname === '' ? 'the server' : `${hostname}:${port === '' ? 5432 : port}`
}

/** The failure of the first address that was tried, and what to do about it. */
function databaseFailure(error: Error): string {
  const tried: unknown = error instanceof AggregateError ? error.errors[0] : error
  const first = tried instanceof Error ? tried : error
  const advice = connectionAdvice(first)
  return `DATABASE_URL: ${first.message}${advice === undefined ? '' : `. ${advice}`}`
}

const IN_CONTAINER =
  'In a container, localhost and 127.0.0.1 are the container itself: use the name of the database service, or ' +
  'host.docker.internal for the host.'

const BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: `Nothing listens there. Start PostgreSQL, or correct the host and port. ${IN_CONTAINER}`,
  ENOTFOUND: `This name has no address. Correct the host name. ${IN_CONTAINER}`,
  EAI_AGAIN: 'The DNS server does not answer. Check the network and the DNS settings of this machine.',
  ETIMEDOUT: 'Nothing answers there. Check the host, the port and any firewall in between.',
  EHOSTUNREACH: 'There is no route to this host. Check the host and the network.',
  ENETUNREACH: 'There is no route to this network. Check the host and the network.',
  // PostgreSQL's codes for a missing database, a rejected user and a wrong password.
  '3D000': 'Create it (docs/deployment.md, "Moving to PostgreSQL"), or correct its name.',
  '28000': 'Correct the user, or create it and allow it in pg_hba.conf.',
  '28P01': 'Correct the user or the password.',
}

/** Node's codes for a certificate that is not trusted or has another name. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/

const CERTIFICATE_ADVICE =
  'The certificate of PostgreSQL is not trusted. Add its authority with sslrootcert=FILE in the URL or with ' +
  'NODE_EXTRA_CA_CERTS, and use a host name that the certificate has.'

/** Whether an error is the driver's answer to messages that PostgreSQL does not send here. */
function isOtherServer(error: Error): boolean {
  return /^Received unexpected \w+ message from backend/.test(error.message)
}

/** What an operator can do about an error of a connection to PostgreSQL; undefined for other errors. */
export function connectionAdvice(error: Error): string | undefined {
  const code = errorCode(error) ?? ''
  if (error.message.includes('timeout') && isDatabaseUnavailable(error)) return BY_CODE.ETIMEDOUT
  return BY_CODE[code] ?? (CERTIFICATE.test(code) ? CERTIFICATE_ADVICE : undefined)
}
