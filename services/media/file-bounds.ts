import type { MediaModel } from '../../schemas/media.ts'
import type { InputFile } from './adapter.ts'

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
export function boundsOf({ most = {} }: MediaModel, files: readonly InputFile[]): FileBounds {
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
