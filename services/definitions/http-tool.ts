import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import { type Kind, type TObject, type TProperties, Type } from '@sinclair/typebox'
import { checkHttpTool } from './check-http-tool.ts'
import type { Step } from './step.ts'
import type { Template } from './template.ts'

/** Names members like their arguments: `sameNames('title', 'body')` is `{ title: '{title}', body: '{body}' }`. */
export function sameNames<const Name extends string>(...names: readonly Name[]): { readonly [name in Name]: string } {
  return Object.fromEntries(names.map(name => [name, `{${name}}`])) as { [name in Name]: string }
}

/** The body of a request, in one of these forms. */
export type BodyTemplate =
  /** A placeholder of a file argument becomes the file in base64. The files of a body are limited to 25 MiB. */
  | { readonly json: Template }
  /** `application/x-www-form-urlencoded`; nested members as `a[b]`, items as `a[0]`. */
  | { readonly form: { readonly [name: string]: Template } }
  /** `multipart/form-data`; a part that is a `FilePart` carries a file. */
  | { readonly multipart: { readonly [name: string]: Template | FilePart } }
  /** A placeholder of a file argument: the file is the whole body. */
  | { readonly raw: string }
  /** A GraphQL document with its variables, sent as JSON. */
  | { readonly graphql: string; readonly variables?: { readonly [name: string]: Template } }

/** A file of a multipart body: the placeholder of a file argument, and its name; that of the artifact if absent. */
export interface FilePart {
  readonly $file: { readonly content: string; readonly name?: string }
}

/** A request on the connector's `baseUrl`, or on one of its `hosts`. */
export interface RequestTemplate {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The name of one of the connector's `hosts`. */
  readonly host?: string
  /**
   * `/repos/{owner}/{repo}`: each value is percent-encoded as a whole, and rejected if it is `.` or `..`. `{+path}`
   * keeps the slashes of a value and encodes the segments between them; only this form may be absent. `{step.url}`
   * without a slash before it is a whole URL from an earlier step, which must be below the `host`.
   */
  readonly path: string
  /** Arrays repeat their parameter, objects become `a[b]`, null is left out. */
  readonly query?: { readonly [name: string]: Template }
  readonly headers?: { readonly [name: string]: string }
  readonly body?: BodyTemplate
}

/**
 * How a provider pages. The tool has `cursor`, and `limit` if the provider takes a page size; the engine creates the
 * opaque cursor that callers see. Pointers are JSON pointers (RFC 6901) into the answer.
 */
export type Pagination = {
  /** The items of a page. */
  readonly items: string
  /** The flag that says whether another page follows; `last` is its opposite. Without them, the style decides. */
  readonly more?: string
  readonly last?: string
  /** Whether a page without items lacks the list. Otherwise, an answer without it is not understood. */
  readonly omitsEmpty?: true
} & (
  | /** The answer contains the next cursor. */ { readonly style: 'cursor'; readonly next: string }
  /**
   * Pages counted from `first` (1 when absent). The last one has the number at `pages`; without it, it is not full, or
   * without a limit empty.
   */
  | { readonly style: 'page'; readonly first?: number; readonly pages?: string }
  /** `Link: <…>; rel="next"` (RFC 8288); `parameter` is what is taken out of it, `page` when absent. */
  | { readonly style: 'link'; readonly parameter?: string }
  /**
   * The answer contains the URL of the next page. Its `parameters` become `{cursor.<name>}`. With `nextPath`, the last
   * segment of its path becomes `{cursor}` of that path, to which the next requests go without a query.
   */
  | { readonly style: 'next-url'; readonly next: string; readonly parameters: readonly string[] }
  | { readonly style: 'next-url'; readonly next: string; readonly nextPath: string }
  /** An offset; the last page is not full, or reaches `total`. */
  | { readonly style: 'offset'; readonly total?: string }
  /** The id of the last item. */
  | { readonly style: 'last-id'; readonly id: string }
)

/** How a kept field becomes what a model reads (engine/convert). */
export type FieldConverter =
  /** A document, or its JSON as text. */
  | 'adf-to-markdown'
  | 'html-to-markdown'
  | 'mrkdwn-to-markdown'
  /** `{ contentType, content }`: HTML becomes Markdown, text stays as it is. */
  | 'body-to-markdown'
  | 'base64-to-text'
  | 'epoch-seconds-to-time'
  /** The `payload` of a message: its usual headers, its text and its attachments. */
  | 'gmail-message'
  /** The same for each `payload` of a list of messages. */
  | 'gmail-messages'

/**
 * A path of members to keep, such as `user.login`. Arrays on the path are visited item by item, and `*` visits every
 * member of an object. A converter may follow: `fields.description|adf-to-markdown`.
 */
export type Field = string

/** The part of an answer that the model receives. */
type ResultSelection =
  /** Members of the object at the pointer, or of each item of an array there. */
  | { readonly kind: 'pick'; readonly pointer: string; readonly fields: readonly Field[] }
  /** The body as it is, where it is a text. If it is too long, its beginning is kept, or its `end`. */
  | { readonly kind: 'text'; readonly end?: true }
  /** Only a confirmation; its text may have placeholders. */
  | { readonly kind: 'done'; readonly text: string }
  /** The body as an artifact; `name` is a template. Without a value, the name of the provider (RFC 6266). */
  | { readonly kind: 'file'; readonly name: string }

/** Keeps these members of the object at a JSON pointer, or of each item of an array there; all if none are named. */
export function pick(pointer: string, fields: readonly Field[]): ResultSelection {
  return { kind: 'pick', pointer, fields }
}

/** Returns the body unchanged: a file's text, a diff. Of a log that is too long, the `end` says more than the beginning. */
export function text(options: { end?: true } = {}): ResultSelection {
  return { kind: 'text', ...options }
}

/** Returns a text that confirms success, for answers without a useful body. */
export function done(text: string): ResultSelection {
  return { kind: 'done', text }
}

/** Stores the body as an artifact and returns its signed URL. Without a name, it gets the one that the provider sends. */
export function file(name = ''): ResultSelection {
  return { kind: 'file', name }
}

/** A connector's tool as data: one request, or several in steps, and the selection from the last answer. */
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
  /** The requests that run before `request`, in this order. */
  readonly steps?: readonly Step[]
  readonly request: RequestTemplate
  readonly pagination?: Pagination
  /** The arguments of which a call must give at least one, because it would change nothing otherwise. */
  readonly needsOneOf?: readonly string[]
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
