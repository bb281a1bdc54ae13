import { EgressError } from './egress.ts'

const BY_CODE: Readonly<Record<string, readonly [EgressError['reason'], string]>> = {
  UND_ERR_CONNECT_TIMEOUT: ['timeout', 'did not accept a connection in time'],
  ETIMEDOUT: ['timeout', 'did not accept a connection in time'],
  UND_ERR_HEADERS_OVERFLOW: ['too_large', 'sent too many header bytes'],
  ECONNREFUSED: ['unreachable', 'refused the connection'],
  UND_ERR_SOCKET: ['unreachable', 'closed the connection before the response was complete'],
  ECONNRESET: ['unreachable', 'closed the connection before the response was complete'],
  EPIPE: ['unreachable', 'closed the connection before the response was complete'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['unreachable', 'sent a body that does not match its Content-Length'],
  EHOSTUNREACH: ['unreachable', 'is on a network that this gateway cannot reach'],
  ENETUNREACH: ['unreachable', 'is on a network that this gateway cannot reach'],
  UND_ERR_DESTROYED: ['aborted', 'received no request: the gateway is shutting down'],
  UND_ERR_CLOSED: ['aborted', 'received no request: the gateway is shutting down'],
  UND_ERR_INVALID_ARG: ['refused', 'received no request: the method, a header or the body is invalid'],
  UND_ERR_NOT_SUPPORTED: ['refused', 'received no request: the method, a header or the body is invalid'],
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: ['refused', 'received no request: the body does not match its Content-Length'],
}

const WITHOUT_TLS = 'answers without TLS on this port. Check the port of its URL, and that it serves https there'
const UNTRUSTED =
  'has a certificate that is not trusted here. If a private authority issued it, ask the operator to set NODE_EXTRA_CA_CERTS'

/** What fails in TLS, for the codes of Node.js and OpenSSL that match. The first one counts. */
const TLS_FAILURES: readonly (readonly [RegExp, string])[] = [
  [/SSL_(?:WRONG_VERSION_NUMBER|HTTP_REQUEST|PACKET_LENGTH_TOO_LONG|RECORD_LAYER_FAILURE)/, WITHOUT_TLS],
  [/^CERT_HAS_EXPIRED$/, 'has a certificate that has expired. Its operator must renew it'],
  [/^CERT_NOT_YET_VALID$/, 'has a certificate that is not valid yet. Check the clocks of both machines'],
  [/^CERT_REVOKED$/, 'has a certificate that was revoked. Its operator must renew it'],
  [/ALTNAME_INVALID|HOSTNAME_MISMATCH/, 'has a certificate for another host name. Check the host of its URL'],
  [/ALERT_CERTIFICATE_REQUIRED/, 'requires a client certificate, which this gateway does not have'],
  [/SELF_SIGNED|ISSUER|VERIFY_LEAF|^CERT_|CHAIN/, UNTRUSTED],
  [/UNRECOGNIZED_NAME/, 'does not serve this host name over TLS. Check the host of its URL'],
  [
    /SSL_.*(?:PROTOCOL|ALERT_HANDSHAKE_FAILURE|NO_SHARED_CIPHER|DH_KEY_TOO_SMALL)/,
    'supports no TLS version or cipher that this gateway accepts. Its operator must enable TLS 1.2 or later',
  ],
  [/SSL|TLS|CERT/, 'failed the TLS handshake. Check the port of its URL, and its TLS configuration'],
]

/**
 * Converts the error of a failed exchange. Keeps only the code of the library's error: its message and fields may quote
 * the answer.
 */
export function egressErrorOf(error: unknown, host: string): EgressError {
  if (error instanceof EgressError) return error
  const code = codeOf(error)
  const known = BY_CODE[code]
  if (known !== undefined) return new EgressError(known[0], `${host} ${known[1]}.`)
  if (error instanceof Error && error.name === 'HTTPParserError')
    return new EgressError('unreachable', `${host} sent a response that is not HTTP.`, { cause: { code } })
  const [, words] = TLS_FAILURES.find(([codes]) => codes.test(code)) ?? []
  // The code is for the log.
  if (words !== undefined) return new EgressError('unreachable', `${host} ${words}.`, { cause: { code } })
  return new EgressError('unreachable', `${host} could not be reached (${code || 'no code'}).`)
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

/** The exchange did not finish before its deadline. */
export function deadlinePassed(host: string, deadlineMs: number): EgressError {
  return new EgressError('timeout', `${host} did not answer within ${deadlineMs} ms.`)
}

/** Too many requests with the same concurrency key are in flight; nothing was sent. */
export function concurrencyLimitReached(host: string): EgressError {
  return new EgressError(
    'overloaded',
    `The request to ${host} was not sent: your organization has reached its limit of concurrent requests to it. Retry when fewer are running.`,
  )
}

/** The decoded body is larger than the caller accepts. */
export function bodyTooLarge(host: string, maxBytes: number): EgressError {
  return new EgressError('too_large', `${host} sent more than ${maxBytes} bytes. Request less at a time.`)
}

/** The body does not match its Content-Encoding. */
export function bodyGarbled(host: string): EgressError {
  return new EgressError('unreachable', `${host} sent a compressed body that cannot be decompressed.`)
}

/** The body of the request could not be read to its end, so that the host received only a part of it. */
export function bodyUnreadable(host: string, cause: unknown): EgressError {
  return new EgressError('aborted', `The body of the request to ${host} could not be read.`, { cause })
}

/** The caller aborted the request; its own deadline counts as a timeout. */
export function givenUp(host: string, signal?: AbortSignal): EgressError {
  if ((signal?.reason as { name?: unknown } | undefined)?.name === 'TimeoutError')
    return new EgressError('timeout', `${host} did not answer before the caller's deadline.`)
  return new EgressError('aborted', `The request to ${host} was aborted by its caller.`)
}

/** The same error for a request that was never sent. */
export function unsent({ reason, message, cause }: EgressError): EgressError {
  return new EgressError(reason, message, { cause, sent: false })
}
