import { isJsonObject } from '../../lib/http/json.ts'

/** A JSON Schema of a description, or what stands in its place. Nothing in it can be relied on. */
export type Schema = { readonly [member: string]: unknown }

/** A parameter of an operation, the same for both generations of OpenAPI. */
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Schema
  readonly description: string
  /** How a list is joined; undefined if the parameter is repeated. */
  readonly separator?: string
}

/** The body of a request. */
export interface Body {
  readonly kind: 'json' | 'form' | 'multipart' | 'raw'
  readonly required: boolean
  readonly schema: Schema
}

/** An operation of a description, with what a draft needs. */
export interface Operation {
  readonly method: Method
  readonly path: string
  readonly id: string | undefined
  readonly summary: string
  readonly parameters: readonly Parameter[]
  readonly body: Body | undefined
  /** The successful answer: undefined if it has no body. */
  readonly answer: { readonly type: string; readonly schema: Schema } | undefined
  /** The names of the answer's headers, in lower case. */
  readonly answerHeaders: readonly string[]
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
const SEPARATORS: Readonly<Record<string, string>> = { csv: ',', ssv: ' ', pipes: '|', tsv: '\t' }
const MAX_REFERENCES = 20

/** A provider's API description: Swagger 2 or OpenAPI 3. */
export interface Description {
  /** The operations as `GET /path`. */
  readonly operations: readonly string[]
  /** Finds an operation by `GET /path` or its operationId. Throws a TypeError if the description does not have it. */
  find(operation: string): Operation
  /** Follows the references of a schema and merges its `allOf`. */
  resolve(schema: unknown): Schema
}

/** Reads a parsed description. Throws a TypeError for other documents. */
export function readDescription(document: unknown): Description {
  const root = record(document)
  if (!('swagger' in root) && !('openapi' in root))
    throw new TypeError('Not an API description: it has neither swagger nor openapi')
  const paths = record(root.paths)
  const all = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter(method => method in record(item)).map(method => ({ method, path })),
  )
  const named = ({ method, path }: (typeof all)[number]) => `${method.toUpperCase()} ${path}`
  const resolve = (schema: unknown): Schema => resolved(root, schema, new Set())
  return {
    operations: all.map(named),
    resolve,
    find(operation) {
      const found = all.find(
        one => named(one) === operation || record(record(paths[one.path])[one.method]).operationId === operation,
      )
      if (found === undefined) throw new TypeError(`The description has no operation ${operation}`)
      return readOperation(root, found.method, found.path, resolve)
    },
  }
}

/** The object itself, or an empty one. */
export function record(value: unknown): Schema {
  return isJsonObject(value) ? (value as Schema) : {}
}

/** The list itself, or an empty one. */
export function array(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The text itself, or an empty one. */
export function string(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function resolved(root: Schema, value: unknown, seen: ReadonlySet<unknown>): Schema {
  const schema = followed(root, value)
  const parts = array(schema.allOf)
  if (parts.length === 0 || seen.has(schema)) return schema
  const { allOf: _, ...own } = schema
  const all = [...parts.map(part => resolved(root, part, new Set([...seen, schema]))), own]
  return Object.assign({}, ...all, {
    properties: Object.assign({}, ...all.map(part => record(part.properties))),
    required: all.flatMap(part => array(part.required)),
  })
}

function followed(root: Schema, value: unknown): Schema {
  let found = record(value)
  for (let left = MAX_REFERENCES; typeof found.$ref === 'string' && left > 0; left--) {
    const steps = found.$ref.replace(/^#\//, '').split('/')
    const names = steps.map(step => decoded(step).replaceAll('~1', '/').replaceAll('~0', '~'))
    found = record(names.reduce<unknown>((at, name) => (Array.isArray(at) ? at[Number(name)] : record(at)[name]), root))
  }
  return found
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function readOperation(
  root: Schema,
  method: (typeof METHODS)[number],
  path: string,
  resolve: (schema: unknown) => Schema,
): Operation {
  const item = record(record(root.paths)[path])
  const operation = record(item[method])
  const declared = [...array(item.parameters), ...array(operation.parameters)].map(resolve)
  const consumes = array(operation.consumes ?? root.consumes).map(string)
  const produces = array(operation.produces ?? root.produces).map(string)
  const [, success] = Object.entries(record(operation.responses)).find(([code]) => /^2|default/i.test(code)) ?? []
  const answer = resolve(success)
  return {
    method: method.toUpperCase() as Method,
    path,
    id: string(operation.operationId) || undefined,
    summary: string(operation.summary) || string(operation.description) || string(item.summary),
    parameters: readParameters(declared, resolve),
    body: readBody(declared, resolve(operation.requestBody), consumes, resolve),
    answer: readAnswer(answer, produces, resolve),
    answerHeaders: Object.keys(record(answer.headers)).map(name => name.toLowerCase()),
  }
}

function readParameters(declared: readonly Schema[], resolve: Description['resolve']): Parameter[] {
  // Google repeats the parameters of its transport at every path.
  const transport = declared.some(({ name }) => name === 'prettyPrint')
  const GENERAL = /^(\$\.xgafv|access_token|alt|callback|fields|key|oauth_token|prettyPrint|quotaUser|upload.*|userIp)$/
  const byPlace = new Map<string, Parameter>()
  for (const parameter of declared) {
    const [name, place] = [string(parameter.name), string(parameter.in)]
    if (!isPlace(place) || name === '' || (transport && place === 'query' && GENERAL.test(name))) continue
    const [content] = Object.values(record(parameter.content))
    const schema = resolve(parameter.schema ?? record(content).schema ?? parameter)
    const separator = separatorOf(parameter, schema)
    byPlace.set(`${place} ${name}`, {
      name,
      in: place,
      required: place === 'path' || parameter.required === true,
      schema,
      description: string(parameter.description),
      ...(separator !== undefined && { separator }),
    })
  }
  return [...byPlace.values()]
}

function isPlace(place: string): place is Parameter['in'] {
  return ['path', 'query', 'header'].includes(place)
}

/** Lists are repeated in OpenAPI 3 unless `explode` is false, and joined in Swagger 2 unless the format is `multi`. */
function separatorOf(parameter: Schema, schema: Schema): string | undefined {
  if (schema.type !== 'array') return undefined
  const format = parameter.schema === undefined ? string(parameter.collectionFormat) || 'csv' : undefined
  if (format !== undefined) return SEPARATORS[format]
  if (parameter.explode === false) return parameter.style === 'pipeDelimited' ? '|' : ','
  return undefined
}

function readBody(
  declared: readonly Schema[],
  body: Schema,
  consumes: readonly string[],
  resolve: Description['resolve'],
): Body | undefined {
  const inBody = declared.find(parameter => parameter.in === 'body')
  if (inBody !== undefined) return { kind: 'json', required: inBody.required === true, schema: resolve(inBody.schema) }
  const fields = declared.filter(parameter => parameter.in === 'formData')
  if (fields.length > 0) return formBody(fields, consumes)
  const content = Object.entries(record(body.content))
  const kinds = [
    ['json', /json|^\*\/\*$/],
    ['form', /x-www-form-urlencoded/],
    ['multipart', /^multipart\//],
    ['raw', /./],
  ] as const
  for (const [kind, type] of kinds) {
    const found = content.find(([name]) => type.test(name))
    if (found !== undefined) return { kind, required: body.required === true, schema: resolve(record(found[1]).schema) }
  }
  return undefined
}

function formBody(fields: readonly Schema[], consumes: readonly string[]): Body {
  const files = fields.some(({ type }) => type === 'file') || consumes.some(type => type.startsWith('multipart/'))
  const required = fields.filter(field => field.required === true).map(({ name }) => name)
  const properties = Object.fromEntries(
    fields.map(({ required: _, ...field }) => [
      string(field.name),
      field.type === 'file' ? { ...field, type: 'string', format: 'binary' } : field,
    ]),
  )
  return {
    kind: files ? 'multipart' : 'form',
    required: required.length > 0,
    schema: { type: 'object', properties, required },
  }
}

function readAnswer(answer: Schema, produces: readonly string[], resolve: Description['resolve']): Operation['answer'] {
  if (answer.schema !== undefined) return { type: produces[0] ?? 'application/json', schema: resolve(answer.schema) }
  const content = Object.entries(record(answer.content))
  const [type, media] = content.find(([name]) => /json/.test(name)) ?? content[0] ?? []
  return type === undefined ? undefined : { type, schema: resolve(record(media).schema) }
}
