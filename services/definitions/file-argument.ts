import { type TSchema, type TString, Type } from '@sinclair/typebox'
import { named } from './arguments.ts'
import type { FilePart } from './http-tool-types.ts'
import type { Template } from './template.ts'

const FILE = Symbol('file')

interface FileArgumentOptions {
  /** What the file is, as a phrase: `The file to attach`. */
  what: string
  minLength?: number
}

/** The maximum length of a file that is given as text, in characters. */
const MAX_TEXT = 1_000_000

/**
 * An argument that takes a file: the ID of an artifact of the caller, or the text of a short file. In a request, its
 * placeholder is the file: see BodyTemplate.
 */
export function fileArgument({ what, minLength = 0 }: FileArgumentOptions): TString {
  const description = `${what}: an artifact ID (art_…, from files__upload or another tool), or its text. Never base64.`
  return Object.assign(Type.String({ minLength, maxLength: MAX_TEXT, description }), { [FILE]: true })
}

/** The name of the file of a `fileArgument`. */
export const FileNameArgument = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '^[^\\\\/\\r\\n]+$',
    description: 'The name of the file: report.csv. Default: the name of the artifact; file.txt for a text.',
  }),
)

/** A part of a multipart body that is a file: the arguments `content` and `file_name`. */
export function filePart(what = 'The file') {
  return { $file: { content: fileArgument({ what, minLength: 1 }), name: named('file_name', FileNameArgument) } }
}

/** Whether a schema is a file argument. */
export function isFileArgument(schema: TSchema | undefined): boolean {
  return schema !== undefined && FILE in schema
}

/** Whether a schema is a file argument, or has one in its items or members. */
export function hasFile(schema: TSchema | undefined): boolean {
  if (schema === undefined || isFileArgument(schema)) return schema !== undefined
  return hasFile(schema.items) || Object.values<TSchema>(schema.properties ?? {}).some(hasFile)
}

/** Whether a part of a body carries a file. */
export function isFilePart(part: Template | FilePart): part is FilePart {
  return typeof part === 'object' && part !== null && '$file' in part
}
