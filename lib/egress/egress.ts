import type { Readable } from 'node:stream'

/** A request to the outside. */
export interface EgressRequest {
  method: string
  url: string | URL
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array | FormData | Readable
  /**
   * Headers that are a secret, and the origin that they are for: a request to any other origin is refused before it is
   * sent, and a redirect to one leaves them behind.
   */
  credential?: { readonly origin: string; readonly headers: Readonly<Record<string, string>> }
  /** How long the whole exchange may take, body included; 30 s when absent. */
  deadlineMs?: number
  /** Bytes of the decoded body at most; 8 MiB when absent. */
  maxBytes?: number
  /** Redirects that are followed, each judged as a request of its own; none when absent. */
  maxRedirects?: number
  /**
   * Limits the concurrent requests with this key (an organization's ID) to one origin, so that no organization uses all
   * connections to a provider. Further requests wait in a queue. No limit when absent.
   */
  concurrencyKey?: string
  signal?: AbortSignal
  /**
   * Takes the decoded text of an answer that is a stream of events (`text/event-stream`) as it arrives, and says when it
   * has enough: then the answer is over, and its body empty. Of `request` alone; such an answer is read whole when absent.
   */
  events?: (text: string) => boolean
}

/** What is known of an answer before its body. */
export interface AnswerHead {
  status: number
  /** By lower-case name; of several headers of one name, joined with `, `. */
  headers: Readonly<Record<string, string>>
  /** Where the answer came from, after redirects. */
  url: string
  /** Whether the request that was answered still had the credential: one that was redirected elsewhere has lost it. */
  answeredWithCredential: boolean
}

/** An answer whose body was read whole. */
export interface EgressAnswer extends AnswerHead {
  body: string
}

/** An answer whose body streams, decoded; it fails with an EgressError past its size or its deadline. */
export interface EgressStream extends AnswerHead {
  body: Readable
}

/** Why a request failed; `overloaded`: it was not sent because too many requests of its concurrency key are in flight. */
export type EgressReason = 'refused' | 'unreachable' | 'timeout' | 'too_large' | 'aborted' | 'overloaded'

/** A request that was not let out, or not answered. The message names the host and never a header, a query or a body. */
export class EgressError extends Error {
  override readonly name = 'EgressError'
  readonly reason: EgressReason
  /** False where nothing of the request went out, so that it cannot have done anything. */
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
  /** Lets nothing more out, and ends with what is under way. */
  close(): Promise<void>
}

/** The one way out to the network: every address judged, every size and time bounded. Throws EgressErrors. */
export interface Egress {
  request(request: EgressRequest): Promise<EgressAnswer>
  stream(request: EgressRequest): Promise<EgressStream>
  /** The same as WHATWG fetch, for libraries that bring their own requests; redirects are never followed. */
  fetch(url: string, init: RequestInit): Promise<Response>
  /**
   * A URL as requests to it would be judged, the addresses of its name with it. Over https a name passes that does not
   * resolve to a public address: that it does not exist, or is a private network's, is told alike when it is connected
   * to. Sends nothing to it. Throws an EgressError `refused`.
   */
  validateDestination(url: string): Promise<URL>
  /** The same, of a URL whose name has to resolve to what may be reached now. Throws an EgressError. */
  requireReachable(url: string): Promise<void>
  /** The same way out over connections that are held apart: so many to one origin at most. */
  pool(options: { connections: number }): EgressPool
  close(): Promise<void>
}
