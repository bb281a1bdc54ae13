import { isRegExp, linearSize } from '../../../../lib/linear-pattern.ts'
import { isHeaderName } from '../../../mcp/headers.ts'
import { childrenOf, isSchemaObject, type Place, type SchemaObject } from './schema-places.ts'

const MAX_PROPERTIES = 500
const MAX_SCHEMAS = 2_000
/** Keywords and patterns determine the cost of compiling a schema. */
const MAX_KEYWORDS = 1_000
/** The maximum number of instructions of all patterns of a schema. */
const MAX_PATTERNS = 4_000

/** Keywords that compile to no code. */
const NOTES = /^(title|description|default|examples|deprecated|readOnly|writeOnly|format|definitions|\$.*|x-.*)$/
/** Keywords under which a pattern that always passes would reject valid values or select the wrong schema. */
const INVERTING = ['not', 'if', 'oneOf', 'contains', 'unevaluatedProperties', 'unevaluatedItems']

/** Why a schema would take too long to compile, as the end of a sentence. */
export function sizeRejection(places: readonly Place[]): string | undefined {
  let properties = 0
  let keywords = 0
  for (const schema of schemasOf(places)) {
    if (isSchemaObject(schema.properties)) properties += Object.keys(schema.properties).length
    for (const [keyword, value] of Object.entries(schema))
      if (!NOTES.test(keyword)) keywords += weightOf(keyword, value)
    if (schema.$ref !== undefined || schema.$dynamicRef !== undefined) keywords += 2
  }
  if (places.length > MAX_SCHEMAS) return `contains more than ${MAX_SCHEMAS} schemas`
  if (properties > MAX_PROPERTIES) return `has more than ${MAX_PROPERTIES} properties`
  return keywords > MAX_KEYWORDS ? `has more than ${MAX_KEYWORDS} keywords` : undefined
}

function weightOf(keyword: string, value: unknown): number {
  if ((keyword === 'oneOf' || keyword === 'allOf') && Array.isArray(value)) return value.length
  if ((keyword !== 'dependentRequired' && keyword !== 'dependencies') || !isSchemaObject(value)) return 1
  return Object.values(value).reduce<number>((sum, names) => sum + (Array.isArray(names) ? names.length : 1), 1)
}

/** Why a schema's keywords are rejected that Ajv accepts, as the end of a sentence. */
export function shapeRejection(places: readonly Place[]): string | undefined {
  let ids = 0
  let references = false
  for (const schema of schemasOf(places)) {
    for (const { keyword, value } of childrenOf(schema))
      if (typeof value !== 'boolean' && !isSchemaObject(value))
        return `has a value under ${keyword} that is not a schema`
    const { required, properties, pattern } = schema
    if (properties !== undefined && !isSchemaObject(properties)) return 'has properties that are not an object'
    if (required !== undefined && !isTexts(required))
      return 'has a list of required arguments that is not a list of strings'
    if (pattern !== undefined && typeof pattern !== 'string') return 'has a pattern that is not a string'
    if (typeof schema.$id === 'string') ids++
    references ||= schema.$ref !== undefined || schema.$dynamicRef !== undefined
  }
  // References resolve against the nearest $id. Only an $id at the root is supported.
  const nested = ids > (typeof places[0]?.schema === 'object' && typeof places[0].schema.$id === 'string' ? 1 : 0)
  return nested && references ? 'has references and a nested $id' : undefined
}

/** Why a schema's patterns are rejected, as the end of a sentence. Patterns that the linear engine does not support are left to the upstream. */
export function patternRejection(places: readonly Place[]): string | undefined {
  let size = 0
  let unsupported = false
  let inverted = false
  for (const schema of schemasOf(places)) {
    inverted ||= INVERTING.some(keyword => schema[keyword] !== undefined)
    const names = Object.keys(isSchemaObject(schema.patternProperties) ? schema.patternProperties : {})
    for (const pattern of typeof schema.pattern === 'string' ? [schema.pattern, ...names] : names) {
      const instructions = linearSize(pattern)
      size += instructions ?? 0
      if (instructions !== undefined) continue
      if (!isRegExp(pattern)) return 'has a pattern that is not a regular expression'
      if (names.includes(pattern)) return UNRUNNABLE
      unsupported = true
    }
    if (size > MAX_PATTERNS) return 'has patterns that are too large'
  }
  return unsupported && inverted ? UNRUNNABLE : undefined
}

const UNRUNNABLE = 'has a pattern that cannot run in linear time: remove look-around and back-references'

function* schemasOf(places: readonly Place[]): Generator<SchemaObject> {
  for (const { schema } of places) if (typeof schema !== 'boolean') yield schema
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(item => typeof item === 'string')
}

const MARK = 'x-mcp-header'
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean'])

/**
 * Why the marks for arguments that are also sent as headers are rejected, as the end of a sentence. Clients must reject a tool with
 * such marks (MCP 2026-07-28, Streamable HTTP, custom headers from tool parameters).
 */
export function headerMarkRejection(places: readonly Place[]): string | undefined {
  const names = new Set<string>()
  for (const { schema, property } of places) {
    if (typeof schema === 'boolean' || !Object.hasOwn(schema, MARK)) continue
    const name = schema[MARK]
    if (!property) return `has ${MARK} in a place where it is not allowed: only properties may have it`
    if (typeof name !== 'string' || !isHeaderName(name)) return `has an ${MARK} that is not a valid header name`
    if (!TYPES.has(schema.type)) return `has ${MARK} on an argument that is not a string, integer or boolean`
    if (names.has(name.toLowerCase())) return `has the same ${MARK} twice`
    names.add(name.toLowerCase())
  }
  return undefined
}

/** Characters that change the writing direction, control a terminal, or are invisible, so that a value is not what it looks like. */
const MISLEADING = /(?![\t\n\r])[\p{Cc}\p{Bidi_Control}\u{E0000}-\u{E0FFF}]/u
/** Joiners, soft hyphens and selectors occur in ordinary text. Many of them can hide a message. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
const MAX_UNSEEN = 16

/**
 * Why a parsed JSON value is rejected, as the end of a sentence: more than `depth` levels, or content that JavaScript and
 * PostgreSQL's jsonb read differently. Undefined if there is none.
 */
export function formRejection(value: unknown, depth: number): string | undefined {
  if (isDeeper(value, depth)) return `is nested more than ${depth} levels deep`
  for (const { value: part, name } of partsOf(value)) {
    if (name === '__proto__') return 'has a member named __proto__'
    if (typeof part === 'number' && !Number.isFinite(part)) return 'has a number that is out of range'
  }
  return undefined
}

/** Whether a value has more than `depth` levels. Call it before code that visits the value recursively. */
export function isDeeper(value: unknown, depth: number): boolean {
  for (const { level } of partsOf(value)) if (level > depth) return true
  return false
}

/** Why the strings and names in a JSON value are rejected: what jsonb cannot store, and what misleads a reader. */
export function textRejection(value: unknown): string | undefined {
  let unseen = 0
  for (const { value: part, name = '' } of partsOf(value))
    for (const text of typeof part === 'string' ? [name, part] : [name]) {
      if (text.includes('\0') || !text.isWellFormed()) return 'has a string that is not valid Unicode text'
      unseen += text.match(UNSEEN)?.length ?? 0
      if (MISLEADING.test(text) || unseen > MAX_UNSEEN) return 'has a name or value with invisible characters'
    }
  return undefined
}

/** All values in a value, including itself, with their nesting level. */
function* partsOf(root: unknown): Generator<{ value: unknown; level: number; name?: string }> {
  const left: { value: unknown; level: number; name?: string }[] = [{ value: root, level: 1 }]
  for (let part = left.pop(); part !== undefined; part = left.pop()) {
    const { value, level } = part
    const holds = typeof value === 'object' && value !== null
    yield holds ? part : { ...part, level: level - 1 }
    if (holds) for (const [name, member] of Object.entries(value)) left.push({ value: member, level: level + 1, name })
  }
}
