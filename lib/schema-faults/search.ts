import type { SchemaRules } from './check-value.ts'
import type { Schema } from './expected.ts'
import type { FaultTexts } from './fault-texts.ts'
import type { Path } from './shown.ts'

/** The most faults that are reported. A search stops at the next one. */
export const MAX_FAULTS = 10

/** One fault of a value. */
export interface Fault {
  readonly path: Path
  /** `value`: the keywords for the value itself fail, whatever its members are. */
  readonly kind: 'value' | 'required' | 'unknown' | 'other'
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

/** How the first pass validates. */
export interface SearchRules extends SchemaRules {
  /** Whether the schema is draft-07. Otherwise it is JSON Schema 2020-12. */
  readonly isDraft07: boolean
}

/** The parts of a search, for the keywords that lead to other schemas. */
export interface Search {
  readonly rules: SearchRules
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

export function isFull({ faults }: Found): boolean {
  return faults.length > MAX_FAULTS
}

/** The value of a keyword that maps names to schemas; empty if it is absent. */
export function mapOf(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? (value as Schema) : {}
}
