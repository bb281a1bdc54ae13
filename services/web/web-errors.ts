import { STATUS_CODES } from 'node:http'
import { EgressError } from '../../lib/egress/egress.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { PoolError } from './pool.ts'

/** Translates a failed request or task to the error of a tool; other errors stay. `host` is what was asked for. */
export function toWebError(error: unknown, host: string): unknown {
  if (error instanceof EgressError) return fromEgress(error, host)
  if (error instanceof PoolError) return fromPool(error, host)
  return error
}

function fromEgress(error: EgressError, host: string): GatewayError {
  const { message, reason } = error
  const cause = { cause: error }
  switch (reason) {
    case 'refused':
      return new GatewayError('refused_destination', `${message} Use a public https URL.`, cause)
    case 'timeout':
      return new GatewayError('timeout', `${host} took too long to answer. Retry later, or use another page.`, cause)
    case 'too_large':
      return new GatewayError('too_large', `${message} Use a smaller page.`, cause)
    case 'overloaded':
      return new GatewayError(
        'overloaded',
        `Too many requests to ${host} are in flight. Retry in a few seconds.`,
        cause,
      )
    default:
      return new GatewayError('upstream_unavailable', `${message} Check the URL, or retry later.`, cause)
  }
}

function fromPool(error: PoolError, host: string): GatewayError {
  const cause = { cause: error }
  if (error.reason === 'full' || error.reason === 'aborted')
    return new GatewayError('overloaded', 'Too many pages are being read now. Retry in a few seconds.', cause)
  if (error.reason === 'failed')
    return new GatewayError(
      'unsupported_type',
      `The page of ${host} could not be read: it is damaged or encrypted.`,
      cause,
    )
  return new GatewayError('too_large', `The page of ${host} is too complex to read in the time for one page.`, cause)
}

/** The error for an answer that is no page. `retryAfter` is in seconds. */
export function httpStatus(status: number, host: string, retryAfter: number | undefined): GatewayError {
  const words = STATUS_CODES[status]
  const told = `${host} answered ${status}${words === undefined ? '' : ` (${words})`}.`
  const advice =
    status === 401 || status === 403
      ? 'The page is not open to this gateway. Use another source.'
      : status === 404 || status === 410
        ? 'Check the URL.'
        : 'Retry later, or use another source.'
  const details = { status, ...(retryAfter !== undefined && { retry_after: retryAfter }) }
  return new GatewayError('http_status', `${told} ${advice}`, { details })
}

/** The error for a body without text, such as an image. */
export function unsupportedType(type: string): GatewayError {
  return new GatewayError(
    'unsupported_type',
    `The URL is of the type ${type}. The web tools read HTML, Markdown, plain text, JSON, XML and PDF.`,
  )
}
