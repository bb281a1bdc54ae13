import type { Redact } from '../../../../lib/redaction/redactor.ts'
import type { Field, FieldConverter } from '../../../definitions/http-tool-types.ts'
import { compilePointer, type Pointer } from '../../../definitions/placeholders.ts'
import { type ConvertField, FIELD_CONVERTERS } from '../convert/converters.ts'

/** The remaining size of a result. Each kept value reduces it. */
export interface Budget {
  /** The maximum length of one text, in characters. */
  readonly longest: number
  /** The remaining characters of JSON. Below 0, nothing more is kept, and the last value is incomplete. */
  left: number
  /** The length of the longest text so far. */
  longestSeen: number
  /** Redacts a text before it is cut: half a secret would not be recognized. */
  readonly redact: Redact
  /** Converts a field. */
  readonly convert: (convert: ConvertField, value: unknown) => unknown
}

/** Selects the result of a tool from an answer. */
export interface Selection {
  /** Returns the value at the pointer; undefined if there is none. */
  readonly find: Pointer
  /** Whether fields keep files in base64 as texts. */
  readonly hasEncoded: boolean
  /** Returns the files in base64 that fields of an object keep as texts. */
  encodedIn(found: unknown): string[]
  /** Returns the projected value without nulls, with long texts cut, within the budget. */
  keep(found: unknown, budget: Budget): unknown
}

/** The fields to keep of an object: each as a whole, or with its own fields. */
type Projection = ReadonlyMap<string, Kept>
/** What is kept of a value: everything, its conversion, or some of its fields. */
type Kept = 'whole' | ConvertField | Projection

/** The step of a field that visits every member of an object, whose names the provider or its users chose. */
const EVERY = '*'
/** The minimum size to count for a value: many small values cost as much work as few large ones. */
const MIN_VALUE_SIZE = 8
/** Deeper values are dropped, so that serializing does not exhaust the stack. */
const MAX_DEPTH = 24

/**
 * Compiles a selection: these fields of the object at a pointer, or of each item of an array there; all fields if none
 * are named.
 */
export function compileSelection(pointer: string, fields: readonly Field[]): Selection {
  const projection = fields.length === 0 ? 'whole' : projectionOf(fields)
  const encoded = fields
    .map(field => field.split('|'))
    .filter(([, converter]) => converter === ('base64-to-text' satisfies FieldConverter))
    .map(([path = '']) => compilePointer(`/${path.replaceAll('.', '/')}`))
  return {
    find: compilePointer(pointer),
    hasEncoded: encoded.length > 0,
    encodedIn: found => encoded.map(read => read(found)).filter(value => typeof value === 'string'),
    keep: (found, budget) => project(found, projection, budget, 0),
  }
}

function projectionOf(fields: readonly Field[]): Projection {
  const root = new Map<string, Map<string, unknown> | 'whole' | ConvertField>()
  for (const field of fields) {
    let place = root
    const [path = '', converter] = field.split('|')
    const steps = path.split('.')
    for (const [index, step] of steps.entries()) {
      const there = place.get(step)
      // A field that is kept as a whole includes its members.
      if (there === 'whole' || typeof there === 'function') break
      if (index === steps.length - 1) place.set(step, converterOf(converter))
      else {
        const deeper = there ?? new Map()
        place.set(step, deeper)
        place = deeper as typeof root
      }
    }
  }
  return root as Projection
}

function converterOf(name: string | undefined): 'whole' | ConvertField {
  return name === undefined ? 'whole' : FIELD_CONVERTERS[name as FieldConverter]
}

function project(value: unknown, projection: Kept, budget: Budget, depth: number): unknown {
  if (value === null || value === undefined) return undefined
  if (typeof projection === 'function') return project(budget.convert(projection, value), 'whole', budget, depth)
  if (typeof value === 'string') return projectText(value, budget)
  const projected = typeof value === 'object' ? projectContainer(value, projection, budget, depth) : value
  if (projected !== undefined) budget.left -= MIN_VALUE_SIZE
  return projected
}

function projectContainer(
  value: object,
  projection: Projection | 'whole',
  budget: Budget,
  depth: number,
): object | undefined {
  if (depth >= MAX_DEPTH) return undefined
  if (Array.isArray(value)) return projectItems(value, projection, budget, depth)
  if (projection === 'whole') return projectMembers(value as Record<string, unknown>, budget, depth)
  return projectFields(value as Record<string, unknown>, projection, budget, depth)
}

function projectItems(
  items: readonly unknown[],
  projection: Projection | 'whole',
  budget: Budget,
  depth: number,
): unknown[] {
  const result: unknown[] = []
  for (const item of items) {
    if (budget.left < 0) break
    const projected = project(item, projection, budget, depth + 1)
    if (projected !== undefined) result.push(projected)
  }
  return result
}

function projectMembers(value: Record<string, unknown>, budget: Budget, depth: number): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    if (budget.left < 0) break
    addMember(result, name, project(value[name], 'whole', budget, depth + 1), budget)
  }
  return result
}

function projectFields(
  value: Record<string, unknown>,
  projection: Projection,
  budget: Budget,
  depth: number,
): Record<string, unknown> | undefined {
  const result: Record<string, unknown> = {}
  let empty = true
  for (const [field, deeper] of projection)
    for (const name of field === EVERY ? Object.keys(value) : [field]) {
      if (budget.left < 0 || !Object.hasOwn(value, name)) continue
      if (addMember(result, name, project(value[name], deeper, budget, depth + 1), budget)) empty = false
    }
  // A nested object without any of the fields is dropped; the selected object itself stays.
  return empty && depth > 0 ? undefined : result
}

function addMember(result: Record<string, unknown>, name: string, member: unknown, budget: Budget): boolean {
  if (member === undefined) return false
  result[name] = member
  budget.left -= name.length + 3
  return true
}

function projectText(text: string, budget: Budget): string {
  if (text.length > budget.longestSeen) budget.longestSeen = text.length
  const projected = text.length <= budget.longest ? text : cut(budget.redact(text), budget.longest)
  budget.left -= Math.max(MIN_VALUE_SIZE, projected.length + 3)
  return projected
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  return `${text.slice(0, longest).toWellFormed()}… [cut: the first ${longest} of ${text.length} characters]`
}
