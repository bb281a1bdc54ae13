import { Type } from '@sinclair/typebox'
import { flag, integer, list, members, named, oneOf, optional, text } from '../../services/definitions/arguments.ts'
import { FileNameArgument, fileArgument } from '../../services/definitions/file-argument.ts'
import { done, file, text as plainText } from '../../services/definitions/http-tool.ts'
import type { HttpTool } from '../../services/definitions/http-tool-types.ts'
import { type ToolParts, tool } from '../../services/definitions/tool.ts'
import { type Body, type Description, type Operation, type Parameter, record, type Schema } from './description.ts'
import {
  type ArgumentWriter,
  createArgumentNames,
  createArgumentWriter,
  described,
  snakeCase,
} from './draft-arguments.ts'
import { keptText, propertiesOf } from './draft-fields.ts'
import { type Paging, pageItem, pagingOf } from './draft-paging.ts'
import { call, type Expression, evaluate, isCall, type Vocabulary } from './expression.ts'

/** A tool in its short form, as JSON: what `tool(head, parts)` receives. */
export interface ToolDraft {
  readonly head: string
  readonly parts: { readonly [name: string]: Expression }
}

/** What a draft calls besides the paging of connectors. */
const VOCABULARY: Vocabulary = {
  flag,
  integer,
  list,
  members,
  named,
  oneOf,
  optional,
  text,
  fileArgument,
  FileNameArgument,
  done,
  file,
  plainText,
  'Type.Number': Type.Number,
  'Type.Object': Type.Object,
  'Type.Unknown': Type.Unknown,
}

/** Defines the tool of a draft; `paging` has `pageSize` and `pageStart`. Throws a TypeError for what `tool` rejects. */
export function compileDraft({ head, parts }: ToolDraft, paging: Vocabulary): HttpTool {
  return tool(head, evaluate(parts, { ...VOCABULARY, ...paging }) as ToolParts)
}

const MAX_NAME = 40
const USUAL_PAGE = 20
const MAX_PAGE = 100
/** What the gateway sends by itself. */
const OWN_HEADERS = /^(accept|authorization|content-type|user-agent|x-api-key|idempotency-key)$/i
/** Credentials that old descriptions declare as parameters. */
const CREDENTIALS = /^(token|access_token|oauth_token|api_key)$/i

/** Drafts a tool from an operation of an API description. */
export function draftTool(description: Description, wanted: string): ToolDraft {
  const operation = description.find(wanted)
  const { method, parameters, body, answer } = operation
  const names = createArgumentNames()
  const writer = createArgumentWriter(description, names, { files: body?.kind !== 'form' })
  const paging = pagingOf(operation, description.resolve)
  for (const name of paging === undefined ? [] : ['limit', 'cursor']) names.take(name, 'page')

  const inPath = pathOf(operation, writer, name => names.take(name, 'path'))
  const query = queryOf(parameters, paging, writer)
  const headers = parameters.filter(
    one => one.in === 'header' && one.required && !OWN_HEADERS.test(one.name) && !CREDENTIALS.test(one.name),
  )
  const named = headers.map(one => ({ ...one, argument: names.take(one.name, 'header') }))
  const path = {
    ...inPath.arguments,
    ...Object.fromEntries(named.map(one => [one.argument, writer.argument(one.schema, one.description)])),
  }
  return {
    head: `${operationName(operation)}: ${method} ${inPath.path}`,
    parts: {
      title: described(operation.summary),
      description: described(operation.summary),
      ...unlessEmpty('path', path),
      ...unlessEmpty('query', query),
      ...unlessEmpty('headers', Object.fromEntries(named.map(one => [one.name.toLowerCase(), `{${one.argument}}`]))),
      ...(body === undefined || method === 'GET' ? {} : bodyOf(body, writer, name => names.take(name, 'body'))),
      ...(paging === undefined ? {} : { pagination: { ...paging.pagination } }),
      ...resultOf(answer, paging, description, operation),
    },
  }
}

function unlessEmpty(name: string, parts: { readonly [name: string]: Expression }) {
  return Object.keys(parts).length === 0 ? {} : { [name]: parts }
}

/** The name of a tool: that of the operation behind its group, such as `repos/list-forks`, else its method and path. */
function operationName({ id, method, path }: Operation): string {
  const verbs = { GET: 'get', POST: 'create', PUT: 'replace', PATCH: 'update', DELETE: 'delete' }
  const behind = id?.split('/').at(-1) ?? ''
  // One word, such as create, says too little without its group.
  const known = /[^A-Za-z]|[a-z][A-Z]/.test(behind) ? behind : id
  const words = snakeCase(known || `${verbs[method]}_${path.replace(/\{[^}]*\}/g, '')}`).split('_')
  while (words.length > 1 && words.join('_').length > MAX_NAME) words.pop()
  return words.join('_').slice(0, MAX_NAME)
}

/** The path with the arguments in it. A description may forget to declare one. */
function pathOf({ path, parameters }: Operation, writer: ArgumentWriter, take: (name: string) => string) {
  const written: Record<string, Expression> = {}
  const [plain = ''] = path.split(/[?#]/)
  const filled = plain.replace(/\{(\+?)([^{}]*)\}/g, (_, plus: string, given: string) => {
    const declared = parameters.find(one => one.in === 'path' && one.name === given)
    const name = take(given)
    written[name] = writer.argument(declared?.schema ?? { type: 'string', maxLength: 200 }, declared?.description ?? '')
    return `{${plus}${name}}`
  })
  return { path: filled.startsWith('/') ? filled : `/${filled}`, arguments: written }
}

function queryOf(parameters: readonly Parameter[], paging: Paging | undefined, writer: ArgumentWriter) {
  const sent = parameters.filter(one => one.in === 'query' && !CREDENTIALS.test(one.name))
  return Object.fromEntries(
    sent.map((one): [string, Expression] => {
      if (one.name === paging?.limit?.name) return [one.name, pageSize(one.schema)]
      if (one.name === paging?.cursor.name) return [one.name, call('pageStart')]
      return [one.name, writer.parameter(one)]
    }),
  )
}

function pageSize({ default: usual, maximum }: Schema): Expression {
  const most = typeof maximum === 'number' && maximum >= 1 ? Math.floor(maximum) : MAX_PAGE
  const wanted = typeof usual === 'number' && usual >= 1 ? Math.floor(usual) : USUAL_PAGE
  return call('pageSize', Math.min(wanted, most), most)
}

function bodyOf({ kind, required, schema }: Body, writer: ArgumentWriter, take: (name: string) => string) {
  if (kind === 'raw') return { raw: call('named', take('content'), call('fileArgument', { what: described('') })) }
  const parts = writer.members(schema, required)
  if (Object.keys(parts).length > 0) return { [kind]: kind === 'multipart' ? withFiles(parts, take) : parts }
  if (kind !== 'json') return {}
  const written = writer.argument(schema, '')
  const value = call('named', take('value'), required ? written : call('optional', written))
  return { json: written.$call === 'members' ? { '...': value } : value }
}

/** Sends file arguments as files, of a list of them one. The other parts of a multipart body are texts. */
function withFiles(parts: { readonly [name: string]: Expression }, take: (name: string) => string) {
  return Object.fromEntries(
    Object.entries(parts).map(([member, part]): [string, Expression] => {
      const content = fileIn(member, part)
      if (content === undefined) return [member, part]
      return [member, { $file: { content, name: call('named', take(`${member}_name`), call('FileNameArgument')) } }]
    }),
  )
}

/** The argument of a part that is a file or a list of files, with its name. */
function fileIn(member: string, part: Expression): Expression | undefined {
  const [name = '', schema = ''] = isCall(part, 'named') ? part.args : [snakeCase(member), part]
  const [inner = ''] = isCall(schema, 'optional') ? schema.args : [schema]
  const [item = '', words = ''] = isCall(inner, 'list') ? inner.args : [inner]
  if (!isCall(item, 'fileArgument')) return undefined
  const file = isCall(inner, 'list') ? call('fileArgument', { what: words }) : item
  return call('named', name, isCall(schema, 'optional') ? call('optional', file) : file)
}

function resultOf(
  answer: Operation['answer'],
  paging: Paging | undefined,
  { resolve }: Description,
  operation: Operation,
): { [name: string]: Expression } {
  if (answer === undefined) return { returns: call('done', described('')) }
  if (/^text\/(?!.*json)/.test(answer.type)) return { returns: call('plainText') }
  if (!/json|\*/.test(answer.type)) return { returns: call('file', operationName(operation)) }
  if (paging !== undefined) return kept('', pageItem(paging, answer.schema, resolve), resolve)
  // An answer that only wraps an object or a list is what it wraps.
  const all = Object.entries(propertiesOf(answer.schema, resolve))
  const [name = '', inner] = all.length === 1 ? (all[0] ?? []) : []
  const wrapped = resolve(inner)
  const wraps = /^\w+$/.test(name) && (record(wrapped.properties) === wrapped.properties || wrapped.items !== undefined)
  return wraps ? kept(`/${name}`, wrapped, resolve) : kept('', answer.schema, resolve)
}

function kept(at: string, schema: Schema, resolve: Description['resolve']): { [name: string]: Expression } {
  const fields = keptText(schema, resolve)
  return { ...(at !== '' && { at }), ...(fields !== '' && { keep: fields }) }
}
