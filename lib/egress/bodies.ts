import { Readable, type Transform } from 'node:stream'
import {
  brotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  gunzip,
  inflate,
  type ZlibOptions,
} from 'node:zlib'
import type { EgressError } from './egress.ts'
import { bodyGarbled, bodyTooLarge, egressErrorOf, givenUp } from './egress-errors.ts'
import type { Flow, Receiver } from './exchange.ts'

/** Receives the body of one answer. */
export type BodyReceiver = Pick<Receiver, 'data' | 'end' | 'failed'>

export interface BodyOptions {
  host: string
  /** The maximum number of decoded bytes. */
  maxBytes: number
  decoding: Decoding | undefined
  flow: Flow
}

/** Reads a whole body. A compressed body must not exceed `maxBytes` before decompression either. */
export function collectBody(
  { host, maxBytes, decoding, flow }: BodyOptions,
  done: (error: EgressError | null, body: string) => void,
): BodyReceiver {
  const chunks: Buffer[] = []
  let size = 0
  return {
    data(chunk) {
      size += chunk.length
      if (size > maxBytes) flow.abort(bodyTooLarge(host, maxBytes))
      else chunks.push(chunk)
    },
    end() {
      const body = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size)
      if (decoding === undefined || size === 0) return done(null, textOf(body))
      // zlib treats a limit of 0 as no limit.
      decoding.whole(body, { maxOutputLength: Math.max(maxBytes, 1) }, (error, decoded) => {
        if (error === null) done(null, textOf(decoded))
        else done(decodingFailed(error, host, maxBytes), '')
      })
    },
    failed(error) {
      done(error, '')
    },
  }
}

/** Streams a body at the speed of its reader. The stream fails only with EgressErrors. */
export function streamBody({ host, maxBytes, decoding, flow }: BodyOptions): {
  body: Readable
  receiver: BodyReceiver
} {
  const decoder = decoding?.stream()
  let size = 0

  const body = new Readable({
    read() {
      if (decoder === undefined) flow.resume()
      else decoder.resume()
    },
    destroy(error, callback) {
      decoder?.destroy()
      flow.abort(error === null ? givenUp(host) : egressErrorOf(error, host))
      callback(error)
    },
  })
  // An unread body that fails must not end the process.
  body.on('error', () => {})

  function deliver(chunk: Buffer): void {
    size += chunk.length
    if (size > maxBytes) body.destroy(bodyTooLarge(host, maxBytes))
    else if (!body.push(chunk)) (decoder ?? flow).pause()
  }

  return {
    body,
    receiver: {
      ...decoded({
        decoder,
        flow,
        deliver,
        end: () => body.push(null),
        fail: error => body.destroy(decodingFailed(error, host, maxBytes)),
      }),
      failed(error) {
        body.destroy(error)
      },
    },
  }
}

/**
 * Reads a stream to its end, but keeps at most `maxBytes`. `whole` says whether that is everything; if not, the stream is
 * destroyed. Throws what the stream throws.
 */
export async function readBounded(
  body: Readable,
  maxBytes: number,
  count?: (bytes: number) => void,
): Promise<{ bytes: Buffer; whole: boolean }> {
  const chunks: Buffer[] = []
  let size = 0
  // Leaving the loop destroys the stream.
  for await (const chunk of body) {
    count?.(chunk.length)
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes) return { bytes: Buffer.concat(chunks, maxBytes), whole: false }
  }
  return { bytes: Buffer.concat(chunks, size), whole: true }
}

interface DecodedOptions {
  /** Undefined if the body is not encoded. */
  decoder: Transform | undefined
  flow: Pick<Flow, 'pause' | 'resume'>
  deliver(chunk: Buffer): void
  end(): void
  /** Called with the decoder's error. */
  fail(error: Error): void
}

/** Decodes chunks and delivers them, at the speed of the decoder. */
export function decoded({ decoder, flow, deliver, end, fail }: DecodedOptions): Pick<BodyReceiver, 'data' | 'end'> {
  let empty = true
  decoder
    ?.on('data', deliver)
    .on('end', end)
    .on('error', fail)
    .on('drain', () => flow.resume())
  return {
    data(chunk) {
      empty = false
      if (decoder === undefined) deliver(chunk)
      else if (!decoder.write(chunk)) flow.pause()
    },
    end() {
      // Zero bytes are an empty body in every encoding.
      if (decoder === undefined || empty) end()
      else decoder.end()
    },
  }
}

/** The error for a body that does not match its Content-Encoding, or is too large. */
export function decodingFailed(error: Error, host: string, maxBytes: number): EgressError {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ERR_BUFFER_TOO_LARGE' ? bodyTooLarge(host, maxBytes) : bodyGarbled(host)
}

function textOf(body: Buffer): string {
  const text = body.toString('utf8')
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

type Whole = (
  body: Buffer,
  options: Pick<ZlibOptions, 'maxOutputLength'>,
  callback: (error: Error | null, decoded: Buffer) => void,
) => void

/** Decodes one Content-Encoding. */
interface Decoding {
  /** Decodes a whole body. Fails with ERR_BUFFER_TOO_LARGE at `maxOutputLength`, before it decompresses more. */
  whole: Whole
  stream(): Transform
}

/** The value of Accept-Encoding. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br'

const GZIP: Decoding = { whole: gunzip, stream: createGunzip }
const DECODINGS: Readonly<Record<string, Decoding>> = {
  gzip: GZIP,
  'x-gzip': GZIP,
  deflate: { whole: inflate, stream: createInflate },
  br: { whole: brotliDecompress, stream: createBrotliDecompress },
}

/**
 * Returns the decoding for a Content-Encoding header; undefined if there is nothing to decode, null if the encoding was
 * not requested.
 */
export function decodingOf(contentEncoding: string | undefined): Decoding | undefined | null {
  if (contentEncoding === undefined || contentEncoding === '' || contentEncoding === 'identity') return undefined
  // Several layered encodings are not supported: only decompression bombs use them.
  const name = contentEncoding.trim().toLowerCase()
  return Object.hasOwn(DECODINGS, name) ? DECODINGS[name] : null
}
