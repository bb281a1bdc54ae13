import { isDatabaseUnavailable } from '../database/unavailable.ts'
import { type Envelope, type ErrorCode, errorRow, GatewayError } from './errors.ts'
import type { Surface } from './surface.ts'

/** An error as it goes on the wire. */
export interface RenderedError {
  status: number
  headers: Record<string, string>
  body: object
}

const SURFACE_ENVELOPES: Record<Surface, Exclude<Envelope, 'surface' | 'tool'>> = {
  general: 'nested',
  mcp: 'nested',
  connectors: 'flat-code-first',
  account: 'flat-message-first',
  billing: 'flat-message-first',
}

/** Fastify's own refusals, by their code. */
const FRAMEWORK_ERRORS: Record<string, { code: ErrorCode; message: string }> = {
  FST_ERR_VALIDATION: { code: 'invalid_request', message: 'The request does not match the schema of this endpoint.' },
  FST_ERR_BAD_URL: { code: 'invalid_request', message: 'The path is not valid percent-encoding.' },
  FST_ERR_CTP_EMPTY_JSON_BODY: { code: 'unparsable_body', message: 'The body is empty; send a JSON object.' },
  FST_ERR_CTP_INVALID_JSON_BODY: { code: 'unparsable_body', message: 'The body is not valid JSON.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'unparsable_body',
    message: 'The body is not as long as Content-Length says.',
  },
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'body_too_large', message: 'The body is larger than this endpoint takes.' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported_media_type',
    message: 'Send the body with Content-Type: application/json.',
  },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'uri_too_long', message: 'A part of the path is longer than any id.' },
}

/** Whatever was thrown as an error of the table: itself, an unreachable database, Fastify's refusal in our words, or internal_error. */
export function toGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown
  if (isDatabaseUnavailable(thrown))
    return new GatewayError(
      'platform_db_unavailable',
      'The database cannot be reached right now. Retry with backoff.',
      {
        cause: thrown,
        retryAfter: 2,
      },
    )
  const known = FRAMEWORK_ERRORS[codeOf(thrown)]
  if (known === undefined)
    return new GatewayError('internal_error', 'The gateway failed unexpectedly. Retry with backoff.', { cause: thrown })
  // A schema refusal names the place in the request; every other text of the framework stays inside.
  const place = known.code === 'invalid_request' ? validationText(thrown) : undefined
  return new GatewayError(known.code, place ?? known.message, { cause: thrown })
}

function codeOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : ''
}

function validationText(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'validation' in thrown ? thrown.message : undefined
}

/**
 * An error of the table as the surface's answer (spec.md, Errors, Envelopes).
 * Pure: the caller sends it. A 5xx is nested on every surface.
 */
export function renderError(error: GatewayError, surface: Surface): RenderedError {
  const row = errorRow(error.code)
  const headers: Record<string, string> = {}
  if (error.retryAfter !== undefined) headers['retry-after'] = String(error.retryAfter)

  if (surface === 'mcp' && row.rpc !== undefined)
    return { status: row.status, headers, body: rpcError(row.rpc, error.message) }

  const special = surface === 'billing' ? row.billing : undefined
  const envelope = special?.envelope ?? (row.envelope === 'surface' ? SURFACE_ENVELOPES[surface] : row.envelope)
  return {
    status: special?.status ?? row.status,
    headers,
    body: { ...envelopeBody(envelope, error, wireCode(row.wire ?? error.code, envelope)), ...error.details },
  }
}

/** The account routes write the code of a malformed request in upper snake case. */
function wireCode(code: string, envelope: Envelope): string {
  return code === 'invalid_request' && envelope === 'flat-message-first' ? 'INVALID_REQUEST' : code
}

function envelopeBody(envelope: Envelope, error: GatewayError, code: string): object {
  switch (envelope) {
    case 'flat-code-first':
      return { error: code, message: error.message, ...retryAfter(error) }
    case 'flat-message-first':
      return { error: error.message, code }
    case 'rate-limit':
      return { ...nested(error, code), retry_after: error.retryAfter ?? 0 }
    default:
      return nested(error, code)
  }
}

/** The nested envelope: also the JSON text of a tool error (decisions.md, Tool calls). */
export function nested(error: GatewayError, code: string = error.code): object {
  return { error: { type: errorRow(error.code).type, message: error.message, code } }
}

function retryAfter(error: GatewayError): object {
  return error.retryAfter === undefined ? {} : { retry_after: error.retryAfter }
}

/** The bare transport error of POST /mcp: no id, because none was read. */
export function rpcError(code: number, message: string): object {
  return { jsonrpc: '2.0', error: { code, message }, id: null }
}
