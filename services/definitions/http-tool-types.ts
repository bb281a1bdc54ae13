import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import type { TObject } from '@sinclair/typebox'
import type { Template } from './template.ts'

/** The body of a request, in one of these forms. */
export type BodyTemplate =
  /** A placeholder of a file argument becomes the file in base64. The files of a body are limited to 25 MiB. */
  | { readonly json: Template }
  /** `application/x-www-form-urlencoded`; nested members as `a[b]`, items as `a[0]`. */
  | { readonly form: { readonly [name: string]: Template } }
  /** `multipart/form-data`; a part that is a `FilePart` carries a file. */
  | { readonly multipart: { readonly [name: string]: Template | FilePart } }
  /** A placeholder of a file argument: the file is the whole body. A `FilePart` says its name and type. */
  | { readonly raw: string | FilePart }
  /** A GraphQL document with its variables, sent as JSON. */
  | { readonly graphql: string; readonly variables?: { readonly [name: string]: Template } }

/**
 * A file of a body: the placeholder of a file argument, its name (that of the artifact if absent), and its media type.
 * Without a type, the file has the one that its bytes or the ending of its name show.
 */
export interface FilePart {
  readonly $file: { readonly content: string; readonly name?: Template; readonly type?: Template }
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
  /** As it is, with a warning about what it only refers to. */
  | 'notion-markdown'
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
export type ResultSelection =
  /** Members of the object at the pointer, or of each item of an array there. */
  | { readonly kind: 'pick'; readonly pointer: string; readonly fields: readonly Field[] }
  /** The body as it is, where it is a text. If it is too long, its beginning is kept. */
  | { readonly kind: 'text' }
  /** A page of a log of any length: its last page, or the one that the arguments name. */
  | { readonly kind: 'log'; readonly from: '{from}'; readonly cursor: '{cursor}' }
  /** Only a confirmation; its text may have placeholders. */
  | { readonly kind: 'done'; readonly text: string }
  /** The body as an artifact; `name` is a template. Without a value, the name of the provider (RFC 6266). */
  | { readonly kind: 'file'; readonly name: string }

/** A request that runs before the request of its tool. What it keeps is `{name.kept}` in the later requests. */
export interface Step {
  readonly name: string
  readonly request: RequestTemplate
  /** What later requests use of its answer, by name. The step fails if the value is missing and there is no `otherwise`. */
  readonly keep?: Readonly<Record<string, string | KeptValue>>
  /**
   * The step runs for each item of this list, in order: `{item}`, or `{item.id}` of an object. It keeps lists; `{name}`
   * is the list of its items, each with what was kept for it.
   */
  readonly each?: string
  /** The step runs only if a call gives one of these arguments. Otherwise what it keeps is left out. */
  readonly given?: readonly string[]
  /** Repeats the request until the text at the pointer is one of `is`, and fails at one of `failed` or after the deadline. */
  readonly until?: { readonly pointer: string; readonly is: readonly string[]; readonly failed?: readonly string[] }
  readonly guard?: Guard
  /** Whether people at the provider see its effect even if a later step fails. Absent: all but GET. */
  readonly writes?: boolean
}

/** A JSON pointer, and the value if the answer has none there. */
interface KeptValue {
  readonly pointer: string
  readonly otherwise: unknown
}

/** A form of text that can hold more than Markdown. */
export type LossyForm = 'adf' | 'html' | 'notion'

/** What the tool would replace by Markdown. The step fails if Markdown cannot hold all of it. */
interface Guard {
  readonly form: LossyForm
  /** The JSON pointer to the text in the answer of the step. */
  readonly at: string
  /** The argument with which a call replaces it anyway. */
  readonly unless: string
  /** What keeps the text, as an imperative: `add to it with append_text`. */
  readonly instead?: string
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
  /** Optional arguments that need another one, by name: `{ recurrence: 'time_zone' }`. */
  readonly needs?: Readonly<Record<string, string>>
  readonly result: ResultSelection
}
