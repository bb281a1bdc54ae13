import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import { type Kind, type TObject, type TProperties, Type } from '@sinclair/typebox'
import { checkHttpTool } from './check-http-tool.ts'

/**
 * A place to be filled with an argument. A string that is nothing but `{name}` becomes the argument with its type, and
 * is left out with it; `{a}/{b}` within more text becomes text, and is left out where one of them is absent. So is an
 * array without items, and within a body an object in which no place was filled, whatever constants stand beside.
 * An absent argument has the `default` of its schema. `{settings.name}` is a setting of the account, `{limit}` and
 * `{cursor}` are what the pagination asks for.
 */
export type Template =
  | string
  | number
  | boolean
  | null
  | Joined
  | readonly Template[]
  | { readonly [name: string]: Template }

/** An array argument as one text. */
export interface Joined {
  readonly $join: string
  readonly separator: string
}

/** An array argument, its items joined: what providers take that know no repeated parameters. */
export function joined(argument: string, separator = ','): Joined {
  return { $join: argument, separator }
}

/** Members that are named as their arguments: `sameNames('title', 'body')` is `{ title: '{title}', body: '{body}' }`. */
export function sameNames<const Name extends string>(...names: readonly Name[]): { readonly [name in Name]: string } {
  return Object.fromEntries(names.map(name => [name, `{${name}}`])) as { [name in Name]: string }
}

/** The body of a request; one form at a time. */
export type BodyTemplate =
  | { readonly json: Template }
  /** `application/x-www-form-urlencoded`; nested members as `a[b]`, items as `a[0]`. */
  | { readonly form: { readonly [name: string]: Template } }
  /** `multipart/form-data`; a part that is a `FilePart` carries a file. */
  | { readonly multipart: { readonly [name: string]: Template | FilePart } }
  /** A GraphQL document with its variables, sent as JSON. */
  | { readonly graphql: string; readonly variables?: { readonly [name: string]: Template } }

/** A file in a multipart body, from arguments: its text or base64 content, and its name. */
export interface FilePart {
  readonly $file: { readonly content: string; readonly name: string; readonly encoding?: string }
}

/** The request a tool makes, on the connector's `baseUrl`. */
export interface RequestTemplate {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /**
   * `/repos/{owner}/{repo}`: each value is percent-encoded whole, and refused where it is `.` or `..`;
   * `{+path}` keeps the slashes of a value and encodes what stands between them; it alone may be absent.
   */
  readonly path: string
  /** Arrays repeat their parameter, objects become `a[b]`, null is left out. */
  readonly query?: { readonly [name: string]: Template }
  readonly headers?: { readonly [name: string]: string }
  readonly body?: BodyTemplate
}

/**
 * How a provider pages. The tool has `limit` and `cursor`; the cursor a caller sees is opaque and made by the engine.
 * Pointers are JSON pointers (RFC 6901) into the answer.
 */
export type Pagination =
  /** The answer names the next cursor; with `more`, only where that is true. */
  | { readonly style: 'cursor'; readonly items: string; readonly next: string; readonly more?: string }
  /** Pages counted from `first` (1 when absent); the last one is not full. */
  | { readonly style: 'page'; readonly items: string; readonly first?: number }
  /** `Link: <…>; rel="next"` (RFC 8288); `parameter` is what is taken out of it, `page` when absent. */
  | { readonly style: 'link'; readonly items: string; readonly parameter?: string }
  /** An offset; the last page is not full, or reaches `total`. */
  | { readonly style: 'offset'; readonly items: string; readonly total?: string }
  /** The id of the last item; with `more`, only where that is true. */
  | { readonly style: 'last-id'; readonly items: string; readonly id: string; readonly more?: string }

/** A path of members to keep, `user.login`; arrays on the way are walked item by item. */
export type Field = string

/** What a model is given of an answer. */
export type ResultSelection =
  /** The members of the object at the pointer, or of each item of the array there. */
  | { readonly kind: 'pick'; readonly pointer: string; readonly fields: readonly Field[] }
  /** The body as it is, where it is a text. */
  | { readonly kind: 'text' }
  /** Nothing but that it was done; the text may have places. */
  | { readonly kind: 'done'; readonly text: string }
  /** The body as an artifact; `name` is a template. */
  | { readonly kind: 'file'; readonly name: string }

/** Keeps these members of the object at a JSON pointer, or of each item of the array there; all where none are named. */
export function pick(pointer: string, fields: readonly Field[]): ResultSelection {
  return { kind: 'pick', pointer, fields }
}

/** Gives the body as it is: a file's text, a diff. */
export function text(): ResultSelection {
  return { kind: 'text' }
}

/** Says that it was done; for answers without a body worth reading. */
export function done(text: string): ResultSelection {
  return { kind: 'done', text }
}

/** Stores the body as an artifact and answers its signed URL. */
export function file(name: string): ResultSelection {
  return { kind: 'file', name }
}

/** A connector's tool as data: one request, and what is given of its answer. */
export interface HttpTool {
  /** What stands behind the double underscore of the tool's name. */
  readonly operation: string
  readonly title: string
  readonly description: string
  readonly annotations: Required<
    Pick<ToolAnnotations, 'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint'>
  >
  readonly input: TObject
  /** The scopes it needs, all of them; of a tool that acts `as: 'user'`, user scopes. */
  readonly scopes?: readonly string[]
  /** Acts with the token of the authorizing user where a connector has one beside its own. */
  readonly as?: 'user'
  readonly request: RequestTemplate
  readonly pagination?: Pagination
  readonly result: ResultSelection
}

/** A tool as it is written down: its arguments by name, and no others. */
export interface HttpToolDefinition extends Omit<HttpTool, 'input'> {
  // The compiler takes a schema for a record of anything, also of schemas.
  readonly input: TProperties & { readonly [Kind]?: never }
}

/** Closes the input, and checks what the types cannot (check-http-tool.ts). Throws a TypeError. */
export function httpTool({ input, ...rest }: HttpToolDefinition): HttpTool {
  const tool: HttpTool = { ...rest, input: Type.Object(input, { additionalProperties: false }) }
  checkHttpTool(tool)
  return Object.freeze(tool)
}
