import type { Field } from '../../../definitions/http-tool.ts'
import { compilePointer, type Pointer } from '../../../definitions/placeholders.ts'
import type { Redact } from './redactor.ts'

/** The remaining size of a result. Each kept value reduces it. */
export interface Budget {
  /** The maximum length of one text, in characters. */
  readonly longest: number
  /** The remaining characters of JSON. Below 0, nothing more is kept, and the last value is incomplete. */
  left: number
  /** The length of the longest text so far. */
  met: number
  /** Redacts a text before it is cut: half a secret would not be recognized. */
  readonly redact: Redact
}

/** Selects the result of a tool from an answer. */
export interface Selection {
  /** Returns the value at the pointer; undefined if there is none. */
  readonly find: Pointer
  /** Returns the projected value without nulls, with long texts cut, within the budget. */
  keep(found: unknown, room: Budget): unknown
}

/** The fields to keep of an object: each as a whole, or with its own fields. */
type Projection = ReadonlyMap<string, Projection | 'whole'>

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
  return { find: compilePointer(pointer), keep: (found, room) => kept(found, projection, room, 0) }
}

function projectionOf(fields: readonly Field[]): Projection {
  const root = new Map<string, Map<string, unknown> | 'whole'>()
  for (const field of fields) {
    let place = root
    const steps = field.split('.')
    for (const [index, step] of steps.entries()) {
      const there = place.get(step)
      // A field that is kept as a whole includes its members.
      if (there === 'whole') break
      if (index === steps.length - 1) place.set(step, 'whole')
      else {
        const deeper = there ?? new Map()
        place.set(step, deeper)
        place = deeper as typeof root
      }
    }
  }
  return root as Projection
}

function kept(value: unknown, projection: Projection | 'whole', room: Budget, depth: number): unknown {
  if (typeof value === 'string') return keptText(value, room)
  if (value === null || value === undefined) return undefined
  const held = typeof value === 'object' ? keptContainer(value, projection, room, depth) : value
  if (held !== undefined) room.left -= MIN_VALUE_SIZE
  return held
}

function keptContainer(
  value: object,
  projection: Projection | 'whole',
  room: Budget,
  depth: number,
): object | undefined {
  if (depth >= MAX_DEPTH) return undefined
  if (Array.isArray(value)) return keptItems(value, projection, room, depth)
  if (projection === 'whole') return keptWhole(value as Record<string, unknown>, room, depth)
  return keptFields(value as Record<string, unknown>, projection, room, depth)
}

function keptItems(
  items: readonly unknown[],
  projection: Projection | 'whole',
  room: Budget,
  depth: number,
): unknown[] {
  const result: unknown[] = []
  for (const item of items) {
    if (room.left < 0) break
    const held = kept(item, projection, room, depth + 1)
    if (held !== undefined) result.push(held)
  }
  return result
}

function keptWhole(value: Record<string, unknown>, room: Budget, depth: number): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    if (room.left < 0) break
    keepMember(result, name, kept(value[name], 'whole', room, depth + 1), room)
  }
  return result
}

function keptFields(
  value: Record<string, unknown>,
  projection: Projection,
  room: Budget,
  depth: number,
): Record<string, unknown> | undefined {
  const result: Record<string, unknown> = {}
  let empty = true
  for (const [name, deeper] of projection) {
    if (room.left < 0 || !Object.hasOwn(value, name)) continue
    if (keepMember(result, name, kept(value[name], deeper, room, depth + 1), room)) empty = false
  }
  // A nested object without any of the fields is dropped; the selected object itself stays.
  return empty && depth > 0 ? undefined : result
}

function keepMember(result: Record<string, unknown>, name: string, member: unknown, room: Budget): boolean {
  if (member === undefined) return false
  result[name] = member
  room.left -= name.length + 3
  return true
}

function keptText(text: string, room: Budget): string {
  if (text.length > room.met) room.met = text.length
  const held = text.length <= room.longest ? text : cut(room.redact(text), room.longest)
  room.left -= Math.max(MIN_VALUE_SIZE, held.length + 3)
  return held
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  return `${text.slice(0, longest).toWellFormed()}… [cut: the first ${longest} of ${text.length} characters]`
}
