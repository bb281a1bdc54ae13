import { EgressError } from './egress.ts'

const BY_CODE: Readonly<Record<string, readonly [EgressError['reason'], string]>> = {
  UND_ERR_CONNECT_TIMEOUT: ['timeout', 'took too long to accept a connection'],
  ETIMEDOUT: ['timeout', 'took too long to accept a connection'],
  UND_ERR_HEADERS_OVERFLOW: ['too_large', 'answered with more header bytes than are read'],
  ECONNREFUSED: ['unreachable', 'refused the connection'],
  UND_ERR_SOCKET: ['unreachable', 'closed the connection before its answer was complete'],
  ECONNRESET: ['unreachable', 'closed the connection before its answer was complete'],
  EPIPE: ['unreachable', 'closed the connection before its answer was complete'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['unreachable', 'sent a body of another length than it announced'],
  UND_ERR_DESTROYED: ['aborted', 'was not asked: the service is shutting down'],
  UND_ERR_CLOSED: ['aborted', 'was not asked: the service is shutting down'],
  UND_ERR_INVALID_ARG: ['refused', 'was not asked: the method, a header or the body cannot be sent as it is'],
  UND_ERR_NOT_SUPPORTED: ['refused', 'was not asked: the method, a header or the body cannot be sent as it is'],
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: ['refused', 'was not asked: the body has another length than its header says'],
}

/**
 * What a failed exchange is told as. Nothing of the library's error is kept but its code: its message and its fields
 * may quote the answer.
 */
export function egressErrorOf(error: unknown, host: string): EgressError {
  if (error instanceof EgressError) return error
  const code = codeOf(error)
  const known = BY_CODE[code]
  if (known !== undefined) return new EgressError(known[0], `${host} ${known[1]}.`)
  if (error instanceof Error && error.name === 'HTTPParserError')
    return new EgressError('unreachable', `${host} answered what is not HTTP${code === '' ? '' : ` (${code})`}.`)
  if (/CERT|SSL|TLS|SELF_SIGNED|ISSUER/.test(code))
    return new EgressError(
      'unreachable',
      `${host} could not be trusted: its TLS certificate or handshake failed (${code}).`,
    )
  return new EgressError('unreachable', `${host} could not be reached (${code || 'no code'}).`)
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

/** The whole exchange outlived its deadline. */
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

/** The decoded body outgrew what the caller takes. */
export function bodyTooLarge(host: string, maxBytes: number): EgressError {
  return new EgressError('too_large', `${host} answered with more than ${maxBytes} bytes; ask for less at once.`)
}

/** The body is not what its Content-Encoding says. */
export function bodyGarbled(host: string): EgressError {
  return new EgressError('unreachable', `${host} sent a compressed body that does not unpack.`)
}

/** The caller gave up; its own deadline counts as one of ours. */
export function givenUp(host: string, signal?: AbortSignal): EgressError {
  if ((signal?.reason as { name?: unknown } | undefined)?.name === 'TimeoutError')
    return new EgressError('timeout', `${host} did not answer before the caller's deadline.`)
  return new EgressError('aborted', `The request to ${host} was given up by its caller.`)
}

/** The same of a request of which nothing went out. */
export function unsent({ reason, message, cause }: EgressError): EgressError {
  return new EgressError(reason, message, { cause, sent: false })
}
