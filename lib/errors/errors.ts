/** The `type` of a nested error body. */
type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'billing_error'
  | 'forbidden'
  | 'rate_limit_error'
  | 'api_error'

/**
 * The JSON shape of an error. `by-group` uses the envelope of the route group that the error leaves from; `tool`
 * appears only inside a tool's result.
 */
export type Envelope =
  | 'nested'
  | 'flat-code-first'
  | 'flat-message-first'
  | 'rate-limit'
  | 'oauth'
  | 'by-group'
  | 'tool'

interface ErrorRow {
  /** The HTTP status; 200 for codes that only a tool result carries. */
  status: number
  type: ErrorType
  envelope: Envelope
  /** The code on the wire, where several rows share one. */
  wire?: string
  /** The JSON-RPC code of the transport error that POST /mcp returns instead. */
  rpc?: number
  /** The status and envelope that the billing routes use instead. */
  billing?: { status: number; envelope: 'flat-message-first' }
}

const invalid = 'invalid_request_error'

/** All error codes of docs/api.md, one row per code. */
export const ERRORS = {
  // Identity and standing
  missing_authorization: { status: 401, type: 'authentication_error', envelope: 'nested' },
  invalid_jwt: { status: 401, type: 'authentication_error', envelope: 'nested' },
  invalid_api_key: { status: 401, type: 'authentication_error', envelope: 'nested' },
  agent_suspended: { status: 403, type: 'forbidden', envelope: 'nested' },
  agent_retired: { status: 403, type: 'forbidden', envelope: 'nested' },
  no_active_org: {
    status: 400,
    type: invalid,
    envelope: 'flat-code-first',
    billing: { status: 402, envelope: 'flat-message-first' },
  },
  payment_required: { status: 402, type: 'billing_error', envelope: 'nested' },
  key_spend_limit_exceeded: { status: 402, type: 'billing_error', envelope: 'by-group' },
  denied_by_policy: { status: 403, type: 'forbidden', envelope: 'by-group' },
  org_suspended: { status: 403, type: 'forbidden', envelope: 'nested' },
  rate_limit_exceeded: { status: 429, type: 'rate_limit_error', envelope: 'rate-limit' },

  // Host, Origin, paths, bodies
  host_not_allowed: { status: 403, type: 'forbidden', envelope: 'nested', rpc: -32000 },
  origin_not_allowed: { status: 403, type: 'forbidden', envelope: 'nested', rpc: -32000 },
  endpoint_not_found: { status: 404, type: invalid, envelope: 'nested' },
  sign_in_not_configured: { status: 404, type: invalid, envelope: 'oauth', wire: 'invalid_request' },
  invalid_request: { status: 400, type: invalid, envelope: 'by-group', rpc: -32700 },
  unparsable_body: { status: 400, type: invalid, envelope: 'by-group', wire: 'invalid_request', rpc: -32700 },
  // The path is rejected before a route is found, so no route group decides its envelope.
  malformed_path: { status: 400, type: invalid, envelope: 'flat-code-first', wire: 'invalid_request' },
  body_too_large: { status: 413, type: invalid, envelope: 'by-group', wire: 'invalid_request', rpc: -32600 },
  unsupported_media_type: { status: 415, type: invalid, envelope: 'by-group', wire: 'invalid_request', rpc: -32000 },
  not_acceptable: { status: 406, type: invalid, envelope: 'by-group', wire: 'invalid_request', rpc: -32000 },
  request_timeout: { status: 408, type: invalid, envelope: 'nested', wire: 'invalid_request' },
  headers_too_large: { status: 431, type: invalid, envelope: 'nested', wire: 'invalid_request' },
  batch_not_supported: { status: 400, type: invalid, envelope: 'by-group', wire: 'invalid_request', rpc: -32600 },

  // The service itself
  internal_error: { status: 500, type: 'api_error', envelope: 'nested' },
  platform_db_unavailable: { status: 503, type: 'api_error', envelope: 'nested' },
  identity_provider_unavailable: { status: 503, type: 'api_error', envelope: 'nested' },
  overloaded: { status: 503, type: 'api_error', envelope: 'nested' },
  not_ready: { status: 503, type: 'api_error', envelope: 'nested' },

  // Connector routes
  multiple_accounts: { status: 409, type: invalid, envelope: 'flat-code-first' },
  account_not_found: { status: 404, type: invalid, envelope: 'flat-code-first' },
  not_account_owner: { status: 403, type: 'forbidden', envelope: 'flat-code-first' },
  alias_taken: { status: 409, type: invalid, envelope: 'flat-code-first' },
  connect_failed: { status: 422, type: invalid, envelope: 'flat-code-first' },
  identity_mismatch: { status: 409, type: invalid, envelope: 'flat-code-first' },
  admin_required: { status: 403, type: 'forbidden', envelope: 'by-group' },
  invalid_upstream_url: { status: 400, type: invalid, envelope: 'flat-code-first' },
  slug_taken: { status: 409, type: invalid, envelope: 'flat-code-first' },
  oauth_discovery_failed: { status: 422, type: invalid, envelope: 'flat-code-first' },
  oauth_registration_failed: { status: 422, type: invalid, envelope: 'flat-code-first' },
  snapshot_failed: { status: 422, type: invalid, envelope: 'flat-code-first' },
  preview_expired: { status: 409, type: invalid, envelope: 'flat-code-first' },
  cooldown: { status: 429, type: 'rate_limit_error', envelope: 'flat-code-first' },

  // Uploads; quota_exceeded also in a tool's result
  upload_completed: { status: 409, type: invalid, envelope: 'nested' },
  quota_exceeded: { status: 413, type: invalid, envelope: 'nested' },

  // Account and billing routes; some also in a tool's result
  not_found: { status: 404, type: invalid, envelope: 'by-group' },
  forbidden: { status: 403, type: 'forbidden', envelope: 'by-group' },
  jwt_session_required: { status: 403, type: 'forbidden', envelope: 'by-group' },
  page_outdated: { status: 409, type: invalid, envelope: 'by-group' },
  idempotency_conflict: { status: 409, type: invalid, envelope: 'by-group' },
  MEMBERSHIP_REVOKED: { status: 403, type: 'forbidden', envelope: 'flat-message-first' },
  CUSTOMER_NOT_FOUND: { status: 404, type: invalid, envelope: 'flat-message-first' },
  WALLET_NOT_FOUND: { status: 404, type: invalid, envelope: 'flat-message-first' },
  PLAN_NOT_FOUND: { status: 404, type: invalid, envelope: 'flat-message-first' },
  ALREADY_PRO: { status: 409, type: invalid, envelope: 'flat-message-first' },
  ALREADY_FREE: { status: 409, type: invalid, envelope: 'flat-message-first' },
  CUSTOMER_ALREADY_EXISTS: { status: 409, type: invalid, envelope: 'flat-message-first' },
  INSUFFICIENT_BALANCE: { status: 402, type: 'billing_error', envelope: 'flat-message-first' },
  WALLET_BLOCKED: { status: 403, type: 'forbidden', envelope: 'flat-message-first' },

  // Only inside a tool's result
  insufficient_balance: { status: 200, type: 'billing_error', envelope: 'tool' },
  billing_authorization_failed: { status: 200, type: 'api_error', envelope: 'tool' },
  account_required: { status: 200, type: invalid, envelope: 'tool' },
  scope_missing: { status: 200, type: invalid, envelope: 'tool' },
  input_required: { status: 200, type: invalid, envelope: 'tool' },
  needs_reauth: { status: 200, type: 'authentication_error', envelope: 'tool' },
  upstream_rejected: { status: 200, type: invalid, envelope: 'tool' },
  blocked_by_robots: { status: 200, type: invalid, envelope: 'tool' },
  refused_destination: { status: 200, type: invalid, envelope: 'tool' },
  http_status: { status: 200, type: invalid, envelope: 'tool' },
  too_large: { status: 200, type: invalid, envelope: 'tool' },
  unsupported_type: { status: 200, type: invalid, envelope: 'tool' },
  needs_javascript: { status: 200, type: invalid, envelope: 'tool' },
  provider_quota: { status: 200, type: 'rate_limit_error', envelope: 'tool' },
  provider_key: { status: 200, type: 'api_error', envelope: 'tool' },
  upstream_rate_limited: { status: 200, type: 'rate_limit_error', envelope: 'tool' },
  content_refused: { status: 200, type: invalid, envelope: 'tool' },
  bad_input: { status: 200, type: invalid, envelope: 'tool' },
  provider_busy: { status: 200, type: 'rate_limit_error', envelope: 'tool' },
  provider_failed: { status: 200, type: 'api_error', envelope: 'tool' },
  cost_limit: { status: 200, type: 'billing_error', envelope: 'tool' },

  // In a tool's result; on a route they are masked
  upstream_unavailable: { status: 502, type: 'api_error', envelope: 'nested', wire: 'internal_error' },
  timeout: { status: 504, type: 'api_error', envelope: 'nested', wire: 'internal_error' },
} as const satisfies Record<string, ErrorRow>

/** A code of the table. */
export type ErrorCode = keyof typeof ERRORS

/** Returns the row of a code. Its type also has the optional columns. */
export function errorRow(code: ErrorCode): ErrorRow {
  return ERRORS[code]
}

/** Whether a code is for tools' results, so that a connector route must translate it. */
export function isCodeOfTools(code: ErrorCode): boolean {
  const { envelope, wire } = errorRow(code)
  return envelope === 'tool' || wire === 'internal_error'
}

/** The only error that the gateway throws on purpose; any other error becomes internal_error. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'
  readonly code: ErrorCode
  /** Seconds until a retry makes sense; sent as `Retry-After`. */
  readonly retryAfter: number | undefined
  /** Additional fields of the envelope. */
  readonly details: Readonly<Record<string, unknown>> | undefined
  /** Whether the operation may have been carried out anyway, so that it must not be retried automatically. */
  readonly unsettled: boolean

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      cause?: unknown
      retryAfter?: number
      details?: Readonly<Record<string, unknown>>
      unsettled?: boolean
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.retryAfter = options.retryAfter
    this.details = options.details
    this.unsettled = options.unsettled === true
  }
}

/** Renders the nested envelope, which is also the JSON text of a tool error. */
export function nested(error: GatewayError, code: string = error.code): object {
  return { error: { type: errorRow(error.code).type, message: error.message, code } }
}

/** Invalid arguments of a command. The message names them, and the usage follows. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
