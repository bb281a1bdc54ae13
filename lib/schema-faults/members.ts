import { formatCount } from '../format-text.ts'
import type { Schema } from './check-value.ts'
import { MAX_NAMES, memberNames, quoted } from './describe-expected.ts'
import { addFault, type Found, isFull, mapOf, type Place, type Search } from './search.ts'

/** Adds the faults of an object's names and members. */
export function visitMembers(search: Search, schema: Schema, value: Schema, at: Place, found: Found): void {
  const { texts, rules } = search
  const names = Object.keys(value)
  rules.budget.spend(names.length)
  addMissing(search, schema, value, at, found)

  const properties = Object.entries(mapOf(schema.properties))
  rules.budget.spend(2 * properties.length)
  for (const [name, member] of properties)
    if (Object.hasOwn(value, name)) visitChild(search, member, value[name], name, { ...at, isMember: true }, found)
  visitRest(search, schema, value, at, found)

  if (schema.propertyNames !== undefined)
    for (const name of names)
      if (!isFull(found) && search.attempt(schema.propertyNames, name, at).faults.length > 0)
        addFault(found, at.path, 'other', () => `${texts.subject(at.path)} must not have the name ${quoted(name)}`)
  const { minProperties: least, maxProperties: most } = schema
  const count = names.length
  const known = properties.map(([name]) => name)
  if (
    least === 1 &&
    count === 0 &&
    schema.additionalProperties === false &&
    known.length > 0 &&
    known.length <= MAX_NAMES
  ) {
    addFault(
      found,
      at.path,
      'other',
      () => `${texts.subject(at.path)} must have at least one of ${memberNames(known, 'or')}`,
    )
    return
  }
  const wrong =
    typeof least === 'number' && count < least
      ? `at least ${formatCount(least, 'member')}`
      : typeof most === 'number' && count > most
        ? `at most ${formatCount(most, 'member')}`
        : undefined
  if (wrong !== undefined)
    addFault(found, at.path, 'other', () => `${texts.subject(at.path)} must have ${wrong}; got ${count}`)
}

function addMissing({ texts, rules, visit }: Search, schema: Schema, value: Schema, at: Place, found: Found): void {
  const properties = mapOf(schema.properties)
  for (const name of Array.isArray(schema.required) ? schema.required : []) {
    rules.budget.spend(1)
    if (typeof name !== 'string' || isFull(found) || Object.hasOwn(value, name)) continue
    const member = Object.hasOwn(properties, name) ? mapOf(properties[name]) : {}
    const path = [...at.path, name]
    addFault(found, path, 'required', () => texts.required(path, member))
  }
  const { dependencies, dependentRequired, dependentSchemas } = schema
  const maps = rules.isDraft07 ? [dependencies] : [dependencies, dependentRequired, dependentSchemas]
  for (const [name, needed] of maps.flatMap(map => Object.entries(mapOf(map)))) {
    rules.budget.spend(1)
    if (!Object.hasOwn(value, name)) continue
    if (!Array.isArray(needed)) visit(needed, value, at, found)
    else
      for (const other of needed) {
        rules.budget.spend(1)
        if (typeof other !== 'string' || Object.hasOwn(value, other) || isFull(found)) continue
        const path = [...at.path, other]
        const subject = () => texts.subject([...at.path, name])
        addFault(found, path, 'required', () => `${texts.required(path, {})} with ${subject()}`)
      }
  }
}

/** Visits the members that `properties` does not name, or says that they are unknown. */
function visitRest(search: Search, schema: Schema, value: Schema, object: Place, found: Found): void {
  const { texts, rules } = search
  const at = { ...object, isMember: false }
  const { additionalProperties: rest } = schema
  const properties = mapOf(schema.properties)
  const patterns = Object.entries(mapOf(schema.patternProperties))
  if (schema.unevaluatedProperties !== undefined) found.isComplete = false
  if (patterns.length === 0 && rest === undefined) return
  rules.budget.spend(patterns.length)
  let absent: string[] | undefined
  for (const name of Object.keys(value)) {
    if (isFull(found)) return
    rules.budget.spend(1)
    const matching = patterns.filter(([pattern]) => rules.matches(pattern, name))
    for (const [, member] of matching) visitChild(search, member, value[name], name, at, found)
    if (matching.length > 0 || Object.hasOwn(properties, name)) continue
    if (rest !== false) {
      if (rest !== undefined) visitChild(search, rest, value[name], name, at, found)
      continue
    }
    const isFirst = absent === undefined
    absent ??= Object.keys(properties).filter(known => !Object.hasOwn(value, known))
    const [path, names] = [[...at.path, name], absent]
    addFault(found, path, 'other', () => texts.unknown(path, names, isFirst))
  }
}

/** Adds the faults of an array's items. */
export function visitItems(
  search: Search,
  schema: Schema,
  items: readonly unknown[],
  array: Place,
  found: Found,
): void {
  const { isDraft07 } = search.rules
  const at = { ...array, isMember: false }
  const list = Array.isArray(schema.items) ? schema.items : isDraft07 ? [] : schema.prefixItems
  const first = Array.isArray(list) ? list : []
  const rest = Array.isArray(schema.items) ? schema.additionalItems : schema.items
  const end = rest === undefined ? Math.min(first.length, items.length) : items.length
  for (let i = 0; i < end && !isFull(found); i++)
    visitChild(search, i < first.length ? first[i] : rest, items[i], i, at, found)
  if (schema.contains !== undefined) visitContains(search, schema, items, at, found)
  if (schema.unevaluatedItems !== undefined) found.isComplete = false
}

function visitContains(search: Search, schema: Schema, items: readonly unknown[], at: Place, found: Found): void {
  const { contains, minContains, maxContains } = schema
  if (minContains !== undefined || maxContains !== undefined || at.guide !== undefined) {
    found.isComplete = false
    return
  }
  let isUnsure = false
  for (const item of items) {
    const { faults, isComplete } = search.attempt(contains, item, at)
    if (faults.length === 0 && isComplete) return
    isUnsure ||= faults.length === 0
  }
  if (isUnsure) found.isComplete = false
  else
    addFault(
      found,
      at.path,
      'other',
      () => `${search.texts.subject(at.path)} must contain an item that the schema requires`,
    )
}

function visitChild(
  { visit }: Search,
  schema: unknown,
  value: unknown,
  step: string | number,
  at: Place,
  found: Found,
): void {
  const path = [...at.path, step]
  const [next, ...guide] = at.guide ?? []
  if (at.guide === undefined) visit(schema, value, { ...at, path }, found)
  else if (next === `${step}`) visit(schema, value, { ...at, path, guide }, found)
  else if (next === undefined) found.isComplete = false
}
