import type { Meta } from '../../schemas/mcp.ts'
import type { Trace } from './contract.ts'

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
