import { isDatabaseUnavailable, isUnstorableText } from '../database/database-errors.ts'
import { type ErrorCode, GatewayError } from './errors.ts'

/** Fastify's own errors, by code. */
const FRAMEWORK_ERRORS: Record<string, { code: ErrorCode; message: string }> = {
  FST_ERR_VALIDATION: { code: 'invalid_request', message: 'The request does not match the schema of this endpoint.' },
  FST_ERR_BAD_URL: { code: 'malformed_path', message: 'The path is not valid percent-encoding of UTF-8.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'unparsable_body',
    message: 'The length of the body does not match Content-Length.',
  },
  FST_ERR_CTP_BODY_TOO_LARGE: {
    code: 'body_too_large',
    message: 'The body is too large. The limit is 4 MiB on /mcp, 256 KiB on /webhooks/stripe and 64 KiB elsewhere.',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported_media_type',
    message: 'Send the body with Content-Type: application/json.',
  },
}

/**
 * Converts any thrown value to an error of the table: a GatewayError stays, an unavailable database and Fastify's
 * errors get their code, everything else becomes internal_error.
 */
export function toGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown
  if (isDatabaseUnavailable(thrown)) return databaseUnavailable(thrown)
  if (isUnstorableText(thrown))
    return new GatewayError(
      'invalid_request',
      'A text in the request contains U+0000 or an unpaired surrogate. Remove that character.',
      { cause: thrown },
    )
  const known = FRAMEWORK_ERRORS[codeOf(thrown)]
  if (known === undefined)
    return new GatewayError('internal_error', 'The gateway failed unexpectedly. Retry with backoff.', { cause: thrown })
  return new GatewayError(known.code, known.message, { cause: thrown })
}

function codeOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : ''
}

/** The error for a request that needs the unavailable database. */
function databaseUnavailable(cause: unknown): GatewayError {
  return new GatewayError('platform_db_unavailable', 'The database is unavailable. Retry with backoff.', {
    cause,
    retryAfter: 2,
  })
}
