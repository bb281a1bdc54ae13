import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { InputRequiredResult, Meta, Trace } from '../../schemas/tools/mcp.ts'
import type { Headers } from './headers.ts'
import type { ProtocolGeneration } from './protocol.ts'
import type { ListBody, ServerInfo, ToolList } from './tool-list.ts'

/** The result of a tool, or the input that it needs first. */
export type ToolResult = CallToolResult | InputRequiredResult

/** One `tools/call` with valid parameters. */
export interface ToolRequest {
  name: string
  /** The arguments as the client sent them, before validation; an empty object if it sent none. */
  arguments: unknown
  meta: Meta | undefined
  headers: Headers
  client: CallingClient
}

/** The result and the outcome of a `tools/call`. */
export interface CalledTool {
  result: ToolResult
  /** For the log: `ok`, `error` for a tool's own error, `not_found`, or a code of the error table. */
  outcome: string
}

/** The tools of one caller. Synchronous where possible, because an `await` on the hot path costs CPU. */
export interface CallerTools {
  list(): ToolList | Promise<ToolList>
  /** The input schema of a tool; undefined if the caller does not see the tool. */
  inputSchema(name: string): object | undefined | Promise<object | undefined>
  /** Runs a tool. Never rejects: a failure is a result with `isError`. */
  call(request: ToolRequest): CalledTool | Promise<CalledTool>
}

export interface McpDeps {
  serverInfo: ServerInfo
  /** The instructions that a client gets about the server as a whole. */
  instructions: string
  tools: CallerTools
  /** The caller's resources and prompts; their methods do not exist without. */
  offers?: CallerOffers
  /** Called with the `clientInfo` of an `initialize`, as the client sent it. */
  introduced?(clientInfo: unknown): void
}

/** An answer of POST /mcp: JSON that is ready to send, a cached list, or nothing. */
export interface Answer {
  status: number
  /** For the log: `ok`, a name for the JSON-RPC error, or the outcome of the tool. */
  outcome: string
  body: string | ListBody | undefined
}

/** Whether a call succeeded: its result is neither an error nor a request for input. */
export function isDone(result: ToolResult): result is CallToolResult {
  return result.resultType !== 'input_required' && result.isError !== true
}

/** What a client says about itself and its call. Read from the message, never from a header. */
export interface CallingClient {
  readonly generation: ProtocolGeneration
  /** The client's capabilities, for tools that ask for input; empty for legacy clients, which cannot be asked. */
  readonly capabilities: Readonly<Record<string, unknown>>
  readonly trace: Trace
  /** In a repeated call after a tool asked for input: the answers, and the tool's state as it was sent. */
  readonly inputResponses?: Readonly<Record<string, unknown>>
  readonly requestState?: string
}

/** What a caller is offered besides tools, by the member of its list. */
export type Offered = 'resources' | 'resourceTemplates' | 'prompts'

/** The capabilities to announce besides `tools`, only those of which the caller has something. */
export interface OfferCapabilities {
  readonly resources?: object
  readonly prompts?: object
  readonly extensions?: object
}

export interface OfferRequest {
  readonly meta: Meta | undefined
  readonly trace: Trace
}

/** One `resources/read`. */
interface ReadRequest extends OfferRequest {
  readonly uri: string
}

/** One `prompts/get`. */
interface PromptRequest extends OfferRequest {
  readonly name: string
  /** As the client sent them. */
  readonly arguments: unknown
}

/** A result, or the message and data of a JSON-RPC error that replaces it. */
export type OfferResult =
  | {
      readonly result: object
      /** How long a modern client may cache it, in milliseconds; undefined if it is not cacheable. */
      readonly ttlMs?: number | undefined
      readonly outcome: string
    }
  | {
      /** `unknown`: no such resource or prompt. `invalid`: invalid arguments. */
      readonly refused: 'unknown' | 'invalid' | 'failed'
      readonly message: string
      readonly data?: object
      readonly outcome: string
    }

/** The resources and prompts of one caller. The requests never reject. */
export interface CallerOffers {
  capabilities(): OfferCapabilities | Promise<OfferCapabilities>
  /** The JSON of a list, which has no pages. */
  list(kind: Offered): string | Promise<string>
  readResource(request: ReadRequest): OfferResult | Promise<OfferResult>
  getPrompt(request: PromptRequest): OfferResult | Promise<OfferResult>
}
