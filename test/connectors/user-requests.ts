import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type FieldNode, Kind, parse, type SelectionSetNode } from 'graphql'
import { readGmailMessage, readGmailMessages } from '../../services/connectors/engine/convert/emails.ts'
import { conversionState } from '../../services/connectors/engine/convert/html-to-markdown.ts'
import type { ConnectorDefinition } from '../../services/definitions/connector-types.ts'
import type { HttpTool } from '../../services/definitions/http-tool-types.ts'

/** Where the value of an argument comes from; user-requests/README.md explains them. */
type Source =
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'constant'; readonly text: string }
  | FieldSource

interface FieldSource {
  readonly kind: 'field'
  /** The number of the call, from 1. */
  readonly step: number
  readonly path: string
  readonly reworded: boolean
}

interface Step {
  readonly name: string
  readonly args: ReadonlyMap<string, readonly Source[]>
}

/** A request of a person, and the calls that answer it. */
export interface UserRequest {
  readonly request: string
  readonly steps: readonly Step[]
}

const FOLDER = join(import.meta.dirname, 'user-requests')
const SOURCE = /"[^"]*"|'[^']*'|~?\d+(?:\.[\w.*]+)?/

/** Reads all requests of the folder `user-requests`. */
export function readUserRequests(): UserRequest[] {
  const texts = readdirSync(FOLDER).filter(name => name.endsWith('.txt'))
  return texts.flatMap(name => parseUserRequests(readFileSync(join(FOLDER, name), 'utf8')))
}

/** Reads requests, which empty lines separate. Throws a TypeError for a line that is not a call. */
export function parseUserRequests(text: string): UserRequest[] {
  return text
    .trim()
    .split(/\n{2,}/)
    .map(block => {
      const [request = '', ...lines] = block.split('\n')
      return { request, steps: lines.map(parseStep) }
    })
}

function parseStep(line: string): Step {
  const argument = new RegExp(` (\\w+)=((?:${SOURCE.source})(?:\\+(?:${SOURCE.source}))*)`, 'g')
  const [, name] = /^ {2}([\w-]+__\w+)(?= |$)/.exec(line) ?? []
  const found = [...line.matchAll(argument)]
  if (name === undefined || line !== `  ${name}${found.map(([whole]) => whole).join('')}`)
    throw new TypeError(`Not a call: ${line}`)
  return { name, args: new Map(found.map(([, arg = '', sources = '']) => [arg, parseSources(sources)])) }
}

function parseSources(text: string): Source[] {
  return Array.from(text.matchAll(new RegExp(SOURCE, 'g')), ([source]) => {
    if (/^["']/.test(source)) return { kind: source.startsWith('"') ? 'words' : 'constant', text: source.slice(1, -1) }
    const [step = '', ...path] = source.replace('~', '').split('.')
    return { kind: 'field', step: Number(step), path: path.join('.'), reworded: source.startsWith('~') }
  })
}

/** What keeps a model from answering a request with these connectors, as sentences; empty if nothing does. */
export function gapsOf({ request, steps }: UserRequest, connectors: readonly ConnectorDefinition[]): string[] {
  const tools = new Map(
    connectors.flatMap(({ id, tools }) => tools.map((tool): [string, HttpTool] => [`${id}__${tool.operation}`, tool])),
  )
  const gaps = steps.flatMap(({ name, args }, at) => {
    const tool = tools.get(name)
    if (tool === undefined) return [`there is no tool ${name}`]
    const sources = [...args].flatMap(([arg, list]) => list.map(source => ({ arg, source })))
    return [
      ...missing(tool, args),
      ...sources.flatMap(({ arg, source }) => {
        const schema = tool.input.properties[arg]
        if (schema === undefined) return [`${name} has no argument ${arg}`]
        if (source.kind === 'constant')
          return accepts(schema, source.text) ? [] : [`${name} rejects ${arg}=${source.text}`]
        if (source.kind === 'words')
          return request.toLowerCase().includes(source.text.toLowerCase()) ? [] : [`nobody says “${source.text}”`]
        const producer = source.step <= at ? steps[source.step - 1] : undefined
        if (producer === undefined) return [`${arg} of ${name} comes from call ${source.step}, which is not before it`]
        return fieldGaps({ name, tool, arg, schema }, source, producer.name, tools.get(producer.name))
      }),
    ]
  })
  return gaps.map(gap => `${request}: ${gap}`)
}

function missing({ operation, input, needsOneOf = [] }: HttpTool, args: Step['args']): string[] {
  const unset = (input.required ?? []).filter(name => !args.has(name)).map(name => `${operation} lacks ${name}`)
  const changes = needsOneOf.length === 0 || needsOneOf.some(name => args.has(name))
  return changes ? unset : [...unset, `${operation} changes nothing`]
}

function accepts(schema: TSchema, text: string): boolean {
  return [text, Number(text), text === 'true', null, [text]].some(
    value => String(value) === text && Value.Check(schema, value),
  )
}

interface Consumer {
  readonly name: string
  readonly tool: HttpTool
  readonly arg: string
  readonly schema: TSchema
}

function fieldGaps(
  { name, tool, arg, schema }: Consumer,
  { path, reworded }: FieldSource,
  producerName: string,
  producer: HttpTool | undefined,
): string[] {
  if (producer === undefined) return []
  const [connector] = name.split('__')
  const gaps = returns(producer, path) ? [] : [`${producerName} does not return ${path || 'a value'}`]
  // A tool does not need to name the tools of another connector, or the source of a text that the model rewrites.
  if (reworded || producerName.split('__')[0] !== connector) return gaps
  const named =
    names(tool.description, producer.operation) ||
    textsOf(schema).some(text => names(text, producer.operation)) ||
    names(producer.description, tool.operation)
  return named ? gaps : [...gaps, `neither ${name} (${arg}) nor ${producerName} names the other`]
}

function names(text: string, operation: string): boolean {
  return new RegExp(`\\b${operation}\\b`).test(text)
}

/** The descriptions of a schema and of the schemas in it. */
function textsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'description' && typeof value === 'string' ? [value] : textsOf(value),
  )
}

/** Whether the result of a tool has this field; of an object that is kept as a whole, any member. */
function returns(tool: HttpTool, path: string): boolean {
  const { result } = tool
  if (result.kind !== 'pick') return result.kind !== 'done' && path === ''
  const fields =
    result.fields.length > 0 ? result.fields.flatMap(convertedFields) : selectedFields(tool, result.pointer)
  if (path === '') return fields.length === 0
  return fields.some(field => path === field || path.startsWith(`${field}.`))
}

const PART = {
  mimeType: 'multipart/mixed',
  headers: ['From', 'To', 'Cc', 'Date', 'Subject', 'Message-ID', 'References'].map(name => ({ name, value: 'x' })),
  parts: [
    { mimeType: 'text/plain', filename: '', body: { data: 'eA' } },
    { mimeType: 'text/csv', filename: 'x.csv', body: { attachmentId: 'x', size: 1 } },
  ],
}
/** What converters that make objects return: the members of a converted sample. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  'gmail-message': readGmailMessage(PART, conversionState()),
  'gmail-messages': readGmailMessages([{ id: 'x', threadId: 'x', labelIds: ['x'], payload: PART }], conversionState()),
}

function convertedFields(field: string): string[] {
  const [path = '', converter = ''] = field.split('|')
  const sample = SAMPLES[converter]
  return sample === undefined ? [path] : leaves(sample).map(leaf => `${path}.${leaf}`)
}

function leaves(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(leaves)
  return Object.entries(Object(value)).flatMap(([name, member]) => {
    const below = typeof member === 'object' ? leaves(member) : []
    return below.length === 0 ? [name] : below.map(leaf => `${name}.${leaf}`)
  })
}

/** What a GraphQL document selects below a pointer; nothing for a tool without one. */
function selectedFields({ request: { body } }: HttpTool, pointer: string): string[] {
  if (body === undefined || !('graphql' in body)) return []
  const document = parse(body.graphql)
  const fragments = new Map(
    document.definitions.flatMap(part => (part.kind === Kind.FRAGMENT_DEFINITION ? [[part.name.value, part]] : [])),
  )
  const fieldsOf = (set: SelectionSetNode | undefined): FieldNode[] =>
    (set?.selections ?? []).flatMap(part => {
      if (part.kind === Kind.FIELD) return [part]
      return fieldsOf(
        part.kind === Kind.FRAGMENT_SPREAD ? fragments.get(part.name.value)?.selectionSet : part.selectionSet,
      )
    })
  const pathsOf = (set: SelectionSetNode | undefined): string[] =>
    fieldsOf(set).flatMap(({ name, selectionSet }) => {
      const below = pathsOf(selectionSet)
      return below.length === 0 ? [name.value] : below.map(path => `${name.value}.${path}`)
    })
  const operation = document.definitions.find(part => part.kind === Kind.OPERATION_DEFINITION)
  const prefix = pointer.split('/').slice(2).join('.')
  return pathsOf(operation?.selectionSet)
    .filter(path => path.startsWith(`${prefix}.`))
    .map(path => path.slice(prefix.length + 1))
}
