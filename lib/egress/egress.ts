import type { Readable } from 'node:stream'

/** A request body that is sent as it is read. */
export interface StreamedBody {
  /** The exact number of bytes that `open` returns. */
  readonly bytes: number
  /**
   * Returns the body from its beginning, for the first attempt and for each repetition. An EgressError has what it
   * throws as its cause.
   */
  open(): Readable
}

/** An outbound HTTP request. */
export interface EgressRequest {
  method: string
  url: string | URL
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array | FormData | StreamedBody
  /**
   * Secret headers and the origin they belong to. A request to another origin is refused before it is sent; a redirect
   * to another origin drops them.
   */
  credential?: { readonly origin: string; readonly headers: Readonly<Record<string, string>> }
  /** The time limit for the whole exchange, body included; 30 s when absent. */
  deadlineMs?: number
  /** The maximum number of decoded body bytes; 8 MiB when absent. */
  maxBytes?: number
  /** The maximum number of redirects to follow, each checked like a new request; none when absent. */
  maxRedirects?: number
  /**
   * Limits the concurrent requests with this key (an organization's ID) to one origin, so that no organization uses all
   * connections to a provider. Further requests wait in a queue. No limit when absent.
   */
  concurrencyKey?: string
  signal?: AbortSignal
  /**
   * Receives the decoded text of a `text/event-stream` answer as it arrives. Returns true when it has enough: then the
   * exchange ends with an empty body. Only for `request`. When absent, event streams are read whole.
   */
  events?: (text: string) => boolean
}

/** The status and headers of an answer. */
export interface AnswerHead {
  status: number
  /** By lower-case name; repeated headers are joined with `, `. */
  headers: Readonly<Record<string, string>>
  /** The URL after redirects. */
  url: string
  /** Whether the answered request carried the credential; a redirect to another origin drops it. */
  answeredWithCredential: boolean
}

/** An answer with its whole body. */
export interface EgressAnswer extends AnswerHead {
  body: string
}

/** An answer whose decoded body streams. The stream fails with an EgressError past its size limit or deadline. */
export interface EgressStream extends AnswerHead {
  body: Readable
}

/** Why a request failed; `overloaded`: it was not sent because too many requests of its concurrency key are in flight. */
export type EgressReason = 'refused' | 'unreachable' | 'timeout' | 'too_large' | 'aborted' | 'overloaded'

/** A refused or failed request. The message names the host, never a header, a query or a body. */
export class EgressError extends Error {
  override readonly name = 'EgressError'
  readonly reason: EgressReason
  /** False if nothing was sent, so the request cannot have had any effect. */
  readonly sent: boolean

  constructor(reason: EgressReason, message: string, options: { cause?: unknown; sent?: boolean } = {}) {
    super(message, { cause: options.cause })
    this.reason = reason
    this.sent = options.sent ?? true
  }
}

/** A separate set of connections with its own concurrency limits. Requests outside the pool do not compete with it. */
export interface EgressPool {
  request(request: EgressRequest): Promise<EgressAnswer>
  /** Accepts no more requests; resolves when those in flight end. */
  close(): Promise<void>
}

/**
 * The gateway's only outbound HTTP client. It checks every address and limits every size and time. Throws EgressErrors.
 */
export interface Egress {
  request(request: EgressRequest): Promise<EgressAnswer>
  stream(request: EgressRequest): Promise<EgressStream>
  /** WHATWG fetch for libraries that build their own requests. Never follows redirects. */
  fetch(url: string, init: RequestInit): Promise<Response>
  /**
   * Checks a URL as a request would, and resolves its name, without sending anything. Over https, a name without a
   * public address passes, so that the result does not reveal which names a private network has. Throws an EgressError
   * `refused`.
   */
  validateDestination(url: string): Promise<URL>
  /** The same check, but the name must resolve to an allowed address now. Throws an EgressError. */
  requireReachable(url: string): Promise<void>
  /** Creates a separate set of connections, with at most this many per origin. */
  pool(options: { connections: number }): EgressPool
  close(): Promise<void>
}
