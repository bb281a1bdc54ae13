import type { Schema, SchemaRules } from './check-value.ts'
import type { Path } from './describe-expected.ts'
import type { FaultTexts } from './fault-texts.ts'

/** The most faults that are reported. */
export const MAX_FAULTS = 10

/** One fault of a value. */
export interface Fault {
  readonly path: Path
  /** `value`: the keywords for the value itself fail, whatever its members are. `required`: the value is missing. */
  readonly kind: 'value' | 'required' | 'other'
  /** Writes a sentence, without its period. Most faults of a union are never written. */
  text(): string
  /** The schemas of which the value must match one, if that is all that is wrong with it. */
  readonly expected?: readonly Schema[]
  /** Whether the value is a member that a schema names. */
  readonly isMember?: boolean
  /** The faults under the closest form of a union. */
  readonly closest?: readonly Fault[]
}

/** What a search found. Each fault is real; if `isComplete` is false, there may be others. */
export interface Found {
  readonly faults: Fault[]
  isComplete: boolean
  /** The search ends when it has found more than this number of faults. */
  readonly most: number
}

/** A place in the value. */
export interface Place {
  readonly path: Path
  /** Whether a schema says that the value is a secret. */
  readonly isSecret: boolean
  /** Whether the value is a member that a schema names. */
  readonly isMember: boolean
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

/** Adds the fault of a value that must match one of some schemas. */
export function addMismatch({ faults }: Found, at: Place, expected: readonly Schema[], text: () => string): void {
  faults.push({ path: at.path, kind: 'value', text, expected, isMember: at.isMember })
}

export function isFull({ faults, most }: Found): boolean {
  return faults.length > most
}

/** The value of a keyword that maps names to schemas; empty if it is absent. */
export function mapOf(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? (value as Schema) : {}
}
