import { isDeepStrictEqual } from 'node:util'
import { canonicalJson } from '../../../../lib/canonical-json.ts'
import { isSchemaObject, type SchemaObject } from '../pin/schema-places.ts'

/**
 * A difference between two schemas. It is risky if it allows or requires more than before, leaves one value, or says
 * something else to models.
 */
interface SchemaChange {
  readonly risky: boolean
  /** A sentence. The upstream's names in it are not sanitized. */
  readonly detail: string
  /** The keyword's value, or the argument's name with its schema. Absent without a value, and where the text says all of it. */
  readonly before?: unknown
  readonly after?: unknown
}

/** Limits that allow more values if they increase (UPPER) or decrease (LOWER). */
const UPPER = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains'])
const LOWER = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains'])
/** Keywords whose new value only restricts and is no text. */
const NARROWING = new Set(['multipleOf', 'uniqueItems'])

/** The differences between two input schemas. A difference with an unknown effect is risky. */
export function schemaChanges(before: SchemaObject, after: SchemaObject): SchemaChange[] {
  return [...differences(before, after, '')]
}

function* differences(before: SchemaObject, after: SchemaObject, path: string): Generator<SchemaChange> {
  const where = path === '' ? 'The arguments' : `Argument ${path}`
  for (const keyword of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before[keyword], after[keyword]]
    if (isDeepStrictEqual(old, now)) continue
    if (keyword === 'properties') yield* argumentChanges(before, after, path)
    else if (keyword === 'required') yield* requiredChanges(before, after, path)
    else if ((keyword === 'items' || keyword === 'additionalProperties') && isSchemaObject(old) && isSchemaObject(now))
      yield* differences(old, now, `${path}/${keyword === 'items' ? '[]' : '*'}`)
    else {
      const risky = isRisky(keyword, old, now) || (isLimit(keyword) && choosesValue(keyword, after))
      yield { risky, detail: `${where}: ${sentence(keyword, old, now)}.`, before: old, after: now }
    }
  }
}

function* argumentChanges(before: SchemaObject, after: SchemaObject, path: string): Generator<SchemaChange> {
  const [old, now] = [propertiesOf(before), propertiesOf(after)]
  for (const [name, schema] of now) {
    const was = old.get(name)
    if (was === undefined) {
      // requiredChanges reports a new required argument.
      const reported = namesOf(after).has(name) && !namesOf(before).has(name)
      // Models fill in optional arguments too, by their name: conversation_history receives the conversation.
      if (!reported) yield { risky: true, detail: `New argument ${path}/${name}.`, after: { [name]: schema } }
    } else if (isSchemaObject(was) && isSchemaObject(schema)) yield* differences(was, schema, `${path}/${name}`)
    else if (was !== schema)
      yield { risky: true, detail: `Argument ${path}/${name}: its schema changed.`, before: was, after: schema }
  }
  for (const [name, schema] of old)
    if (!now.has(name))
      yield { risky: true, detail: `Argument ${path}/${name} was removed.`, before: { [name]: schema } }
}

function* requiredChanges(before: SchemaObject, after: SchemaObject, path: string): Generator<SchemaChange> {
  const [old, now] = [namesOf(before), namesOf(after)]
  for (const name of now) {
    const isNew = !propertiesOf(before).has(name)
    if (!old.has(name))
      yield {
        risky: true,
        detail: isNew ? `New required argument ${path}/${name}.` : `Argument ${path}/${name} is now required.`,
        ...(isNew && propertiesOf(after).has(name) && { after: { [name]: propertiesOf(after).get(name) } }),
      }
  }
  for (const name of old)
    if (!now.has(name) && propertiesOf(after).has(name))
      yield { risky: false, detail: `Argument ${path}/${name} is no longer required.` }
}

function isRisky(keyword: string, old: unknown, now: unknown): boolean {
  if (keyword === 'deprecated') return now !== undefined && typeof now !== 'boolean'
  // A first enum gives models values that were never approved.
  if (keyword === 'enum') return old === undefined || !isSubset(valuesOf(now), valuesOf(old))
  if (keyword === 'type') return !isSubset(typesOf(now), typesOf(old))
  // A new or stricter limit allows fewer values.
  if (UPPER.has(keyword)) return !(typeof now === 'number' && (typeof old !== 'number' || now <= old))
  if (LOWER.has(keyword)) return !(typeof now === 'number' && (typeof old !== 'number' || now >= old))
  if (keyword === 'additionalProperties') return now !== false
  if (NARROWING.has(keyword)) return old !== undefined
  return true
}

function isLimit(keyword: string): boolean {
  return keyword === 'enum' || keyword === 'type' || UPPER.has(keyword) || LOWER.has(keyword) || NARROWING.has(keyword)
}

/**
 * Whether a limit leaves an argument at most one value, which the upstream has chosen then. Any limit beside an enum counts,
 * because it can select one of the values.
 */
function choosesValue(limit: string, schema: SchemaObject): boolean {
  const { enum: values, type } = schema
  if (values !== undefined) return limit !== 'enum' || !Array.isArray(values) || values.length <= 1
  const types = typesOf(type)
  if (types?.has('null') === true && types.size === 1) return true
  if (['maxLength', 'maxItems', 'maxProperties'].some(keyword => schema[keyword] === 0)) return true
  const numbers = (...keywords: string[]) => keywords.map(each => schema[each]).filter(each => typeof each === 'number')
  const highest = Math.min(...numbers('maximum', 'exclusiveMaximum'))
  const lowest = Math.max(...numbers('minimum', 'exclusiveMinimum'))
  const [multiple = 0] = numbers('multipleOf')
  const step = types?.has('integer') === true && !types.has('number') ? Math.max(multiple, 1) : multiple
  // With an exclusive bound this also counts a range of two values.
  if (numbers('exclusiveMinimum', 'exclusiveMaximum').length > 0) return highest - lowest <= 2 * step
  if (step <= 0) return highest <= lowest
  return Math.floor(highest / step) <= Math.ceil(lowest / step)
}

function sentence(keyword: string, old: unknown, now: unknown): string {
  if (keyword === 'description') return 'the description changed'
  if (old === undefined) return `${keyword} is new: ${short(now)}`
  if (now === undefined) return `${keyword} was removed; it was ${short(old)}`
  return `${keyword} changed from ${short(old)} to ${short(now)}`
}

function short(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length <= 120 ? text : `${text.slice(0, 119)}…`
}

/** The allowed values as JSON; undefined if all are. */
function valuesOf(values: unknown): ReadonlySet<string> | undefined {
  return values === undefined ? undefined : new Set((Array.isArray(values) ? values : [values]).map(canonicalJson))
}

/** The allowed types; undefined if all are. Every integer is a number. */
function typesOf(types: unknown): ReadonlySet<unknown> | undefined {
  if (types === undefined) return undefined
  const allowed = Array.isArray(types) ? types : [types]
  return new Set(allowed.includes('number') ? [...allowed, 'integer'] : allowed)
}

function isSubset<T>(now: ReadonlySet<T> | undefined, old: ReadonlySet<T> | undefined): boolean {
  return old === undefined || now?.isSubsetOf(old) === true
}

function propertiesOf({ properties }: SchemaObject): Map<string, unknown> {
  return new Map(isSchemaObject(properties) ? Object.entries(properties) : [])
}

function namesOf({ required }: SchemaObject): Set<string> {
  return new Set(Array.isArray(required) ? required.map(String) : [])
}
