import type { Schema, SchemaRules } from './check-value.ts'
import type { FaultTexts } from './fault-texts.ts'
import type { Path } from './shown.ts'

/** The most faults that are reported. A search stops at the next one. */
export const MAX_FAULTS = 10

/** One fault of a value. */
export interface Fault {
  readonly path: Path
  /** `value`: the keywords for the value itself fail, whatever its members are. `required`: the value is missing. */
  readonly kind: 'value' | 'required' | 'other'
  /** Writes a sentence, without its period. Most faults of a union are never written. */
  text(): string
}

/** What a search found. Each fault is real; if `isComplete` is false, there may be others. */
export interface Found {
  readonly faults: Fault[]
  isComplete: boolean
}

/** A place in the value. */
export interface Place {
  readonly path: Path
  /** Whether a schema says that the value is a secret. */
  readonly isSecret: boolean
  /** If set, only the members on this path are visited, and none below its end. */
  readonly guide: readonly string[] | undefined
}

/** The parts of a search, for the keywords that lead to other schemas. */
export interface Search {
  readonly rules: SchemaRules
  readonly texts: FaultTexts
  /** Adds the faults of a value under a schema. */
  visit(schema: unknown, value: unknown, at: Place, found: Found): void
  /** The faults of a value under a schema that it may not have to match. */
  attempt(schema: unknown, value: unknown, at: Place): Found
  /** The schema that a reference leads to; undefined if it is not a JSON pointer to a schema. */
  targetOf(reference: unknown): unknown
  /** The same for a schema: itself if it has no reference, and an empty one for a boolean schema. */
  resolve(schema: unknown): Schema
}

/** Adds one fault of the value at a path. */
export function addFault({ faults }: Found, path: Path, kind: Fault['kind'], text: () => string): void {
  faults.push({ path, kind, text })
}

export function isFull({ faults }: Found): boolean {
  return faults.length > MAX_FAULTS
}

/** The value of a keyword that maps names to schemas; empty if it is absent. */
export function mapOf(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? (value as Schema) : {}
}
