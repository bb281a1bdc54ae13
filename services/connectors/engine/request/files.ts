import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { TSchema } from '@sinclair/typebox'
import type { StreamedBody } from '../../../../lib/egress/egress.ts'
import { GatewayError } from '../../../../lib/errors/errors.ts'
import { ARTIFACT_ID, fileName, noArtifact } from '../../../artifacts/artifact.ts'
import type { Artifacts } from '../../../artifacts/artifacts.ts'
import { hasFile, isFileArgument } from '../../../definitions/file-argument.ts'
import type { Caller } from '../../../identity/caller.ts'
import { textTypeOf } from '../convert/text-type.ts'

/** A file of one call, in place of its argument. Only the lowering of a body reads its content. */
export class FileValue {
  /** Undefined for a text. */
  readonly name: string | undefined
  readonly mediaType: string
  readonly bytes: number
  /** The bytes of a text, or a function that reads an artifact from its beginning. */
  readonly content: Buffer | (() => AsyncIterable<Uint8Array>)

  constructor({ name, mediaType, bytes, content }: Pick<FileValue, 'name' | 'mediaType' | 'bytes' | 'content'>) {
    this.name = name
    this.mediaType = mediaType
    this.bytes = bytes
    this.content = content
  }
}

/** Returns the media type of a file whose bytes or name show more than that it is a text; undefined for another one. */
export function knownType({ mediaType, name: ownName }: FileValue, name: string | undefined): string | undefined {
  const isText = /^text\/plain\b/.test(mediaType)
  if (!isText) return mediaType === 'application/octet-stream' ? undefined : mediaType
  return textTypeOf(name) ?? textTypeOf(ownName)
}

type Args = Readonly<Record<string, unknown>>
type FindFile = (given: string) => Promise<FileValue>
type Replace = (value: unknown, find: FindFile) => Promise<unknown>

/** Replaces the file arguments of a call by their files. Throws invalid_request for an artifact that is not found. */
export type ReplaceFiles = (args: Args, find: FindFile) => Promise<Args>

/** Compiles the replacement of a tool's file arguments; undefined if it has none. */
export function compileFiles(input: TSchema): ReplaceFiles | undefined {
  return hasFile(input) ? (compileReplace(input) as ReplaceFiles) : undefined
}

function compileReplace(schema: TSchema): Replace {
  if (isFileArgument(schema)) return async (value, find) => (typeof value === 'string' ? find(value) : value)
  if (schema.type === 'array') {
    const replace = compileReplace(schema.items)
    return async function replaceItems(value, find) {
      const items: unknown[] = []
      for (const item of value as unknown[]) items.push(await replace(item, find))
      return items
    }
  }
  const members = Object.entries<TSchema>(schema.properties)
    .filter(([, member]) => hasFile(member))
    .map(([name, member]) => [name, compileReplace(member)] as const)
  return async function replaceMembers(value, find) {
    const replaced = { ...(value as Record<string, unknown>) }
    for (const [name, replace] of members)
      if (replaced[name] !== undefined) replaced[name] = await replace(replaced[name], find)
    return replaced
  }
}

/** One word that begins like an ID is always an ID: a mistyped one must not become the content of a file. */
const LIKE_AN_ID = /^\s*art_\w*\s*$/

const TEXT = 'text/plain'

/** Finds the file of an argument among the caller's own artifacts, or makes one of its text. */
export function createFindFile(artifacts: Pick<Artifacts, 'find' | 'read'>, owner: Pick<Caller, 'orgId' | 'userId'>) {
  return async function findFile(given: string): Promise<FileValue> {
    if (!LIKE_AN_ID.test(given)) {
      const content = Buffer.from(given)
      return new FileValue({ name: undefined, mediaType: TEXT, bytes: content.length, content })
    }
    const id = given.trim()
    const artifact = ARTIFACT_ID.test(id) ? await artifacts.find(owner, id) : undefined
    if (artifact === undefined) throw notFound(id)
    const stored = artifact
    const { name, mediaType, bytes } = stored
    async function* read(): AsyncGenerator<Uint8Array> {
      const content: Readable | undefined = await artifacts.read(stored)
      if (content === undefined) throw notFound(id)
      yield* content
    }
    return new FileValue({ name, mediaType, bytes, content: read })
  }
}

function notFound(id: string): GatewayError {
  return new GatewayError('invalid_request', noArtifact(id))
}

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

/** A file of a body. An absent name is that of the artifact, an absent media type the one that the file shows. */
export interface NamedFile {
  readonly file: FileValue
  readonly name: string | undefined
  readonly type: string | undefined
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
    const { file, name: given, type } = value
    const called = quoted(fileName(given ?? file.name ?? 'file.txt'))
    // The provider may know better than "text" what a text is, by its name.
    const fallback = Buffer.isBuffer(file.content) ? 'application/octet-stream' : file.mediaType
    return [
      Buffer.from(
        `${head}; filename="${called}"\r\ncontent-type: ${type ?? knownType(file, given) ?? fallback}\r\n\r\n`,
      ),
      asIs(file),
      Buffer.from('\r\n'),
    ]
  })
  pieces.push(Buffer.from(`--${boundary}--\r\n`))
  return { content: bodyOf(pieces), type: `multipart/form-data; boundary=${boundary}`, fields: fields.toString() }
}

/** Builds a body that is one file. */
export function rawBody({ file, name, type = knownType(file, name) ?? file.mediaType }: NamedFile): {
  content: FileBody
  type: string
} {
  // The text of an argument is UTF-8. Of an artifact, nothing says its encoding.
  const isUtf8 = Buffer.isBuffer(file.content) && type.startsWith('text/')
  return { content: bodyOf([asIs(file)]), type: isUtf8 ? `${type}; charset=utf-8` : type }
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
