import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import { type Kind, type TObject, type TProperties, Type } from '@sinclair/typebox'
import { checkHttpTool } from './check-http-tool.ts'

/**
 * A value with placeholders for arguments. A string that is only `{name}` becomes the argument with its type, and is
 * left out with it. `{a}/{b}` within other text becomes text, and is left out if one of them is absent. An array
 * without items is left out too, and within a body an object without any filled placeholder, even if it has constants.
 * An absent argument has the `default` of its schema. `{settings.name}` is a setting of the account; `{limit}` and
 * `{cursor}` come from the pagination.
 */
export type Template =
  | string
  | number
  | boolean
  | null
  | Joined
  | readonly Template[]
  | { readonly [name: string]: Template }

/** An array argument, joined to one text. */
export interface Joined {
  readonly $join: string
  readonly separator: string
}

/** Joins the items of an array argument, for providers that do not accept repeated parameters. */
export function joined(argument: string, separator = ','): Joined {
  return { $join: argument, separator }
}

/** Names members like their arguments: `sameNames('title', 'body')` is `{ title: '{title}', body: '{body}' }`. */
export function sameNames<const Name extends string>(...names: readonly Name[]): { readonly [name in Name]: string } {
  return Object.fromEntries(names.map(name => [name, `{${name}}`])) as { [name in Name]: string }
}

/** The body of a request, in one of these forms. */
export type BodyTemplate =
  | { readonly json: Template }
  /** `application/x-www-form-urlencoded`; nested members as `a[b]`, items as `a[0]`. */
  | { readonly form: { readonly [name: string]: Template } }
  /** `multipart/form-data`; a part that is a `FilePart` carries a file. */
  | { readonly multipart: { readonly [name: string]: Template | FilePart } }
  /** A GraphQL document with its variables, sent as JSON. */
  | { readonly graphql: string; readonly variables?: { readonly [name: string]: Template } }

/** A file of a multipart body, from arguments: its text or base64 content, and its name. */
export interface FilePart {
  readonly $file: { readonly content: string; readonly name: string; readonly encoding?: string }
}

/** The request of a tool, on the connector's `baseUrl`. */
export interface RequestTemplate {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /**
   * `/repos/{owner}/{repo}`: each value is percent-encoded as a whole, and rejected if it is `.` or `..`. `{+path}`
   * keeps the slashes of a value and encodes the segments between them; only this form may be absent.
   */
  readonly path: string
  /** Arrays repeat their parameter, objects become `a[b]`, null is left out. */
  readonly query?: { readonly [name: string]: Template }
  readonly headers?: { readonly [name: string]: string }
  readonly body?: BodyTemplate
}

/**
 * How a provider pages. The tool has `limit` and `cursor`; the engine creates the opaque cursor that callers see.
 * Pointers are JSON pointers (RFC 6901) into the answer.
 */
export type Pagination =
  /** The answer contains the next cursor; with `more`, only if that is true. */
  | { readonly style: 'cursor'; readonly items: string; readonly next: string; readonly more?: string }
  /** Pages counted from `first` (1 when absent); the last one is not full. */
  | { readonly style: 'page'; readonly items: string; readonly first?: number }
  /** `Link: <…>; rel="next"` (RFC 8288); `parameter` is what is taken out of it, `page` when absent. */
  | { readonly style: 'link'; readonly items: string; readonly parameter?: string }
  /** An offset; the last page is not full, or reaches `total`. */
  | { readonly style: 'offset'; readonly items: string; readonly total?: string }
  /** The id of the last item; with `more`, only where that is true. */
  | { readonly style: 'last-id'; readonly items: string; readonly id: string; readonly more?: string }

/** A path of members to keep, such as `user.login`. Arrays on the path are visited item by item. */
export type Field = string

/** The part of an answer that the model receives. */
type ResultSelection =
  /** Members of the object at the pointer, or of each item of an array there. */
  | { readonly kind: 'pick'; readonly pointer: string; readonly fields: readonly Field[] }
  /** The body as it is, where it is a text. */
  | { readonly kind: 'text' }
  /** Nothing but that it was done; the text may have places. */
  | { readonly kind: 'done'; readonly text: string }
  /** The body as an artifact; `name` is a template. */
  | { readonly kind: 'file'; readonly name: string }

/** Keeps these members of the object at a JSON pointer, or of each item of an array there; all if none are named. */
export function pick(pointer: string, fields: readonly Field[]): ResultSelection {
  return { kind: 'pick', pointer, fields }
}

/** Returns the body unchanged: a file's text, a diff. */
export function text(): ResultSelection {
  return { kind: 'text' }
}

/** Returns a text that confirms success, for answers without a useful body. */
export function done(text: string): ResultSelection {
  return { kind: 'done', text }
}

/** Stores the body as an artifact and returns its signed URL. */
export function file(name: string): ResultSelection {
  return { kind: 'file', name }
}

/** A connector's tool as data: one request, and the selection from its answer. */
export interface HttpTool {
  /** The part of the tool's name after the double underscore. */
  readonly operation: string
  readonly title: string
  readonly description: string
  readonly annotations: Required<
    Pick<ToolAnnotations, 'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint'>
  >
  readonly input: TObject
  /** The scopes that the tool needs; user scopes for a tool that acts `as: 'user'`. */
  readonly scopes?: readonly string[]
  /** Acts with the token of the authorizing user, if the connector has one in addition to its own. */
  readonly as?: 'user'
  readonly request: RequestTemplate
  readonly pagination?: Pagination
  readonly result: ResultSelection
}

/** A tool as authors write it: arguments by name, and no others. */
export interface HttpToolDefinition extends Omit<HttpTool, 'input'> {
  // The compiler would also accept a schema as a record of schemas.
  readonly input: TProperties & { readonly [Kind]?: never }
}

/** Closes the input and checks what the types cannot express (check-http-tool.ts). Throws a TypeError. */
export function httpTool({ input, ...rest }: HttpToolDefinition): HttpTool {
  const tool: HttpTool = { ...rest, input: Type.Object(input, { additionalProperties: false }) }
  checkHttpTool(tool)
  return Object.freeze(tool)
}
