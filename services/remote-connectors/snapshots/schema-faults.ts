import { isHeaderName } from '../../mcp/headers.ts'
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

const MARK = 'x-mcp-header'
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean'])

/**
 * What is wrong with the marks that have arguments repeated in headers, as the end of a sentence: clients must refuse
 * such a tool (MCP 2026-07-28, Streamable HTTP, custom headers from tool parameters).
 */
export function headerMarkFault(places: readonly Place[]): string | undefined {
  const names = new Set<string>()
  for (const { schema, property } of places) {
    if (typeof schema === 'boolean' || !Object.hasOwn(schema, MARK)) continue
    const name = schema[MARK]
    if (!property) return `has ${MARK} where it may not stand: only properties of properties carry it`
    if (typeof name !== 'string' || !isHeaderName(name)) return `has an ${MARK} that is no name of a header`
    if (!TYPES.has(schema.type)) return `has ${MARK} on an argument that is no string, integer or boolean`
    if (names.has(name.toLowerCase())) return `has the same ${MARK} twice`
    names.add(name.toLowerCase())
  }
  return undefined
}

/** Turns the direction of writing, steers a terminal, or writes what nobody sees: what a value shows is not what it is. */
const MISLEADING = /(?![\t\n\r])[\p{Cc}\p{Bidi_Control}\u{E0000}-\u{E0FFF}]/u
/** Joiners, soft hyphens and selectors are part of plain writing; many of them are a writing of their own. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
const MAX_UNSEEN = 16

/**
 * What is wrong with the form of a parsed JSON value, as the end of a sentence: more than `depth` levels, or what
 * JavaScript and PostgreSQL's jsonb read otherwise. Undefined for a value without fault.
 */
export function formFault(value: unknown, depth: number): string | undefined {
  if (isDeeper(value, depth)) return `is nested more than ${depth} deep`
  for (const { value: part, name } of partsOf(value)) {
    if (name === '__proto__') return 'has a member named __proto__'
    if (typeof part === 'number' && !Number.isFinite(part)) return 'has a number out of range'
  }
  return undefined
}

/** Whether a value has more than `depth` levels: what walks it by recursion is asked here before. */
export function isDeeper(value: unknown, depth: number): boolean {
  for (const { level } of partsOf(value)) if (level > depth) return true
  return false
}

/** What is wrong with the texts and names in a JSON value: what jsonb does not hold, and what misleads a reader. */
export function textFault(value: unknown): string | undefined {
  let unseen = 0
  for (const { value: part, name = '' } of partsOf(value))
    for (const text of typeof part === 'string' ? [name, part] : [name]) {
      if (text.includes('\0') || !text.isWellFormed()) return 'has a text with characters that are none'
      unseen += text.match(UNSEEN)?.length ?? 0
      if (MISLEADING.test(text) || unseen > MAX_UNSEEN) return 'has a name or value with invisible characters'
    }
  return undefined
}

/** All values in a value, itself among them; `level` counts the objects and lists, and is theirs. */
function* partsOf(root: unknown): Generator<{ value: unknown; level: number; name?: string }> {
  const left: { value: unknown; level: number; name?: string }[] = [{ value: root, level: 1 }]
  for (let part = left.pop(); part !== undefined; part = left.pop()) {
    const { value, level } = part
    const holds = typeof value === 'object' && value !== null
    yield holds ? part : { ...part, level: level - 1 }
    if (holds) for (const [name, member] of Object.entries(value)) left.push({ value: member, level: level + 1, name })
  }
}
