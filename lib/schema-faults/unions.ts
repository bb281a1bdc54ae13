import { isJsonObject } from '../http/json.ts'
import { joined } from '../wording.ts'
import type { WorkMeter } from '../work-meter.ts'
import type { Schema } from './check-value.ts'
import { isDescribed } from './expected.ts'
import { addFault, type Fault, type Found, type Place, type Search } from './search.ts'

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
export function visitUnion(search: Search, union: Union, value: unknown, at: Place, found: Found): void {
  search.rules.meter.spend(union.forms.length)
  const tag = isJsonObject(value) ? tagOf(union.forms.map(search.resolve), search.rules.meter) : undefined
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
  if (only === undefined && schemas.every(isDescribed))
    return one('value', () => texts.value(at.path, value, schemas, at.isSecret))
  const missing = fitting.flatMap(({ faults }) => (faults.length === 1 ? faults : []))
  const isMissing = missing.every(({ kind, path }) => kind === 'required' && path.length === depth + 1)
  if (only !== undefined && isMissing && missing.length === fitting.length) {
    const names = () => [...new Set(missing.map(({ path }) => texts.subject(path)))].slice(0, MAX_NAMES)
    return one('other', () => `${joined(names(), 'or')} is required`)
  }
  const [closest] = (only === undefined ? attempts : fitting).toSorted((a, b) => a.faults.length - b.faults.length)
  return one(
    only === undefined ? 'value' : 'other',
    () =>
      `${texts.subject(at.path)} must match one of ${attempts.length} forms; the closest: ${closest?.faults[0]?.text()}`,
  )
}

/** A member that tells the forms apart: required in each, with fixed values. */
interface Tag {
  readonly name: string
  /** The values of each form. */
  readonly values: readonly (readonly unknown[])[]
}

function tagOf(schemas: readonly Schema[], meter: WorkMeter): Tag | undefined {
  const [first, ...others] = schemas
  if (first === undefined || others.length === 0 || !isJsonObject(first.properties)) return undefined
  const names = Object.keys(first.properties)
  meter.spend(names.length)
  for (const name of names) {
    const values = [fixedValues(first, name, meter)]
    for (const other of others) {
      if (values.at(-1) === undefined) break
      values.push(fixedValues(other, name, meter))
    }
    if (values.every(fixed => fixed !== undefined)) return { name, values }
  }
  return undefined
}

function fixedValues({ required, properties }: Schema, name: string, meter: WorkMeter): unknown[] | undefined {
  meter.spend(1)
  if (!isJsonObject(properties) || !Object.hasOwn(properties, name) || !Array.isArray(required)) return undefined
  const schema = properties[name]
  if (!isJsonObject(schema)) return undefined
  const values = Object.hasOwn(schema, 'const') ? [schema.const] : schema.enum
  if (!Array.isArray(values)) return undefined
  meter.spend(values.length + (required.length >> 1))
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
    addFault(found, path, 'value', () => texts.value(path, value[name], [allowed], at.isSecret))
  return matching
}
