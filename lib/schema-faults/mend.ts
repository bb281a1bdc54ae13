import { parse } from 'secure-json-parse'
import { hasInexactNumber, isExactNumber } from '../exact-numbers.ts'
import { isWithinBounds } from '../http/json.ts'
import { type Schema, type SchemaRules, typeOf, typesOf } from './check-value.ts'
import { createFaultTexts } from './fault-texts.ts'
import { findFaults } from './find-faults.ts'
import type { Fault } from './search.ts'

/** The budget of one search, in units of about 50 ns. */
const WORK = 60_000
/** Decoded JSON can have members that failed, too. */
const MAX_PASSES = 4
/** The maximum number of members that one pass corrects. */
const MAX_MENDED = 1_000
/** How many characters of JSON are decoded in all: what they hold is validated beside what the message holds. */
const MAX_DECODED = 1024 * 1024

/** Arguments that a validator has rejected. */
interface Rejected {
  readonly schema: unknown
  readonly args: unknown
  readonly rules: SchemaRules
  /** Whether the validator accepts arguments. */
  accepts(args: unknown): boolean
  /** Gives decoded members the names that the schema has. */
  rename?(args: unknown): unknown
}

const NO_TEXTS = createFaultTexts({ whole: '', member: '' })

/**
 * Corrects arguments in the forms that models often send: JSON, a number or a boolean in a string, and null or an empty string in
 * place of an optional member. Changes only members that failed, and none that may be a string. Undefined if the validator
 * does not accept the result.
 */
export function mend({ schema, args, rules, accepts, rename = same => same }: Rejected): unknown {
  // The arguments themselves are never decoded.
  if (typeOf(args) !== 'object') return undefined
  let mended = structuredClone(args) as Container
  const characters = { left: MAX_DECODED }
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    rules.budget.reset(WORK)
    const faults = findFaults(schema, mended, { rules, texts: NO_TEXTS, most: MAX_MENDED })
    if (!mendAll(mended, faults, characters)) return undefined
    mended = rename(mended) as Container
    if (accepts(mended)) return mended
  }
  return undefined
}

type Container = Record<string | number, unknown>

interface CharacterBudget {
  left: number
}

/** Whether any of the faults could be mended. */
function mendAll(root: Container, faults: readonly Fault[], characters: CharacterBudget): boolean {
  let isChanged = false
  for (const { path, expected, isMember = false, closest = [] } of faults) {
    isChanged = mendAll(root, closest, characters) || isChanged
    const last = path.at(-1)
    if (expected === undefined || last === undefined) continue
    const holder = path.slice(0, -1).reduce<unknown>((value, step) => (value as Container | undefined)?.[step], root)
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, last)) continue
    const value = (holder as Container)[last]
    const types = allowedTypes(expected)
    if (isMember && isAbsent(value)) {
      delete (holder as Container)[last]
      isChanged = true
      continue
    }
    const decoded = typeof value === 'string' && !types.has('string') ? decode(value, types, characters) : undefined
    if (decoded === undefined) continue
    ;(holder as Container)[last] = decoded
    isChanged = true
  }
  return isChanged
}

/** The types of the values that one of the schemas allows; empty if a schema allows any. */
function allowedTypes(schemas: readonly Schema[]): ReadonlySet<string> {
  const each = schemas.map(schema => {
    const values = Object.hasOwn(schema, 'const') ? [schema.const] : schema.enum
    const types = typesOf(schema)
    return types.length > 0 || !Array.isArray(values) ? types : values.map(typeOf)
  })
  return new Set(each.some(types => types.length === 0) ? [] : each.flat())
}

/** Whether a value is what models send for a member that they leave out. */
function isAbsent(value: unknown): boolean {
  return value === null || value === ''
}

/** A number as JSON writes it, without an exponent. An ID such as 007 does not match. */
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

/** The value of one of the types that a text may mean; undefined if it means none of them. */
function decode(text: string, types: ReadonlySet<string>, characters: CharacterBudget): unknown {
  if ((types.has('number') || types.has('integer')) && DECIMAL.test(text)) {
    const number = Number(text)
    return isExactNumber(text, number) ? number : undefined
  }
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  if (!types.has('array') && !types.has('object')) return undefined
  characters.left -= text.length
  const value = characters.left < 0 ? undefined : parsed(text)
  return typeof value === 'object' && value !== null && types.has(typeOf(value)) ? value : undefined
}

/** Parses a JSON text within the limits of a message. Returns undefined unless it is an array or an object. */
function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || !isWithinBounds(text)) return undefined
  try {
    const value = parse(text)
    return hasInexactNumber(text) ? undefined : value
  } catch {
    return undefined
  }
}
