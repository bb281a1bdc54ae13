import { OptionalKind, type TProperties, type TSchema } from '@sinclair/typebox'
import { isSchema, type NamedArgument } from './arguments.ts'
import { httpTool, pick } from './http-tool.ts'
import type { BodyTemplate, FilePart, HttpTool, Pagination, RequestTemplate, Step } from './http-tool-types.ts'
import type { Converted, Converter, Each, Joined, Keeping, Template } from './template.ts'

/**
 * A value of a request: as in a template, or the schema of the argument that is sent there. Such an argument is named
 * like its member, in snake case (`time_zone` for `timeZone`); `named` gives it another name.
 */
type Part =
  | TSchema
  | NamedArgument
  | { readonly $join: TSchema | NamedArgument; readonly separator: string }
  | { readonly $convert: Converter; readonly value: Part }
  | { readonly $clearing: Part }
  | { readonly $each: TSchema | NamedArgument | string; readonly part: Template; readonly keeping?: Keeping }
  | { readonly $either: readonly Part[] }
  | { readonly $concat: readonly Part[] }
  | Exclude<Template, object>
  | readonly Part[]
  | { readonly [name: string]: Part }

type Parts = { readonly [name: string]: Part }

/** The parts of a request behind its method and path. */
interface RequestParts {
  readonly query?: Parts
  readonly headers?: Readonly<Record<string, string>>
  /** The body, in at most one form. */
  readonly json?: Part
  readonly form?: Parts
  readonly multipart?: Parts
  /** A file argument: the file is the body. `$file` says its name and type. */
  readonly raw?: TSchema | NamedArgument | { readonly $file: Parts }
  readonly graphql?: string
  readonly variables?: Parts
}

/** A step of a tool: its name, method and path, what is sent, and the rest of `Step`. */
interface StepParts extends RequestParts, Omit<Step, 'name' | 'request'> {
  /** `reserve: POST /uploads`, or `upload: PUT files/parts`: a path of the connector's host `files`. */
  readonly step: string
}

/** The parts of a tool behind its operation, method and path. */
export interface ToolParts extends RequestParts {
  readonly title: string
  readonly description: string
  /** Absent if they follow from the method: GET reads, POST adds, PUT, PATCH and DELETE overwrite. */
  readonly annotations?: HttpTool['annotations']
  readonly scopes?: readonly string[]
  readonly as?: 'user'
  /** The arguments of the path, and those that only texts name. */
  readonly path?: TProperties
  /** The requests that run before. */
  readonly steps?: readonly StepParts[]
  readonly pagination?: Pagination
  /**
   * The arguments of which a call must give at least one: without one it would change nothing. For PUT and PATCH, all
   * optional arguments outside of the path, if none there is required.
   */
  readonly needsOneOf?: readonly string[]
  /** Optional arguments that need another one, by name: `{ recurrence: 'time_zone' }`. */
  readonly needs?: Readonly<Record<string, string>>
  /** The pointer to what is kept; if absent, the items of a paged tool, else the whole answer. */
  readonly at?: string
  /** The fields to keep: `id title user { login }` keeps `user.login`. All of them if it is empty. */
  readonly keep?: string
  /** What is returned instead of kept fields: `text`, `done` or `file`. */
  readonly returns?: HttpTool['result']
}

/** The tool changes nothing at the provider. */
export const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true } as const

/** The tool adds something: two calls add two. */
export const adds = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true } as const

/** The tool sets something and loses nothing: two calls have the effect of one. */
export const sets = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true } as const

/** The tool overwrites or removes something: two calls have the effect of one. */
export const overwrites = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true,
} as const

/** The tool triggers or changes something for good: a second call does it once more, or fails. */
export const triggers = { ...adds, destructiveHint: true } as const

/** What a method does, unless a tool says otherwise. A PUT or PATCH loses what it replaces. */
const OF_METHOD = { GET: reads, POST: adds, PUT: overwrites, PATCH: overwrites, DELETE: overwrites } as const

/**
 * Defines a tool of a connector in its short form: `get_issue: GET /issues/{issue}`, with arguments where they are sent.
 * It is lowered to an `HttpTool`. Throws a TypeError for a head that cannot be read, and for what `httpTool` rejects.
 */
export function tool(head: string, parts: ToolParts): HttpTool {
  const { name: operation, ...line } = readHead(head)
  const { method } = line
  const input: Record<string, TSchema> = { ...parts.path }
  const steps = parts.steps?.map(step => lowerStep(step, input))
  const request = lowerRequest(line, parts, input)
  const { title, description, annotations = OF_METHOD[method], scopes, as, pagination, needs, returns } = parts
  const needsOneOf = parts.needsOneOf ?? optionalChanges(method, input, parts.path ?? {})
  return httpTool({
    operation,
    title,
    description,
    annotations,
    input,
    ...(scopes && { scopes }),
    ...(as && { as }),
    ...(steps && { steps }),
    request,
    ...(pagination && { pagination }),
    ...(needsOneOf.length > 0 && { needsOneOf }),
    ...(needs && { needs }),
    result: returns ?? pick(parts.at ?? pagination?.items ?? '', keptFields(parts.keep ?? '')),
  })
}

/** Reads `get_issue: GET /issues/{issue}`; a name before the path is that of a host. */
function readHead(head: string): { name: string } & Pick<RequestTemplate, 'method' | 'host' | 'path'> {
  const [, name, method, host = '', path] = HEAD.exec(head) ?? []
  if (name === undefined || path === undefined || !isMethod(method))
    throw new TypeError(`A tool is written as "operation: METHOD /path", not as ${JSON.stringify(head)}`)
  return { name, method, ...(host !== '' && { host }), path }
}

/** The path begins with a slash, or is the placeholder of a whole URL. */
const HEAD = /^([a-z0-9_]+): (GET|POST|PUT|PATCH|DELETE) ([a-z0-9_]*)([/{]\S*)$/

function lowerStep(
  { step, keep, each, given, until, guard, writes, ...parts }: StepParts,
  input: Record<string, TSchema>,
): Step {
  const { name, ...line } = readHead(step)
  return {
    name,
    request: lowerRequest(line, parts, input),
    ...(keep && { keep }),
    ...(each !== undefined && { each }),
    ...(given && { given }),
    ...(until && { until }),
    ...(guard && { guard }),
    ...(writes !== undefined && { writes }),
  }
}

function isMethod(text: string | undefined): text is RequestTemplate['method'] {
  return text !== undefined && Object.hasOwn(OF_METHOD, text)
}

function lowerRequest(
  line: Pick<RequestTemplate, 'method' | 'host' | 'path'>,
  { query, headers, json, form, multipart, raw, graphql, variables }: RequestParts,
  input: Record<string, TSchema>,
): RequestTemplate {
  const members = (parts: Parts) => lowerMembers(parts, input)
  const loweredQuery = query && members(query)
  const bodies: BodyTemplate[] = [
    ...(json === undefined ? [] : [{ json: lower(json, '', input) }]),
    ...(form === undefined ? [] : [{ form: members(form) }]),
    ...(multipart === undefined ? [] : [{ multipart: members(multipart) }]),
    ...(raw === undefined ? [] : [{ raw: lower(raw, 'content', input) as string | FilePart }]),
    ...(graphql === undefined ? [] : [{ graphql, ...(variables && { variables: members(variables) }) }]),
  ]
  const [body, ...others] = bodies
  if (others.length > 0) throw new TypeError(`${line.method} ${line.path} has several bodies`)
  return { ...line, ...(loweredQuery && { query: loweredQuery }), ...(headers && { headers }), ...(body && { body }) }
}

/** Replaces the schemas in a part by placeholders, and adds them to the input. `member` is the name of the part. */
function lower(part: Part, member: string, input: Record<string, TSchema>): Template {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map(item => lower(item, member, input))
  const declared = argumentOf(part, member)
  if (declared !== undefined) return `{${declare(declared, input)}}`
  if ('$convert' in part) return { ...part, value: lower(part.value as Part, member, input) } as Converted
  if ('$clearing' in part) return { $clearing: lower(part.$clearing as Part, member, input) }
  if ('$either' in part) return { $either: (part.$either as readonly Part[]).map(one => lower(one, member, input)) }
  if ('$concat' in part) return { $concat: (part.$concat as readonly Part[]).map(one => lower(one, member, input)) }
  if ('$join' in part) return { ...part, $join: declareItems(part.$join, member, input) } as Joined
  if ('$each' in part) return { ...part, $each: declareItems(part.$each, member, input) } as Each
  return lowerMembers(part as Parts, input)
}

function lowerMembers(parts: Parts, input: Record<string, TSchema>): { readonly [name: string]: Template } {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, lower(part, name, input)]))
}

function argumentOf(part: object, member: string): NamedArgument | undefined {
  if ('$argument' in part) return part as NamedArgument
  return isSchema(part) ? { $argument: snakeCase(member), schema: part } : undefined
}

/** Adds an argument to the input, and returns its name. The same argument may be sent in several places. */
function declare({ $argument, schema }: NamedArgument, input: Record<string, TSchema>): string {
  const known = input[$argument]
  if ($argument === '') throw new TypeError('An argument without a member needs a name: use named()')
  if (known !== undefined && known !== schema) throw new TypeError(`The argument ${$argument} is declared twice`)
  input[$argument] = schema
  return $argument
}

function declareItems(items: unknown, member: string, input: Record<string, TSchema>): string {
  // The list of a step, by name.
  if (typeof items === 'string') return items
  const declared = argumentOf(items as object, member)
  if (declared === undefined) throw new TypeError(`The items of ${member} are no argument`)
  return declare(declared, input)
}

function snakeCase(member: string): string {
  return member.replace(/(?<=[a-z0-9])[A-Z]/g, '_$&').toLowerCase()
}

/** Returns the arguments outside of the path if a method that changes something would run without any of them. */
function optionalChanges(method: string, input: TProperties, path: TProperties): readonly string[] {
  const names = Object.keys(input).filter(name => !Object.hasOwn(path, name))
  const changes = ['PUT', 'PATCH'].includes(method) && names.every(name => OptionalKind in (input[name] ?? {}))
  return changes ? names : []
}

/** Reads `id user { login name }` as `id`, `user.login` and `user.name`. Throws a TypeError for unbalanced braces. */
export function keptFields(text: string): string[] {
  const fields: string[] = []
  const open: string[] = []
  let last = ''
  for (const [word] of text.matchAll(/[{}]|[^\s{}]+/g)) {
    if (word === '{') {
      if (last === '') throw new TypeError(`A brace needs a field before it: ${text}`)
      open.push(last)
      fields.pop()
    } else if (word === '}') {
      if (open.pop() === undefined) throw new TypeError(`A brace is closed that was not opened: ${text}`)
    } else fields.push([...open, word].join('.'))
    last = word === '{' || word === '}' ? '' : word
  }
  if (open.length > 0) throw new TypeError(`A brace is not closed: ${text}`)
  return fields
}
