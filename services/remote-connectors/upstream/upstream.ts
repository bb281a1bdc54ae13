import type { ToolResult, Trace } from '../../mcp/contract.ts'

/** An upstream MCP server, and whose registration it is: pools, sessions, breakers and verdicts are each one's own. */
export interface UpstreamTarget {
  readonly orgId: string
  /** The registration. */
  readonly id: string
  readonly url: string
}

/** What a request authenticates with; empty for mode `none`. */
export interface UpstreamCredential {
  readonly headers: Readonly<Record<string, string>>
  /** What tells this credential from another one, and is no secret: an account and its version. */
  readonly key: string
}

/** One `tools/call` to an upstream. Nothing of the caller's headers or credential is part of it. */
export interface UpstreamCall {
  /** What the upstream calls the tool. */
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** The pinned schema, whose `x-mcp-header` marks say which arguments a modern upstream has repeated in headers. */
  readonly inputSchema: object
  readonly trace: Trace
  /** What the caller can do for a tool that asks for input; told to modern upstreams alone. */
  readonly clientCapabilities: Readonly<Record<string, unknown>>
  /** The answers to what the upstream asked for, and its own state as it sent it. */
  readonly inputResponses?: Readonly<Record<string, unknown>>
  readonly requestState?: string
}

/** Bounds of one exchange, whatever requests it comes to. */
export interface ExchangeOptions {
  readonly signal: AbortSignal
  /** Over everything: the probe, the handshake, every page. */
  readonly deadlineMs: number
}

/**
 * Why an upstream gave no result.
 * `unauthorized`: 401. `insufficient_scope`: 403 that names scopes. `rpc`: a JSON-RPC error, its code and message are
 * the upstream's. `malformed`: an answer that is none (garbage, another id, a stream that was cut, too deep). `refused`:
 * the address may not be reached. `busy`: as many calls under way as there may be. `open`: the breaker is open.
 * The others as EgressError has them, and `status` for an HTTP status that is no answer.
 */
export type UpstreamFailure =
  | 'unauthorized'
  | 'insufficient_scope'
  | 'rpc'
  | 'malformed'
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'aborted'
  | 'busy'
  | 'open'
  | 'status'

/** No result; the message names the host, never a header, a query or a body but for the cleaned message of `rpc`. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError'
  readonly kind: UpstreamFailure
  /** Whether the call may have been executed all the same. */
  readonly unsettled: boolean
  /** The `WWW-Authenticate` of a 401 or 403, as it came. */
  readonly challenge: string | undefined
  /** Seconds until it makes sense to ask again, where that is known. */
  readonly retryAfter: number | undefined
  /** The HTTP status, where it is why there is no result. */
  readonly status: number | undefined
  /** Of `rpc`: the code of JSON-RPC. */
  readonly rpcCode: number | undefined

  constructor(
    kind: UpstreamFailure,
    message: string,
    options: {
      cause?: unknown
      unsettled?: boolean
      challenge?: string | undefined
      retryAfter?: number | undefined
      status?: number | undefined
      rpcCode?: number | undefined
    } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.kind = kind
    this.unsettled = options.unsettled === true
    this.challenge = options.challenge
    this.retryAfter = options.retryAfter
    this.status = options.status
    this.rpcCode = options.rpcCode
  }

  /** The same failure, told otherwise. */
  with({
    message = this.message,
    challenge = this.challenge,
    unsettled = this.unsettled,
  }: {
    message?: string
    challenge?: string | undefined
    unsettled?: boolean
  }): UpstreamError {
    const { kind, cause, retryAfter, status, rpcCode } = this
    return new UpstreamError(kind, message, { cause, unsettled, challenge, retryAfter, status, rpcCode })
  }
}

/** MCP servers as a client of both eras sees them; every method throws UpstreamErrors. */
export interface Upstreams {
  /**
   * Every page of the upstream's tools, as it sent them: parsed JSON, bounded in bytes (8 MiB), number (2,000) and pages
   * (100). Each tool has yet to be judged: it may nest thousands deep, and have members named `__proto__`.
   */
  listTools(target: UpstreamTarget, credential: UpstreamCredential, options: ExchangeOptions): Promise<unknown[]>
  /**
   * Calls a tool, once: nothing is sent again but what a lost session has certainly kept from running.
   * The result is within the limits of size and depth, and of a result's shape.
   */
  callTool(
    target: UpstreamTarget,
    credential: UpstreamCredential,
    call: UpstreamCall,
    options: ExchangeOptions,
  ): Promise<ToolResult>
  /** Lets go of all that is held for a registration: sessions, verdict, pool, breaker. */
  forget(target: Pick<UpstreamTarget, 'orgId' | 'id'>): void
  close(): Promise<void>
}

/** How an upstream is spoken with: in which era and version, and in which session where it insists on one. */
export type Protocol = ModernProtocol | LegacyProtocol

export interface ModernProtocol {
  readonly generation: 'modern'
  readonly version: string
}

export interface LegacyProtocol {
  readonly generation: 'legacy'
  readonly version: string
  readonly sessionId: string | undefined
}
