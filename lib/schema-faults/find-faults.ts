import { isJsonObject } from '../http/json.ts'
import { unescapeStep, valueAt } from '../json-pointer.ts'
import { OutOfWork } from '../work-meter.ts'
import { type Schema, type SchemaRules, valueFault } from './check-value.ts'
import type { FaultTexts } from './fault-texts.ts'
import { visitItems, visitMembers } from './members.ts'
import { addFault, type Fault, type Found, isFull, type Place, type Search } from './search.ts'
import type { Path } from './shown.ts'
import { visitUnion } from './unions.ts'

/** The work of a schema at a value. */
const VISIT = 5
/** How many references in a row are followed to describe a schema. */
const MAX_REFERENCES = 8

/**
 * Finds the faults of a value. It reports only what is certain: of keywords that it does not know, it reports nothing.
 * `guide` limits the search to the values on a path. The search ends early when the meter's budget is used up.
 */
export function findFaults(
  root: unknown,
  value: unknown,
  { rules, texts, guide }: { rules: SchemaRules; texts: FaultTexts; guide?: readonly string[] | undefined },
): Fault[] {
  const search: Search = { rules, texts, visit, attempt, targetOf, resolve }

  function visit(schema: unknown, value: unknown, at: Place, found: Found): void {
    rules.meter.spend(VISIT)
    if (schema === false) add(found, at.path, 'is not allowed')
    if (!isJsonObject(schema) || isFull(found)) return
    const here = schema.writeOnly === true || schema.format === 'password' ? { ...at, isSecret: true } : at
    const fault = valueFault(schema, value, rules)
    if (fault === 'unsure') found.isComplete = false
    else if (fault === 'duplicate') add(found, at.path, 'must not have the same item twice')
    else if (fault !== undefined)
      addFault(found, at.path, 'value', () => texts.value(at.path, value, [schema], here.isSecret))
    if (fault === 'type') return
    if (isJsonObject(value)) visitMembers(search, schema, value, here, found)
    else if (Array.isArray(value)) visitItems(search, schema, value, here, found)
    visitInPlace(schema, value, here, found)
  }

  function attempt(schema: unknown, value: unknown, at: Place): Found {
    const found: Found = { faults: [], isComplete: true }
    visit(schema, value, at, found)
    return found
  }

  function visitInPlace(schema: Schema, value: unknown, at: Place, found: Found): void {
    const { $ref, $dynamicRef, allOf, anyOf, oneOf, not } = schema
    const target = $ref === undefined ? undefined : targetOf($ref)
    if (target !== undefined) visit(target, value, at, found)
    else if ($ref !== undefined || $dynamicRef !== undefined) found.isComplete = false
    if (Array.isArray(allOf)) for (const part of allOf) visit(part, value, at, found)
    if (Array.isArray(anyOf)) visitUnion(search, { forms: anyOf, isExclusive: false }, value, at, found)
    if (Array.isArray(oneOf)) visitUnion(search, { forms: oneOf, isExclusive: true }, value, at, found)
    if (not !== undefined) visitExcluded(not, value, at, found)
    if (schema.if === undefined) return
    const { faults, isComplete } = attempt(schema.if, value, at)
    if (faults.length > 0) visit(schema.else, value, at, found)
    else if (isComplete) visit(schema.then, value, at, found)
    else found.isComplete = false
  }

  function visitExcluded(excluded: unknown, value: unknown, at: Place, found: Found): void {
    const { faults, isComplete } = attempt(excluded, value, at)
    if (faults.length > 0) return
    const isAll = excluded === true || (isJsonObject(excluded) && Object.keys(excluded).length === 0)
    if (isComplete) add(found, at.path, isAll ? 'is not allowed' : 'must not match what the schema excludes')
    else found.isComplete = false
  }

  function targetOf(reference: unknown): unknown {
    if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) return undefined
    rules.meter.spend(2 * VISIT + (reference.length >> 3))
    const steps = reference.split('/').slice(1)
    return valueAt(
      root,
      steps.map(step => unescapeStep(decoded(step))),
    )
  }

  function resolve(schema: unknown): Schema {
    let resolved = schema
    for (let i = 0; i < MAX_REFERENCES && isJsonObject(resolved) && resolved.$ref !== undefined; i++)
      resolved = targetOf(resolved.$ref)
    return isJsonObject(resolved) ? resolved : {}
  }

  function add(found: Found, path: Path, reason: string): void {
    addFault(found, path, 'value', () => `${texts.subject(path)} ${reason}`)
  }

  const found: Found = { faults: [], isComplete: true }
  try {
    visit(root, value, { path: [], isSecret: false, guide }, found)
  } catch (error) {
    // Deeply nested references cause a RangeError.
    if (!(error instanceof OutOfWork || error instanceof RangeError)) throw error
  }
  return found.faults
}

function decoded(token: string): string {
  try {
    return decodeURIComponent(token)
  } catch {
    return token
  }
}
