import type { Readable } from 'node:stream'
import type { TSchema } from '@sinclair/typebox'
import { GatewayError } from '../../../../lib/errors/errors.ts'
import { ARTIFACT_ID, noArtifact } from '../../../artifacts/artifact.ts'
import type { Artifacts } from '../../../artifacts/artifacts.ts'
import { hasFile, isFileArgument } from '../../../definitions/file-argument.ts'
import type { Caller } from '../../../identity/caller.ts'

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

const TEXT = 'text/plain; charset=utf-8'

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
