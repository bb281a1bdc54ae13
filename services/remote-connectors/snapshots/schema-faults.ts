import { isRegExp, linearSize } from './linear-pattern.ts'
import { childrenOf, isSchemaObject, type Place, type SchemaObject } from './schema-places.ts'

const MAX_PROPERTIES = 500
const MAX_SCHEMAS = 2_000
/** What compiling a schema costs, together with its patterns. */
const MAX_KEYWORDS = 1_000
/** Instructions of all its patterns. */
const MAX_PATTERNS = 4_000

/** Members of a schema that make no code. */
const NOTES = /^(title|description|default|examples|deprecated|readOnly|writeOnly|format|definitions|\$.*|x-.*)$/
/** Keywords under which a pattern that lets everything pass would refuse, or choose wrongly. */
const INVERTING = ['not', 'if', 'oneOf', 'contains', 'unevaluatedProperties', 'unevaluatedItems']

/** What of a schema would take too long to compile, as the end of a sentence. */
export function sizeFault(places: readonly Place[]): string | undefined {
  let properties = 0
  let keywords = 0
  for (const schema of schemasOf(places)) {
    if (isSchemaObject(schema.properties)) properties += Object.keys(schema.properties).length
    for (const [keyword, value] of Object.entries(schema))
      if (!NOTES.test(keyword)) keywords += weightOf(keyword, value)
    if (schema.$ref !== undefined || schema.$dynamicRef !== undefined) keywords += 2
  }
  if (places.length > MAX_SCHEMAS) return `has more than ${MAX_SCHEMAS} schemas inside`
  if (properties > MAX_PROPERTIES) return `has more than ${MAX_PROPERTIES} properties`
  return keywords > MAX_KEYWORDS ? `has more than ${MAX_KEYWORDS} keywords` : undefined
}

function weightOf(keyword: string, value: unknown): number {
  if ((keyword === 'oneOf' || keyword === 'allOf') && Array.isArray(value)) return value.length
  if ((keyword !== 'dependentRequired' && keyword !== 'dependencies') || !isSchemaObject(value)) return 1
  return Object.values(value).reduce<number>((sum, names) => sum + (Array.isArray(names) ? names.length : 1), 1)
}

/** What of a schema is not what its keyword takes, and Ajv would not tell. */
export function shapeFault(places: readonly Place[]): string | undefined {
  let ids = 0
  let references = false
  for (const schema of schemasOf(places)) {
    for (const { keyword, value } of childrenOf(schema))
      if (typeof value !== 'boolean' && !isSchemaObject(value))
        return `has something under ${keyword} that is no schema`
    const { required, properties, pattern } = schema
    if (properties !== undefined && !isSchemaObject(properties)) return 'has properties that are no object'
    if (required !== undefined && !isTexts(required)) return 'has a list of required arguments that is no list of names'
    if (pattern !== undefined && typeof pattern !== 'string') return 'has a pattern that is no text'
    if (typeof schema.$id === 'string') ids++
    references ||= schema.$ref !== undefined || schema.$dynamicRef !== undefined
  }
  // A reference counts from the nearest $id; with one at the root alone, that is the root.
  const nested = ids > (typeof places[0]?.schema === 'object' && typeof places[0].schema.$id === 'string' ? 1 : 0)
  return nested && references ? 'has references beside an $id of its own inside' : undefined
}

/** What is wrong with the patterns of a schema: those that the linear engine does not run are left to the upstream. */
export function patternFault(places: readonly Place[]): string | undefined {
  let size = 0
  let unjudged = false
  let inverted = false
  for (const schema of schemasOf(places)) {
    inverted ||= INVERTING.some(keyword => schema[keyword] !== undefined)
    const names = Object.keys(isSchemaObject(schema.patternProperties) ? schema.patternProperties : {})
    for (const pattern of typeof schema.pattern === 'string' ? [schema.pattern, ...names] : names) {
      const instructions = linearSize(pattern)
      size += instructions ?? 0
      if (instructions !== undefined) continue
      if (!isRegExp(pattern)) return 'has a pattern that is no regular expression'
      if (names.includes(pattern)) return UNRUNNABLE
      unjudged = true
    }
    if (size > MAX_PATTERNS) return 'has patterns that are too large'
  }
  return unjudged && inverted ? UNRUNNABLE : undefined
}

const UNRUNNABLE = 'has a pattern that does not run in linear time: without look-around and back-references it would'

function* schemasOf(places: readonly Place[]): Generator<SchemaObject> {
  for (const { schema } of places) if (typeof schema !== 'boolean') yield schema
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(item => typeof item === 'string')
}
