import { array, type Description, record, type Schema } from './description.ts'

const MAX_FIELDS = 25
const MAX_DEPTH = 3
/** What `keep` can name. */
const FIELD = /^[^\s.|{}*]+$/

/** Addresses of the API, which a model cannot use. */
const LINK = /(?<!html|web)_url$|^_?links?$|Link$/
const USUAL =
  /^(id|gid|uuid|key|name|title|summary|login|username|email|display_?name|full_?name|state|status|type|value|text|color|date|start|end|amount|currency|count|total)$/i

type Resolve = Description['resolve']

/** How deep an object is, and whether only its usual fields are kept. */
interface Place {
  readonly depth: number
  readonly usual: boolean
}

/** The fields of an answer that a draft keeps, as `id title user { login }`: the first ones, without deep objects. */
export function keptText(schema: Schema, resolve: Resolve): string {
  const left = { fields: MAX_FIELDS }
  return textOf(itemOf(schema, resolve), resolve, left, { depth: 0, usual: false })
}

function textOf(schema: Schema, resolve: Resolve, left: { fields: number }, { depth, usual }: Place): string {
  const isObject = ([, given]: [string, unknown]) =>
    Object.keys(propertiesOf(itemOf(resolve(given), resolve), resolve)).length > 0
  const [objects, values] = [true, false].map(kind =>
    Object.entries(propertiesOf(schema, resolve)).filter(member => isObject(member) === kind),
  )
  // Values first, so that a large object does not displace them.
  const parts = [...(values ?? []), ...(objects ?? [])].flatMap(([name, given]) => {
    if (!FIELD.test(name) || left.fields <= 0 || LINK.test(name)) return []
    // Of the objects in an answer, what tells them apart is enough.
    if (usual && !USUAL.test(name)) return []
    const found = resolve(given)
    const member = itemOf(found, resolve)
    if (Object.keys(propertiesOf(member, resolve)).length === 0) {
      if (isOpen(member)) return []
      left.fields--
      return [name]
    }
    if (depth + 1 >= MAX_DEPTH) return []
    const below = textOf(member, resolve, left, { depth: depth + 1, usual: depth > 0 || !isList(found) })
    return below === '' ? [] : [`${name} { ${below} }`]
  })
  return parts.join(' ')
}

/** The properties of a schema, or of its alternatives together. */
export function propertiesOf(schema: Schema, resolve: Resolve): Schema {
  const alternatives = [...array(schema.oneOf), ...array(schema.anyOf)].map(resolve)
  return Object.assign({}, ...alternatives.map(one => record(one.properties)), record(schema.properties))
}

/** The schema of the items, if it is that of a list. */
export function itemOf(schema: Schema, resolve: Resolve): Schema {
  return isList(schema) ? resolve(schema.items) : schema
}

/** Whether a schema is that of a list. */
export function isList({ type, items }: Schema): boolean {
  return [type].flat().includes('array') || (type === undefined && items !== undefined)
}

/** Whether an object has members that the description does not name. They could be anything, and many. */
function isOpen({ type, additionalProperties }: Schema): boolean {
  return type === 'object' || record(additionalProperties) === additionalProperties
}
