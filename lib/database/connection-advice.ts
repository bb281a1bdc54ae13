import { errorCode, isDatabaseUnavailable } from './database-errors.ts'

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
  '3D000': 'Create it (docs/operations.md, "Moving to PostgreSQL"), or correct its name.',
  '28000': 'Correct the user, or create it and allow it in pg_hba.conf.',
  '28P01': 'Correct the user or the password.',
}

/** Node's codes for a certificate that is not trusted or has another name. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/

const CERTIFICATE_ADVICE =
  'The certificate of PostgreSQL is not trusted. Add its authority with sslrootcert=FILE in the URL or with ' +
  'NODE_EXTRA_CA_CERTS, and use a host name that the certificate has.'

/** Whether an error is the driver's answer to messages that PostgreSQL does not send here. */
export function isOtherServer(error: Error): boolean {
  return /^Received unexpected \w+ message from backend/.test(error.message)
}

/** What an operator can do about an error of a connection to PostgreSQL; undefined for other errors. */
export function connectionAdvice(error: Error): string | undefined {
  const code = errorCode(error) ?? ''
  if (error.message.includes('timeout') && isDatabaseUnavailable(error)) return BY_CODE.ETIMEDOUT
  return BY_CODE[code] ?? (CERTIFICATE.test(code) ? CERTIFICATE_ADVICE : undefined)
}
