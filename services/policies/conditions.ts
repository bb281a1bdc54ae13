import { isDeepStrictEqual } from 'node:util'
import { RE2JS } from 're2js'
import { GatewayError } from '../../lib/errors/errors.ts'
import { isJsonObject } from '../../lib/http/json.ts'
import { pointerSteps, valueAt } from '../../lib/json-pointer.ts'
import { linearSize } from '../../lib/linear-pattern.ts'
import type { PolicyCondition } from '../../schemas/organizations/policy.ts'

/** Whether the arguments of a call satisfy all conditions of a rule. */
export type Conditions = (args: unknown) => boolean

/**
 * Prepares the conditions of a rule. Where the arguments leave it open whether a condition holds, the stricter answer counts: for a
 * rule that denies, it holds; for one that allows, it does not. Open are an argument that is absent or of another type, and whether
 * texts that differ only in case or in white space around them are the same.
 */
export function compileConditions(conditions: readonly PolicyCondition[], action: 'allow' | 'deny'): Conditions {
  const compiled = conditions.map(condition => compileCondition(condition, action))
  return args => compiled.every(holds => holds(args))
}

/** The maximum number of characters of a text that a pattern is tried on. */
const MAX_TEXT = 10_000

/** Throws invalid_request with the place of a pattern that RE2 does not accept, or that is too large. */
export function checkPatterns(conditions: readonly PolicyCondition[], place: string): void {
  for (const [index, { matches }] of conditions.entries()) {
    const fault = matches === undefined ? undefined : faultOf(matches)
    if (fault !== undefined) throw new GatewayError('invalid_request', `\`${place}[${index}].matches\` ${fault}`)
  }
}

function faultOf(pattern: string): string | undefined {
  try {
    // Before the engine expands counted repetitions.
    if (linearSize(pattern) === undefined)
      return 'is no regular expression of RE2, which has no lookaround and no back-references, or is too large.'
    RE2JS.compile(pattern)
    return undefined
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return `is no regular expression of RE2, which has no lookaround and no back-references: ${reason}.`
  }
}

function compileCondition(
  { pointer, is, in: among, matches, below, above }: PolicyCondition,
  action: 'allow' | 'deny',
): Conditions {
  const denies = action === 'deny'
  const steps = pointerSteps(pointer)
  const same = denies ? (a: unknown, b: unknown) => isDeepStrictEqual(folded(a), folded(b)) : isDeepStrictEqual
  const pattern =
    matches === undefined ? undefined : RE2JS.compile(matches, RE2JS.DOTALL | (denies ? RE2JS.CASE_INSENSITIVE : 0))

  function holdsFor(value: unknown): boolean {
    if (is !== undefined && !same(value, is)) return false
    if (among !== undefined && !among.some(one => same(value, one))) return false
    if (pattern !== undefined && !(isText(value) ? pattern.matches(denies ? value.trim() : value) : denies))
      return false
    if (below !== undefined && !(typeof value === 'number' ? value < below : denies)) return false
    return above === undefined || (typeof value === 'number' ? value > above : denies)
  }

  return args => {
    const value = valueAt(args, steps)
    if (value === undefined || value === null) return denies
    // Of several values, one that is denied is enough, and each has to be allowed.
    if (Array.isArray(value)) return denies ? value.some(holdsFor) : value.length > 0 && value.every(holdsFor)
    return holdsFor(value)
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= MAX_TEXT

function folded(value: unknown): unknown {
  return typeof value === 'string' ? value.normalize('NFKC').trim().toLowerCase() : value
}

/** Whether the arguments of a tool can have a value at a pointer, by its input schema. */
export function hasPointer(schema: unknown, pointer: string): boolean {
  return hasSteps(schema, pointerSteps(pointer))
}

function hasSteps(schema: unknown, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return true
  if (!isJsonObject(schema)) return false
  const { properties, anyOf, oneOf, allOf } = schema
  if (isJsonObject(properties) && Object.hasOwn(properties, step)) return hasSteps(properties[step], rest)
  return [anyOf, oneOf, allOf].some(
    branches => Array.isArray(branches) && branches.some(branch => hasSteps(branch, [step, ...rest])),
  )
}

/** Says conditions in words: `/amount above 5000`. */
export function conditionsSentence(conditions: readonly PolicyCondition[]): string {
  return conditions
    .map(({ pointer, ...tests }) =>
      Object.entries(tests)
        .map(([test, value]) => `${pointer} ${test} ${JSON.stringify(value)}`)
        .join(' and '),
    )
    .join(' and ')
}
