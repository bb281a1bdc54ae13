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

/** What takes the body of one answer. */
export type BodyReceiver = Pick<Receiver, 'data' | 'end' | 'failed'>

export interface BodyOptions {
  host: string
  /** Decoded bytes at most. */
  maxBytes: number
  decoding: Decoding | undefined
  flow: Flow
}

/** Reads a body whole; a compressed one may not be larger than `maxBytes` before it is unpacked either. */
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
      // A limit of 0 would be none to zlib.
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

/** Hands a body on while it arrives, no faster than it is read; it fails with EgressErrors only. */
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
  // A body that nobody reads must not end the process when it fails.
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

export interface DecodedOptions {
  /** Undefined where there is nothing to undo. */
  decoder: Transform | undefined
  flow: Pick<Flow, 'pause' | 'resume'>
  deliver(chunk: Buffer): void
  end(): void
  /** Told what the decoder failed with. */
  fail(error: Error): void
}

/** Hands what arrives on as what it is once its encoding is undone, no faster than the decoder takes it. */
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
      // Nothing at all is an empty body in every encoding.
      if (decoder === undefined || empty) end()
      else decoder.end()
    },
  }
}

/** Why a body could not be decoded: it is not what its Content-Encoding says, or larger than it may be. */
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
