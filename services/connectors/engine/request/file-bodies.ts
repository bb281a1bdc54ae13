import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { StreamedBody } from '../../../../lib/egress/egress.ts'
import { GatewayError } from '../../../../lib/errors/errors.ts'
import { fileName } from '../../../artifacts/artifact.ts'
import { FileValue } from './file-value.ts'

/** A body with files. It is streamed if one of them is an artifact. */
type FileBody = string | Uint8Array | StreamedBody

/** A part of a body: bytes, or bytes that are read when the part is sent. */
type Piece = Buffer | { readonly bytes: number; readonly read: () => AsyncIterable<Uint8Array> }

/** The maximum size of the files of a JSON body together. Providers parse such a body as a whole. */
const MAX_IN_JSON = 25 * 1024 ** 2

/** Builds a JSON body with files in base64. Throws invalid_request if they are too large. */
export function jsonBody(value: unknown): FileBody {
  const streamed: FileValue[] = []
  // Nobody can guess it, so that it splits the JSON only at the files.
  const mark = randomUUID()
  let bytes = 0
  const json = JSON.stringify(value, (_name, member: unknown) => {
    if (!(member instanceof FileValue)) return member
    bytes += member.bytes
    if (bytes > MAX_IN_JSON) throw tooLarge()
    if (Buffer.isBuffer(member.content)) return member.content.toString('base64')
    streamed.push(member)
    return mark
  })
  if (streamed.length === 0) return json
  return bodyOf(
    json.split(mark).flatMap((text, index) => {
      const file = streamed[index]
      return file === undefined ? [Buffer.from(text)] : [Buffer.from(text), inBase64(file)]
    }),
  )
}

function tooLarge(): GatewayError {
  return new GatewayError(
    'invalid_request',
    `This tool sends at most ${MAX_IN_JSON / 1024 ** 2} MiB of files per call. Send smaller files, or fewer.`,
  )
}

/** A file of a multipart body. An absent name is that of the artifact. */
export interface NamedFile {
  readonly file: FileValue
  readonly name: string | undefined
}

/** Builds a body of `multipart/form-data` (RFC 7578) with its content type, and its texts as they are sent. */
export function multipartBody(parts: readonly (readonly [name: string, value: string | NamedFile])[]): {
  content: FileBody
  type: string
  fields: string
} {
  const boundary = `----${randomUUID()}`
  const fields = new URLSearchParams()
  const pieces = parts.flatMap(([name, value]): Piece[] => {
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"`
    if (typeof value === 'string') {
      const text = value.toWellFormed().replace(/\r\n?|\n/g, '\r\n')
      fields.append(name, text)
      return [Buffer.from(`${head}\r\n\r\n${text}\r\n`)]
    }
    const { file } = value
    const called = quoted(fileName(value.name ?? file.name ?? 'file.txt'))
    // The provider knows better than "text" what a text is, by its name.
    const type = Buffer.isBuffer(file.content) ? 'application/octet-stream' : file.mediaType
    return [
      Buffer.from(`${head}; filename="${called}"\r\ncontent-type: ${type}\r\n\r\n`),
      asIs(file),
      Buffer.from('\r\n'),
    ]
  })
  pieces.push(Buffer.from(`--${boundary}--\r\n`))
  return { content: bodyOf(pieces), type: `multipart/form-data; boundary=${boundary}`, fields: fields.toString() }
}

/** Builds a body that is one file. */
export function rawBody(file: FileValue): { content: FileBody; type: string } {
  return { content: bodyOf([asIs(file)]), type: file.mediaType }
}

/** Escapes a name as browsers do (HTML, multipart form data). */
function quoted(name: string): string {
  return name.replace(
    /["\r\n]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}

function asIs({ bytes, content }: FileValue): Piece {
  return Buffer.isBuffer(content) ? content : { bytes, read: content }
}

function inBase64({ bytes, content }: FileValue): Piece {
  if (Buffer.isBuffer(content)) return Buffer.from(content.toString('base64'))
  return { bytes: Math.ceil(bytes / 3) * 4, read: () => encoded(content()) }
}

/** Encodes groups of three bytes, so that only the end is padded. */
async function* encoded(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left: Buffer = Buffer.alloc(0)
  for await (const chunk of content) {
    const bytes = Buffer.concat([left, chunk])
    const whole = bytes.length - (bytes.length % 3)
    if (whole > 0) yield Buffer.from(bytes.toString('base64', 0, whole))
    left = bytes.subarray(whole)
  }
  if (left.length > 0) yield Buffer.from(left.toString('base64'))
}

function bodyOf(pieces: readonly Piece[]): Uint8Array | StreamedBody {
  if (pieces.every(piece => Buffer.isBuffer(piece))) return Buffer.concat(pieces)
  async function* read(): AsyncGenerator<Uint8Array> {
    for (const piece of pieces)
      if (Buffer.isBuffer(piece)) yield piece
      else yield* piece.read()
  }
  const bytes = pieces.reduce((sum, piece) => sum + (Buffer.isBuffer(piece) ? piece.length : piece.bytes), 0)
  return { bytes, open: () => Readable.from(read(), { objectMode: false }) }
}
