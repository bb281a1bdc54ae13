import { isJsonObject } from '../../../../lib/http/json.ts'

/** A JSON Schema that is an object. */
export type SchemaObject = Readonly<Record<string, unknown>>

/** A schema, or a schema nested in it. */
export interface Place {
  readonly schema: SchemaObject | boolean
  /** Its JSON pointer: '' for the root. */
  readonly pointer: string
  /** Whether it belongs to a property that is reachable from the root only through `properties`. */
  readonly property: boolean
}

type Shape = 'schema' | 'list' | 'map'

/** The keywords of both dialects that contain schemas, and their shapes. */
const HOLDERS: ReadonlyMap<string, readonly Shape[]> = new Map<string, Shape[]>([
  ...['additionalItems', 'additionalProperties', 'contains', 'contentSchema', 'else', 'if', 'not'].map(schemaHolder),
  ...['propertyNames', 'then', 'unevaluatedItems', 'unevaluatedProperties'].map(schemaHolder),
  ['items', ['schema', 'list']],
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((name): [string, Shape[]] => [name, ['list']]),
  ...['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'].map(mapHolder),
  ['dependencies', ['map']],
])

function schemaHolder(name: string): [string, Shape[]] {
  return [name, ['schema']]
}

function mapHolder(name: string): [string, Shape[]] {
  return [name, ['map']]
}

export function isSchemaObject(value: unknown): value is SchemaObject {
  return isJsonObject(value)
}

/** The direct subschemas, with the tokens of their JSON pointers. */
export function* childrenOf(schema: SchemaObject): Generator<{ keyword: string; tokens: string[]; value: unknown }> {
  for (const [keyword, value] of Object.entries(schema)) {
    const shapes = HOLDERS.get(keyword)
    if (shapes === undefined) continue
    if (Array.isArray(value)) {
      if (shapes.includes('list'))
        for (const [i, item] of value.entries()) yield { keyword, tokens: [keyword, `${i}`], value: item }
    } else if (shapes.includes('schema')) {
      yield { keyword, tokens: [keyword], value }
    } else if (isSchemaObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        // In draft-07 this can be a list of property names.
        if (keyword === 'dependencies' && Array.isArray(member)) continue
        yield { keyword, tokens: [keyword, name], value: member }
      }
    }
  }
}

/** Every schema in a schema, the root first. Skips invalid subschemas. */
export function placesOf(root: SchemaObject): Place[] {
  const places: Place[] = [{ schema: root, pointer: '', property: false }]
  // The loop appends to the array that it iterates.
  for (const { schema, pointer, property } of places) {
    if (typeof schema === 'boolean') continue
    for (const { keyword, tokens, value } of childrenOf(schema)) {
      if (typeof value !== 'boolean' && !isSchemaObject(value)) continue
      const at = tokens.map(token => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
      const reached = keyword === 'properties' && (property || pointer === '')
      places.push({ schema: value, pointer: pointer + at, property: reached })
    }
  }
  return places
}

/** A copy in which `change` has replaced every schema object, the inner ones first. */
export function mapSchemas(schema: SchemaObject, change: (schema: SchemaObject) => SchemaObject): SchemaObject {
  const inner = (value: unknown) => (isSchemaObject(value) ? mapSchemas(value, change) : value)
  const members = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    const shapes = HOLDERS.get(keyword)
    if (shapes === undefined) return [keyword, value]
    if (Array.isArray(value)) return [keyword, shapes.includes('list') ? value.map(inner) : value]
    if (shapes.includes('schema')) return [keyword, inner(value)]
    if (!isSchemaObject(value)) return [keyword, value]
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inner(member)]))]
  })
  return change(Object.fromEntries(members))
}
