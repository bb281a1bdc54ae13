import type { ProtocolGeneration } from './protocol-generation.ts'

/** Where a call stands in a trace (W3C Trace Context and Baggage), as the caller's `_meta` has it. */
export interface Trace {
  readonly traceparent?: string
  readonly tracestate?: string
  readonly baggage?: string
}

/** What the client that calls a tool says of itself and of this call, in the message alone: never a header. */
export interface CallingClient {
  readonly generation: ProtocolGeneration
  /** What it can do for a tool that asks for input; empty for legacy clients, whom nobody can ask. */
  readonly capabilities: Readonly<Record<string, unknown>>
  readonly trace: Trace
  /** Of a call that is made again with what the tool has asked for: the answers, and the tool's state as it was sent. */
  readonly inputResponses?: Readonly<Record<string, unknown>>
  readonly requestState?: string
}
