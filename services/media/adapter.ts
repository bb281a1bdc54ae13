import type { Readable } from 'node:stream'
import type { MediaUsage, PricedRequest } from './prices.ts'

/** A file that a provider gets. */
export interface InputFile {
  name: string
  mediaType: string
  data: Buffer
}

/** What a provider gets. */
export interface MediaRequest extends PricedRequest {
  /** Whose fair share of the connections to the provider counts. */
  orgId: string
  inputs: readonly InputFile[]
}

/** A file that a provider made. */
interface OutputFile {
  name: string
  /** Opens its bytes, once. */
  open(signal: AbortSignal): Promise<Readable>
}

/** What a provider made, and what it reports about the size. */
export interface MediaOutput {
  files: readonly OutputFile[]
  usage?: MediaUsage | undefined
  warnings?: readonly string[]
}

/** Makes files with the models of one interface. The methods throw MediaFailures and EgressErrors. */
export interface GenerationAdapter {
  /**
   * Submits a request, once. Returns what was made, or the provider's name of the running work, which is JSON. After an
   * EgressError of something that was sent, the provider may work on it anyway.
   */
  start(request: MediaRequest, signal: AbortSignal): Promise<{ output: MediaOutput } | { operation: unknown }>
  /** Returns what was made; undefined while the work is running. A MediaFailure that is not transient ends the work. */
  status?(
    operation: unknown,
    request: Omit<MediaRequest, 'inputs'>,
    signal: AbortSignal,
  ): Promise<MediaOutput | undefined>
  /** Asks the provider to stop the work. The next status says whether it did. */
  cancel?(operation: unknown, request: Omit<MediaRequest, 'inputs'>, signal: AbortSignal): Promise<void>
}

type FailureCode = 'content_refused' | 'bad_input' | 'provider_busy' | 'provider_failed'

/** A provider did not make anything, and says so. The message has neither its URLs nor its key. */
export class MediaFailure extends Error {
  override readonly name = 'MediaFailure'
  readonly code: FailureCode
  /** Whether the same question may get another answer later: for a status, the work continues. */
  readonly transient: boolean
  /** In seconds. */
  readonly retryAfter: number | undefined
  /** What the provider charges for an answer to a question anyway; undefined if it reports nothing. */
  readonly usage: MediaUsage | undefined

  constructor(
    code: FailureCode,
    message: string,
    options: { transient?: boolean; retryAfter?: number | undefined; usage?: MediaUsage | undefined } = {},
  ) {
    super(message)
    this.code = code
    this.transient = options.transient === true
    this.retryAfter = options.retryAfter
    this.usage = options.usage
  }
}

/** The model's own arguments in the form of the provider. */
export function providerArguments({ model, args }: Pick<PricedRequest, 'model' | 'args'>): Record<string, unknown> {
  const sent: Record<string, unknown> = {}
  for (const [name, { as = name, as_text: asText }] of Object.entries(model.arguments ?? {})) {
    const value = args[name]
    if (value === undefined) continue
    const path = as.split('.')
    const last = path.pop() ?? as
    let place = sent
    for (const step of path) {
      place[step] ??= {}
      place = place[step] as Record<string, unknown>
    }
    place[last] = asText === true ? String(value) : value
  }
  return sent
}
