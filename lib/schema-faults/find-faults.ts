import { BudgetExceeded, type ComputeBudget } from '../compute-budget.ts'
import { formatList } from '../format-text.ts'
import { isJsonObject } from '../http/json.ts'
import { unescapeStep, valueAt } from '../json-pointer.ts'
import { type Schema, type SchemaRules, valueFault } from './check-value.ts'
import { isDescribed, type Path } from './describe-expected.ts'
import type { FaultTexts } from './fault-texts.ts'
import { visitItems, visitMembers } from './members.ts'
import {
  addFault,
  addMismatch,
  type Fault,
  type Found,
  isFull,
  MAX_FAULTS,
  mapOf,
  type Place,
  type Search,
} from './search.ts'

/** The work of a schema at a value. */
const VISIT = 5
/** How many references in a row are followed to describe a schema. */
const MAX_REFERENCES = 8

/**
 * Finds the faults of a value. It reports only what is certain: of keywords that it does not know, it reports nothing.
 * `guide` limits the search to the values on a path. The search ends early when the budget is used up, and after
 * `most` faults.
 */
export function findFaults(
  root: unknown,
  value: unknown,
  {
    rules,
    texts,
    guide,
    most = MAX_FAULTS,
  }: { rules: SchemaRules; texts: FaultTexts; guide?: readonly string[] | undefined; most?: number },
): Fault[] {
  const search: Search = { rules, texts, visit, attempt, targetOf, resolve }

  function visit(schema: unknown, value: unknown, at: Place, found: Found): void {
    rules.budget.spend(VISIT)
    if (schema === false) add(found, at.path, 'is not allowed')
    if (!isJsonObject(schema) || isFull(found)) return
    const here = schema.writeOnly === true || schema.format === 'password' ? { ...at, isSecret: true } : at
    const fault = valueFault(schema, value, rules)
    if (fault === 'unsure') found.isComplete = false
    else if (fault === 'duplicate') add(found, at.path, 'must not have the same item twice')
    else if (fault !== undefined)
      addMismatch(found, at, [schema], () => texts.value(at.path, value, [schema], here.isSecret))
    if (fault === 'type') return
    if (isJsonObject(value)) visitMembers(search, schema, value, here, found)
    else if (Array.isArray(value)) visitItems(search, schema, value, here, found)
    visitInPlace(schema, value, here, found)
  }

  function attempt(schema: unknown, value: unknown, at: Place): Found {
    const found: Found = { faults: [], isComplete: true, most }
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
    rules.budget.spend(2 * VISIT + (reference.length >> 3))
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

  const found: Found = { faults: [], isComplete: true, most }
  try {
    visit(root, value, { path: [], isSecret: false, isMember: false, guide }, found)
  } catch (error) {
    // Deeply nested references cause a RangeError.
    if (!(error instanceof BudgetExceeded || error instanceof RangeError)) throw error
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

/** How many missing members one sentence names. */
const MAX_NAMES = 5

interface Union {
  readonly forms: readonly unknown[]
  /** Whether a value must match exactly one form. */
  readonly isExclusive: boolean
}

/**
 * Adds the faults of a value under `anyOf` or `oneOf`: those of the only possible form, or one about the closest form.
 */
function visitUnion(search: Search, union: Union, value: unknown, at: Place, found: Found): void {
  search.rules.budget.spend(union.forms.length)
  const tag = isJsonObject(value) ? tagOf(union.forms.map(search.resolve), search.rules.budget) : undefined
  const forms = tag === undefined ? union.forms : formsWithTag(search, tag, union.forms, value, at, found)
  if (tag !== undefined && forms.length === 1) search.visit(forms[0], value, at, found)
  else tryForms(search, { ...union, forms }, value, at, found)
}

function tryForms(search: Search, { forms, isExclusive }: Union, value: unknown, at: Place, found: Found): void {
  const attempts: Attempt[] = []
  let passed = 0
  for (const form of forms) {
    const { faults, isComplete } = search.attempt(form, value, at)
    if (faults.length > 0) attempts.push({ form, faults })
    else if (isComplete) passed++
    else found.isComplete = false
    if (passed > 0 && !isExclusive) return
  }
  if (passed > 1)
    addFault(found, at.path, 'other', () => `${search.texts.subject(at.path)} must match only one of its forms`)
  else if (forms.length > 0 && attempts.length === forms.length)
    found.faults.push(...closestFaults(search, attempts, value, at))
}

interface Attempt {
  readonly form: unknown
  readonly faults: readonly Fault[]
}

/** The faults of the only form that the value can match, or one fault for all forms. */
function closestFaults(
  { texts, resolve }: Search,
  attempts: readonly Attempt[],
  value: unknown,
  at: Place,
): readonly Fault[] {
  const one = (kind: Fault['kind'], text: () => string): Fault[] => [{ path: at.path, kind, text }]
  const depth = at.path.length
  const fitting = attempts.filter(
    ({ faults }) => !faults.some(fault => fault.kind === 'value' && fault.path.length === depth),
  )
  const [only, ...others] = fitting
  if (only !== undefined && others.length === 0) return only.faults

  const schemas = attempts.map(({ form }) => resolve(form))
  if (only === undefined && schemas.every(isDescribed)) {
    const text = () => texts.value(at.path, value, schemas, at.isSecret)
    return [{ path: at.path, kind: 'value', text, expected: schemas, isMember: at.isMember }]
  }
  const missing = fitting.flatMap(({ faults }) => (faults.length === 1 ? faults : []))
  const isMissing = missing.every(({ kind, path }) => kind === 'required' && path.length === depth + 1)
  if (only !== undefined && isMissing && missing.length === fitting.length) {
    const names = () => [...new Set(missing.map(({ path }) => texts.subject(path)))].slice(0, MAX_NAMES)
    return one('other', () => `${formatList(names(), 'or')} is required`)
  }
  const tried = only === undefined ? attempts : fitting
  const [closest] = tried.toSorted((a, b) => a.faults.length - b.faults.length)
  return [
    {
      path: at.path,
      kind: only === undefined ? 'value' : 'other',
      text: () =>
        `${texts.subject(at.path)} must match one of ${attempts.length} forms; the closest: ${closest?.faults[0]?.text()}`,
      closest: closest?.faults.filter(({ path }) => !tried.some(other => accepts(other, path[depth]))) ?? [],
    },
  ]

  /** Whether a form names a member and has no fault in it. */
  function accepts({ form, faults }: Attempt, name: string | number | undefined): boolean {
    if (typeof name !== 'string' || !Object.hasOwn(mapOf(resolve(form).properties), name)) return false
    return !faults.some(({ path }) => path[depth] === name)
  }
}

/** A member that tells the forms apart: required in each, with fixed values. */
interface Tag {
  readonly name: string
  /** The values of each form. */
  readonly values: readonly (readonly unknown[])[]
}

function tagOf(schemas: readonly Schema[], budget: ComputeBudget): Tag | undefined {
  const [first, ...others] = schemas
  if (first === undefined || others.length === 0 || !isJsonObject(first.properties)) return undefined
  const names = Object.keys(first.properties)
  budget.spend(names.length)
  for (const name of names) {
    const values = [fixedValues(first, name, budget)]
    for (const other of others) {
      if (values.at(-1) === undefined) break
      values.push(fixedValues(other, name, budget))
    }
    if (values.every(fixed => fixed !== undefined)) return { name, values }
  }
  return undefined
}

function fixedValues({ required, properties }: Schema, name: string, budget: ComputeBudget): unknown[] | undefined {
  budget.spend(1)
  if (!isJsonObject(properties) || !Object.hasOwn(properties, name) || !Array.isArray(required)) return undefined
  const schema = properties[name]
  if (!isJsonObject(schema)) return undefined
  const values = Object.hasOwn(schema, 'const') ? [schema.const] : schema.enum
  if (!Array.isArray(values)) return undefined
  budget.spend(values.length + (required.length >> 1))
  return required.includes(name) && values.every(fixed => typeof fixed !== 'object') ? values : undefined
}

/** The forms whose tag matches. If none does, adds the fault of the tag. */
function formsWithTag(
  { texts }: Search,
  { name, values }: Tag,
  forms: readonly unknown[],
  value: unknown,
  at: Place,
  found: Found,
): readonly unknown[] {
  const path = [...at.path, name]
  const allowed = { enum: [...new Set(values.flat())] }
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) {
    addFault(found, path, 'required', () => texts.required(path, allowed))
    return []
  }
  const matching = forms.filter((_, i) => values[i]?.includes(value[name]))
  if (matching.length === 0)
    addMismatch(found, { ...at, path, isMember: true }, [allowed], () =>
      texts.value(path, value[name], [allowed], at.isSecret),
    )
  return matching
}
