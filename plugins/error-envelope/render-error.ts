import { type Envelope, errorRow, type GatewayError, nested } from '../../lib/errors/errors.ts'

/**
 * The group of a route, which decides its error envelope (see docs/api.md): connector routes are flat with the code first,
 * account and billing routes flat with the message first, POST /mcp has JSON-RPC transport errors, all others are nested.
 */
export type RouteGroup = 'general' | 'connectors' | 'account' | 'billing' | 'mcp'

/** An error as status, headers and body. */
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
 * Renders an error of the table in the envelope of a group of routes (see docs/api.md). A 5xx is nested in every group.
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

/** The codes that account and billing routes do not write in upper snake case. */
const UNCHANGED = new Set(['no_active_org', 'key_spend_limit_exceeded'])

/** The names of codes on account and billing routes that differ in more than their case. */
const ACCOUNT_CODES: Readonly<Record<string, string>> = {
  admin_required: 'FORBIDDEN',
  jwt_session_required: 'SESSION_REQUIRED',
}

function wireCode(code: string, envelope: Envelope): string {
  if (envelope !== 'flat-message-first' || UNCHANGED.has(code)) return code
  return ACCOUNT_CODES[code] ?? code.toUpperCase()
}

function envelopeBody(envelope: Envelope, error: GatewayError, code: string): object {
  switch (envelope) {
    case 'flat-code-first':
      return { error: code, message: error.message, ...retryAfter(error) }
    case 'flat-message-first':
      return { error: error.message, code }
    case 'oauth':
      return { error: code, error_description: error.message }
    case 'rate-limit':
      return { ...nested(error, code), retry_after: error.retryAfter ?? 0 }
    default:
      return nested(error, code)
  }
}

function retryAfter(error: GatewayError): object {
  return error.retryAfter === undefined ? {} : { retry_after: error.retryAfter }
}

/** The transport error of POST /mcp. It has no ID because none was read. */
function rpcError(code: number, message: string): object {
  return { jsonrpc: '2.0', error: { code, message }, id: null }
}
