import type { Description } from './descriptions.ts'
import type { Schema } from './fit-schema.ts'

/** The media type of forms. */
export const FORM = 'application/x-www-form-urlencoded'

interface Parameter extends Omit<Schema, 'required'> {
  in: string
  name: string
  style?: string
  required?: boolean
  schema?: Schema
}

interface Item {
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema?: Schema }> }
  consumes?: string[]
  security?: unknown[]
  responses?: Record<string, { content?: Record<string, { schema?: Schema }>; schema?: Schema }>
}

/** The parts of an OpenAPI document that the tests use. */
export interface Document {
  swagger?: string
  security?: unknown[]
  paths: Record<string, Record<string, Item>>
}

/** Converts form bodies to objects of the same schema, so that Prism validates all of them. Returns which ones. */
export function reshape({ swagger, paths }: Document, { stripped, notRequired }: Description): ReadonlySet<string> {
  const forms = new Set<string>()
  for (const [path, methods] of Object.entries(paths))
    for (const [method, item] of Object.entries(methods)) {
      // Prism turns an absent body into an empty object.
      for (const { style, schema } of item.parameters ?? []) if (style === 'deepObject') delete schema?.required
      const parameters = (item.parameters ?? []).filter(({ name }) => !stripped?.parameters.includes(name))
      item.parameters = parameters
      for (const { schema } of Object.values(item.responses ?? {})) if (schema !== undefined) spellOutUnions(schema)
      const body = bodySchema(item)
      if (body?.required !== undefined)
        body.required = body.required.filter(name => !notRequired?.members.includes(name))
      const form = item.requestBody?.content[FORM]
      const fields = parameters.filter(({ in: place }) => place === 'formData')
      if (form === undefined && fields.length === 0) continue
      forms.add(`${method.toUpperCase()} ${path}`)
      if (item.requestBody !== undefined && form !== undefined) item.requestBody.content = { 'application/json': form }
      if (swagger === undefined || fields.length === 0) continue
      item.consumes = ['application/json']
      item.parameters = [
        ...parameters.filter(({ in: place }) => place !== 'formData'),
        { in: 'body', name: 'body', schema: schemaOfFields(fields) },
      ]
    }
  return forms
}

/** Slack writes `items` instead of a choice of several. */
function spellOutUnions(schema: Schema): void {
  if (schema.type === undefined && Array.isArray(schema.items)) {
    schema.anyOf = schema.items as Schema[]
    delete schema.items
  }
  const { properties = {}, items, anyOf = [] } = schema
  for (const part of [...Object.values(properties), ...anyOf, ...(items === undefined ? [] : [items])].flat())
    spellOutUnions(part)
}

function schemaOfFields(fields: readonly Parameter[]): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(({ name, type, enum: values, items }) => [
        name,
        {
          ...(type !== undefined && { type }),
          ...(values !== undefined && { enum: values }),
          ...(items !== undefined && { items }),
        },
      ]),
    ),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
  }
}

/** Returns the document's operation `GET /path`. */
export function itemOf({ paths }: Document, operation: string): Item {
  const [method = '', path = ''] = operation.split(' ')
  return paths[path]?.[method.toLowerCase()] ?? {}
}

/** Returns the schema of a request's body; undefined if there is none. */
export function bodySchema({ requestBody, parameters }: Item): Schema | undefined {
  const [content] = Object.values(requestBody?.content ?? {})
  return content?.schema ?? parameters?.find(({ in: place }) => place === 'body')?.schema
}

/** Returns the described success, of the requested media type if there are several. */
export function answerIn(
  { responses = {} }: Item,
  accept = '',
): { type?: string; schema?: Schema | undefined } | undefined {
  const [, answer] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const contents = Object.entries(answer?.content ?? {})
  if (contents.length === 0) return answer
  const asked = contents.find(([type]) => accept === type || accept === `${type}+json`)
  const [type = '', content] = asked ?? contents.find(([type]) => type === 'application/json') ?? contents[0] ?? []
  return { type, schema: content?.schema }
}
