import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { InputRequiredResult, Meta, RequestId } from '../../schemas/mcp.ts'
import type { Headers } from './headers.ts'
import type { ProtocolGeneration } from './protocol.ts'
import type { ServerInfo, ToolList } from './tool-list.ts'

/** What a tool answers: its result, or what it must be told first. */
export type ToolResult = CallToolResult | InputRequiredResult

/** One `tools/call`, its parameters judged. */
export interface ToolRequest {
  name: string
  /** The arguments as the client sent them, not validated; an empty object if it sent none. */
  arguments: unknown
  meta: Meta | undefined
  headers: Headers
  client: CallingClient
}

/** What came of a `tools/call`. */
export interface CalledTool {
  result: ToolResult
  /** How it ended, for the log: `ok`, `error` for a tool's own refusal, `not_found`, or a code of the error table. */
  outcome: string
}

/** What one caller may list and call. Synchronous where it can be: the hot path awaits nothing it need not. */
export interface CallerTools {
  list(): ToolList | Promise<ToolList>
  /** The input schema of a tool; undefined when the caller does not see it. */
  inputSchema(name: string): object | undefined | Promise<object | undefined>
  /** Runs a tool. What goes wrong with it is a result with `isError`, never a rejection. */
  call(request: ToolRequest): CalledTool | Promise<CalledTool>
}

export interface McpDeps {
  serverInfo: ServerInfo
  /** What a client is told about the server as a whole. */
  instructions: string
  tools: CallerTools
}

/** A stored list that the request's id completes. */
export interface ListBody {
  list: ToolList
  generation: ProtocolGeneration
  id: RequestId
}

/** What POST /mcp answers: JSON ready to send, a stored list, or nothing. */
export interface Answer {
  status: number
  /** How the message was answered, for the log: `ok`, a word for the error of JSON-RPC, or what became of its tool. */
  outcome: string
  body: string | ListBody | undefined
}

/** Whether a result is what came of the call: neither a failure nor a question. */
export function isDone(result: ToolResult): result is CallToolResult {
  return result.resultType !== 'input_required' && result.isError !== true
}

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

/** Goes on with a value at once where it is there, and when it comes where it is promised. */
export function after<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}
