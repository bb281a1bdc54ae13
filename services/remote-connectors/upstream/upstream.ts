import type { ContentBlock } from '@modelcontextprotocol/sdk/types.js'
import type { Trace } from '../../../schemas/tools/mcp.ts'
import type { ToolResult } from '../../mcp/mcp-types.ts'

/** An upstream MCP server and its registration. Pools, sessions, breakers and negotiated protocols are separate for each registration. */
export interface UpstreamTarget {
  readonly orgId: string
  /** The registration. */
  readonly id: string
  readonly url: string
}

/** The headers that authenticate a request; empty for mode `none`. */
export interface UpstreamCredential {
  readonly headers: Readonly<Record<string, string>>
  /** Identifies the credential without revealing it. */
  readonly key: string
}

/** One `tools/call` to an upstream. It contains no header and no credential of the caller. */
export interface UpstreamCall {
  /** The upstream's name of the tool. */
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** The pinned schema. Its `x-mcp-header` marks say which arguments are also sent as headers to a modern upstream. */
  readonly inputSchema: object
  readonly trace: Trace
  /** Which input the caller's client supports. Sent only to modern upstreams. */
  readonly clientCapabilities: Readonly<Record<string, unknown>>
  /** The answers to the upstream's questions, and its unchanged state. */
  readonly inputResponses?: Readonly<Record<string, unknown>>
  readonly requestState?: string
}

/** One `resources/read` to an upstream. */
export interface UpstreamRead {
  /** The upstream's own URI. */
  readonly uri: string
  readonly trace: Trace
}

/** One `prompts/get` to an upstream. */
export interface UpstreamPrompt {
  /** The upstream's name of the prompt. */
  readonly name: string
  readonly arguments: Readonly<Record<string, string>>
  readonly trace: Trace
}

/** A valid result of `resources/read`, as the upstream sent it. */
export interface ReadResult {
  readonly contents: readonly ResourceContents[]
  /** How long the upstream allows to cache it, in milliseconds. */
  readonly ttlMs?: number
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** The text or the bytes (base64) of a resource. */
export interface ResourceContents {
  readonly uri: string
  readonly mimeType?: string
  readonly text?: string
  readonly blob?: string
  readonly [member: string]: unknown
}

/** A valid result of `prompts/get`, as the upstream sent it. */
export interface PromptResult {
  readonly description?: string
  readonly messages: readonly { readonly role: string; readonly content: ContentBlock }[]
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** What an upstream offers besides tools: parsed JSON that is not validated. */
export interface ListedOffers {
  /** Whether the server announces resources and prompts; it may announce lists that are empty. */
  readonly announced: { readonly resources: boolean; readonly prompts: boolean }
  /** The server's own instructions. */
  readonly instructions: string | undefined
  readonly resources: Listed
  readonly resourceTemplates: Listed
  readonly prompts: Listed
}

/** The items of a list, or why the upstream does not return it, as a sentence. Empty if the upstream does not announce it. */
export type Listed = { readonly items: readonly unknown[] } | { readonly fault: string }

/** The limits of one exchange, for all its requests together. */
export interface ExchangeOptions {
  readonly signal: AbortSignal
  /** Includes the probe, the handshake and every page. */
  readonly deadlineMs: number
}

/**
 * Why an upstream returned no result.
 * `unauthorized`: 401, or `invalid_token` with 400 or 403. `insufficient_scope`: 403 that names scopes. `rpc`: a JSON-RPC
 * error with the upstream's code and message. `malformed`: an invalid answer (garbage, another ID, a truncated stream, too
 * deep). `refused`: egress does not allow the address. `busy`: too many concurrent calls. `open`: the breaker is open.
 * `old_transport`: the server speaks only the HTTP+SSE transport of 2024-11-05. `status`: any other HTTP status. The others
 * are those of EgressError.
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
  | 'old_transport'
  | 'status'

/** An upstream returned no result. The message names the host, and for `rpc` has the sanitized message; never a header, a query or a body. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError'
  readonly kind: UpstreamFailure
  /** Whether the upstream may have executed the call. */
  readonly unsettled: boolean
  /** The `WWW-Authenticate` header of a 401 or 403, unchanged. */
  readonly challenge: string | undefined
  /** Seconds to wait before a retry, if known. */
  readonly retryAfter: number | undefined
  /** The HTTP status, if it is the reason. */
  readonly status: number | undefined
  /** The JSON-RPC code, for `rpc`. */
  readonly rpcCode: number | undefined
  /** Private, because a log has the fields of an error. */
  readonly #words: string | undefined

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
      words?: string | undefined
    } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.kind = kind
    this.unsettled = options.unsettled === true
    this.challenge = options.challenge
    this.retryAfter = options.retryAfter
    this.status = options.status
    this.rpcCode = options.rpcCode
    this.#words = options.words
  }

  /** What the upstream says about its refusal, as it was sent, or where it redirects: for `serverSays` and `foreignLine`. */
  get words(): string | undefined {
    return this.#words
  }

  /** A copy with other fields. */
  with({
    message = this.message,
    challenge = this.challenge,
    unsettled = this.unsettled,
    words = this.words,
  }: {
    message?: string
    challenge?: string | undefined
    unsettled?: boolean
    words?: string | undefined
  }): UpstreamError {
    const { kind, cause, retryAfter, status, rpcCode } = this
    return new UpstreamError(kind, message, {
      cause,
      unsettled,
      challenge,
      retryAfter,
      status,
      rpcCode,
      words,
    })
  }
}

/** The client of upstream MCP servers, for both protocol generations. Every method throws UpstreamErrors. */
export interface Upstreams {
  /**
   * Lists the upstream's tools from all pages: parsed JSON, at most 8 MiB, 2,000 tools and 100 pages. The tools are not
   * validated: a tool may nest thousands deep and have members named `__proto__`.
   */
  listTools(target: UpstreamTarget, credential: UpstreamCredential, options: ExchangeOptions): Promise<unknown[]>
  /**
   * Calls a tool. Sends the call a second time only if a lost session certainly prevented its execution. The result is valid and
   * within the limits of size and depth.
   */
  callTool(
    target: UpstreamTarget,
    credential: UpstreamCredential,
    call: UpstreamCall,
    options: ExchangeOptions,
  ): Promise<ToolResult>
  /**
   * Lists the resources, templates and prompts that the upstream announces, each within the limits of listTools. A list that
   * the upstream announces but refuses, or that exceeds the limits, has a fault and does not affect the others.
   */
  listOffers(target: UpstreamTarget, credential: UpstreamCredential, options: ExchangeOptions): Promise<ListedOffers>
  /** Reads a resource. The result is valid and within the limits of callTool. */
  readResource(
    target: UpstreamTarget,
    credential: UpstreamCredential,
    read: UpstreamRead,
    options: ExchangeOptions,
  ): Promise<ReadResult>
  /** Gets a prompt. The result is valid and within the limits of callTool. */
  getPrompt(
    target: UpstreamTarget,
    credential: UpstreamCredential,
    prompt: UpstreamPrompt,
    options: ExchangeOptions,
  ): Promise<PromptResult>
  /** Drops the state of a registration: sessions, negotiated protocol, connection pool, breaker. */
  forget(target: Pick<UpstreamTarget, 'orgId' | 'id'>): void
  close(): Promise<void>
}

/** The negotiated protocol of an upstream: its generation, its version, and the session if the upstream requires one. */
export type Protocol = ModernProtocol | LegacyProtocol

/** What a server says about itself in its handshake. */
export interface ServerClaims {
  readonly capabilities: Readonly<Record<string, unknown>>
  readonly instructions: string | undefined
}

export interface ModernProtocol {
  readonly generation: 'modern'
  readonly version: string
  readonly server: ServerClaims
}

export interface LegacyProtocol {
  readonly generation: 'legacy'
  readonly version: string
  readonly sessionId: string | undefined
  readonly server: ServerClaims
}
