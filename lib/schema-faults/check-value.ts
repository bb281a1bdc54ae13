import { canonicalJson } from '../canonical-json.ts'
import type { ComputeBudget } from '../compute-budget.ts'

export type Schema = Readonly<Record<string, unknown>>

/** How the first pass validates what JSON Schema leaves open. */
export interface SchemaRules {
  /** Whether a text matches a pattern. The time must be bounded. */
  matches(pattern: string, text: string): boolean
  /** Whether a text has a format; absent if formats are only annotations. */
  hasFormat?(format: string, text: string): boolean
  readonly budget: ComputeBudget
  /** Whether the schema is draft-07. Otherwise it is JSON Schema 2020-12. */
  readonly isDraft07: boolean
}

/** How a value fails; `unsure` if validators differ about it. */
type ValueFault = 'type' | 'value' | 'duplicate' | 'unsure'

/** Checks a value against the keywords of a schema that concern only the value itself. Returns undefined if it passes. */
export function valueFault(schema: Schema, value: unknown, rules: SchemaRules): ValueFault | undefined {
  const types = typesOf(schema)
  rules.budget.spend(types.length >> 1)
  if (types.length > 0 && !types.some(type => hasType(value, type))) return 'type'
  if (Object.hasOwn(schema, 'const') && !isEqual(schema.const, value, rules.budget)) return 'value'
  if (Array.isArray(schema.enum) && !schema.enum.some(allowed => isEqual(allowed, value, rules.budget))) return 'value'
  if (typeof value === 'string') return textFault(schema, value, rules)
  if (typeof value === 'number') return isInRange(schema, value) ? undefined : 'value'
  if (!Array.isArray(value)) return undefined
  if (!isWithin(value.length, schema.minItems, schema.maxItems)) return 'value'
  return schema.uniqueItems === true && !areUnique(value, rules.budget) ? 'duplicate' : undefined
}

export function typesOf({ type, nullable }: Schema): string[] {
  const types = (Array.isArray(type) ? type : [type]).filter(name => typeof name === 'string')
  return nullable === true && types.length > 0 && !types.includes('null') ? [...types, 'null'] : types
}

export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function hasType(value: unknown, type: string): boolean {
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value)
  return typeOf(value) === type
}

function isEqual(allowed: unknown, value: unknown, budget: ComputeBudget): boolean {
  budget.spend(1)
  if (typeof allowed !== 'object' || allowed === null) return allowed === value
  return typeof value === 'object' && value !== null && canonical(allowed, budget) === canonical(value, budget)
}

function canonical(value: unknown, budget: ComputeBudget): string {
  charge(value, budget)
  return canonicalJson(value)
}

/** Counts the work of reading a whole value, before it is read. */
function charge(value: unknown, budget: ComputeBudget): void {
  budget.spend(typeof value === 'string' ? 2 + (value.length >> 2) : 2)
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    budget.spend(name.length >> 2)
    charge(member, budget)
  }
}

function areUnique(items: readonly unknown[], budget: ComputeBudget): boolean {
  return new Set(items.map(item => canonical(item, budget))).size === items.length
}

function textFault(schema: Schema, text: string, rules: SchemaRules): ValueFault | undefined {
  const { minLength, maxLength, pattern, format } = schema
  // Some validators count code units, others code points, of which there are at least half as many.
  const isLong = typeof maxLength === 'number' && text.length > maxLength
  const isShort = typeof minLength === 'number' && text.length < minLength
  if (isShort || (isLong && text.length > 2 * maxLength)) return 'value'
  const isCounted = isLong || (typeof minLength === 'number' && text.length < 2 * minLength)
  const points = isCounted ? pointsIn(text, rules.budget) : text.length
  if (isLong && points > maxLength) return 'value'
  if (typeof pattern === 'string' && !rules.matches(pattern, text)) return 'value'
  if (typeof format === 'string' && rules.hasFormat?.(format, text) === false) return 'value'
  return isLong || !isWithin(points, minLength, undefined) ? 'unsure' : undefined
}

function pointsIn(text: string, budget: ComputeBudget): number {
  budget.spend(text.length >> 3)
  let points = 0
  for (const _ of text) points++
  return points
}

function isInRange(schema: Schema, value: number): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  if (!isWithin(value, minimum, maximum)) return false
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) return false
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) return false
  return typeof multipleOf !== 'number' || Number.isInteger(value / multipleOf)
}

function isWithin(number: number, least: unknown, most: unknown): boolean {
  return !(typeof least === 'number' && number < least) && !(typeof most === 'number' && number > most)
}
