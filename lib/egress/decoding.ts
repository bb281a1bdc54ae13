import type { Transform } from 'node:stream'
import {
  brotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  gunzip,
  inflate,
  type ZlibOptions,
} from 'node:zlib'

type Whole = (
  body: Buffer,
  options: Pick<ZlibOptions, 'maxOutputLength'>,
  callback: (error: Error | null, decoded: Buffer) => void,
) => void

/** How one Content-Encoding is undone. */
export interface Decoding {
  /** A whole body; fails past `maxOutputLength` bytes with ERR_BUFFER_TOO_LARGE, before more of it is unpacked. */
  whole: Whole
  stream(): Transform
}

/** What an answer may come in; asked for in this order. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br'

const GZIP: Decoding = { whole: gunzip, stream: createGunzip }
const DECODINGS: Readonly<Record<string, Decoding>> = {
  gzip: GZIP,
  'x-gzip': GZIP,
  deflate: { whole: inflate, stream: createInflate },
  br: { whole: brotliDecompress, stream: createBrotliDecompress },
}

/** The decoding of a Content-Encoding header; undefined when there is nothing to undo, null when it was not asked for. */
export function decodingOf(contentEncoding: string | undefined): Decoding | undefined | null {
  if (contentEncoding === undefined || contentEncoding === '' || contentEncoding === 'identity') return undefined
  // Several, one upon the other, are what only a bomb is made of.
  const name = contentEncoding.trim().toLowerCase()
  return Object.hasOwn(DECODINGS, name) ? DECODINGS[name] : null
}
