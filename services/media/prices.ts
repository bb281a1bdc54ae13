import type { MediaModel, MediaPrice } from '../../schemas/tools/media.ts'

/** What a provider reports about the size of a result. A missing member is unknown. */
export interface MediaUsage {
  textTokens?: number
  /** Tokens of images, audio and other files in the request. */
  fileTokens?: number
  outTokens?: number
  /** In the unit of the price: characters, seconds, billed units. */
  units?: number
}

/** What a call asks for, in terms of its price. */
export interface PricedRequest {
  model: MediaModel
  /** The model's own arguments, with their defaults. */
  args: Readonly<Record<string, unknown>>
  prompt: string
  n: number
  files: number
  /** What the files can count as, where their sizes are known. Otherwise each counts as the model's allowance. */
  bounds?: FileBounds
}

/** The price of a model at a time: the last one that has begun; undefined before the first one. */
export function priceAt(model: Pick<MediaModel, 'prices'>, now: number): MediaPrice | undefined {
  const today = new Date(now).toISOString().slice(0, 10)
  return model.prices.findLast(price => price.valid_from <= today)
}

/** The most that a call costs, in micro-dollars, from 1. */
export function estimateOf(request: PricedRequest, price: MediaPrice): number {
  return Math.max(1, mostOf(request, price))
}

function mostOf(request: PricedRequest, price: MediaPrice): number {
  const { model, prompt, n, files } = request
  const most = model.most ?? {}
  const { tokens, minutes } = request.bounds ?? {
    tokens: files * (most.file_tokens ?? 0),
    minutes: files * (most.minutes ?? 0),
  }
  if (!('per' in price))
    return inMicros(
      // A token has at least one byte.
      (Buffer.byteLength(prompt) + PROMPT_FRAME_TOKENS) * price.text_in +
        tokens * Math.max(price.media_in, request.bounds === undefined ? 0 : price.text_in) +
        n * (most.out_tokens ?? 0) * price.out,
      1_000_000,
    )
  return unitCost(request, price, { image: n, unit: n * (most.units ?? 1), minute: minutes })
}

/**
 * What a finished call costs, in micro-dollars. Where the provider reports nothing, the size of the request or the number
 * of results counts, and for tokens the estimate.
 */
export function costOf(
  request: PricedRequest,
  price: MediaPrice,
  { results, usage }: { results: number; usage: MediaUsage | undefined },
): number {
  if ('per' in price) {
    const { units } = usage ?? {}
    const made = { ...request, n: results }
    const { units: mostUnits = 1, minutes: mostMinutes = 0 } = request.model.most ?? {}
    const known =
      units === undefined
        ? { image: results, unit: results * mostUnits, minute: request.files * mostMinutes }
        : { [price.per]: price.per === 'minute' ? units / 60 : units }
    return unitCost(made, price, known)
  }
  if (usage?.outTokens === undefined) return estimateOf(request, price)
  const { textTokens = 0, fileTokens = 0, outTokens } = usage
  return inMicros(textTokens * price.text_in + fileTokens * price.media_in + outTokens * price.out, 1_000_000)
}

/** What the provider's own frame around a prompt may take. */
const PROMPT_FRAME_TOKENS = 200

type UnitPrice = Extract<MediaPrice, { per: string }>

function unitCost(
  { args, prompt, n }: PricedRequest,
  price: UnitPrice,
  known: Partial<Record<UnitPrice['per'], number>>,
): number {
  const { per, tiers } = price
  const micros = tiers?.micros[String(args[tiers.argument])] ?? price.micros
  const counted =
    { second: n * Number(args.duration ?? 0), thousand_characters: [...prompt].length, ...known }[per] ?? n
  return inMicros(counted * micros, per === 'thousand_characters' ? 1_000 : 1)
}

/** Rounds up: a call that costs anything costs at least one micro-dollar. */
function inMicros(amount: number, per: number): number {
  // Without the noise of binary fractions, such as 0.1 * 3.
  return Math.ceil(Number((amount / per).toFixed(6)))
}

/** The most that files can count as, in the units of prices. */
export interface FileBounds {
  tokens: number
  /** Of speech. */
  minutes: number
}

/** A token of text has at least one byte. */
const TEXT_TOKENS_PER_BYTE = 1
/** Providers count at most 32 tokens for a second of audio and 300 for one of video, which have at least 500 and 3,000 bytes. */
const PLAYED_TOKENS_PER_BYTE = 0.1
/** A page counts as at most 560 tokens and its text, and has more than 100 bytes. */
const DOCUMENT_TOKENS_PER_BYTE = 6
/** What a provider adds to a file, such as its name. */
const FRAME_TOKENS = 150
/** The lowest usual bit rate of speech is 6 kbit/s. */
const SPEECH_BYTES_PER_MINUTE = 500 * 60

/**
 * Returns what files can cost at most, by their sizes. Providers scale images, so the model's allowance bounds each one. No
 * request has more tokens than the context of its model.
 */
export function boundsOf(
  { most = {} }: MediaModel,
  files: readonly { readonly mediaType: string; readonly data: Buffer }[],
): FileBounds {
  const { file_tokens: imageTokens = 0, context_tokens: contextTokens = Number.POSITIVE_INFINITY } = most
  let tokens = 0
  let bytes = 0
  for (const { mediaType, data } of files) {
    bytes += data.length
    tokens += FRAME_TOKENS
    tokens += mediaType.startsWith('image/') ? imageTokens : Math.ceil(data.length * tokensPerByte(mediaType))
  }
  return { tokens: Math.min(tokens, contextTokens), minutes: bytes / SPEECH_BYTES_PER_MINUTE }
}

function tokensPerByte(mediaType: string): number {
  if (/^(?:audio|video)\//.test(mediaType)) return PLAYED_TOKENS_PER_BYTE
  return /^text\/|^application\/json$/.test(mediaType) ? TEXT_TOKENS_PER_BYTE : DOCUMENT_TOKENS_PER_BYTE
}
