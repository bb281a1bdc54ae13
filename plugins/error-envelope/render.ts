import { type Envelope, errorRow, type GatewayError, nested } from '../../lib/errors/errors.ts'
import type { RouteGroup } from './route-group.ts'

/** An error as it goes on the wire. */
interface RenderedError {
  status: number
  headers: Record<string, string>
  body: object
}

const GROUP_ENVELOPES: Record<RouteGroup, Exclude<Envelope, 'by-group' | 'tool'>> = {
  general: 'nested',
  mcp: 'nested',
  connectors: 'flat-code-first',
  account: 'flat-message-first',
  billing: 'flat-message-first',
}

/**
 * An error of the table as the answer of a group of routes (spec.md, Errors, Envelopes).
 * Pure: the caller sends it. A 5xx is nested in every group.
 */
export function renderError(error: GatewayError, group: RouteGroup): RenderedError {
  const row = errorRow(error.code)
  const headers: Record<string, string> = {}
  if (error.retryAfter !== undefined) headers['retry-after'] = String(error.retryAfter)

  if (group === 'mcp' && row.rpc !== undefined)
    return { status: row.status, headers, body: rpcError(row.rpc, error.message) }

  const special = group === 'billing' ? row.billing : undefined
  const envelope = special?.envelope ?? (row.envelope === 'by-group' ? GROUP_ENVELOPES[group] : row.envelope)
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

function retryAfter(error: GatewayError): object {
  return error.retryAfter === undefined ? {} : { retry_after: error.retryAfter }
}

/** The bare transport error of POST /mcp: no id, because none was read. */
function rpcError(code: number, message: string): object {
  return { jsonrpc: '2.0', error: { code, message }, id: null }
}
