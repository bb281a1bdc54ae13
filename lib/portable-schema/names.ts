import { type ComputeBudget, createComputeBudget } from '../compute-budget.ts'
import { isJsonObject } from '../http/json.ts'
import { createResolver, type Resolve, textsOf } from './combine.ts'

/** The names of properties that all providers take. */
const PORTABLE = /^[a-zA-Z0-9_.-]{1,64}$/
const LONGEST = 64
/** The longest end of a name that has a number. */
const MAX_NUMBER = '_99999'.length
/** How many schemas are visited to restore the names of one call, each at one value: up to 200 ms. */
const MAX_VISITS = 2_000_000

/** The portable names of a schema's properties. A name that is portable stays. */
interface Names {
  of(name: string): string
  /** The names that changed: the original ones by the portable ones. */
  readonly originals: ReadonlyMap<string, string>
}

/** Creates the names of a schema. They are unique in it, and depend only on it. */
export function createNames(root: object): Names {
  const originals = new Map<string, string>()
  const changed = new Map<string, string>()
  /** The number to try next for a name that is taken. */
  const numbers = new Map<string, number>()
  let taken: Set<string> | undefined
  return {
    originals,
    of(name) {
      if (PORTABLE.test(name)) return name
      const known = changed.get(name)
      if (known !== undefined) return known
      taken ??= new Set(namesIn(root))
      const plain = transliterated(name)
      let portable = plain
      for (let n = numbers.get(plain) ?? 2; taken.has(portable); n++) {
        portable = `${plain.slice(0, LONGEST - MAX_NUMBER)}_${n}`
        numbers.set(plain, n + 1)
      }
      taken.add(portable)
      changed.set(name, portable)
      originals.set(portable, name)
      return portable
    },
  }
}

function transliterated(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-zA-Z0-9_.-]+/g, '_')
    .replace(/^[_.-]+|[_.-]+$/g, '')
    .slice(0, LONGEST)
  return plain === '' ? 'argument' : plain
}

function* namesIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  if (isJsonObject(value)) {
    if (isJsonObject(value.properties)) yield* Object.keys(value.properties)
    yield* textsOf(value.required)
  }
  for (const member of Object.values(value)) yield* namesIn(member)
}

/** Creates the budget of `restoreNames` for one call, however often its names are restored. */
export function createRestoreBudget(): ComputeBudget {
  return createComputeBudget(MAX_VISITS)
}

/** Gives the members of arguments their original names, where the original schema has them. Throws BudgetExceeded. */
export function restoreNames(
  root: object,
  args: unknown,
  originals: ReadonlyMap<string, string>,
  budget = createRestoreBudget(),
): unknown {
  if (originals.size === 0) return args
  const resolve = createResolver(root)
  const required = new Map<SchemaObject, ReadonlySet<string>>()

  function restore(value: unknown, schemas: readonly unknown[]): unknown {
    if (typeof value !== 'object' || value === null) return value
    budget.spend(schemas.length)
    const all = inPlace(schemas, resolve)
    // Each is visited for each member and item.
    budget.spend(all.length * (1 + Object.keys(value).length))
    if (Array.isArray(value))
      return value.map((item, i) =>
        restore(
          item,
          all.flatMap(schema => itemsOf(schema, i)),
        ),
      )
    const has = (name: string) => all.some(schema => isNamed(schema, name))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const original = originals.get(name)
        const isRenamed = original !== undefined && has(original) && !has(name) && !Object.hasOwn(value, original)
        const key = isRenamed ? original : name
        return [
          key,
          restore(
            member,
            all.flatMap(schema => membersOf(schema, key)),
          ),
        ]
      }),
    )
  }

  /** Whether a schema names a member. A name can be only in `required`. */
  function isNamed(schema: SchemaObject, name: string): boolean {
    if (isJsonObject(schema.properties) && Object.hasOwn(schema.properties, name)) return true
    const names = required.get(schema) ?? new Set(textsOf(schema.required))
    required.set(schema, names)
    return names.has(name)
  }

  return restore(args, [root])
}

type SchemaObject = Readonly<Record<string, unknown>>

/** The schemas that a value may have to match besides these: those of references and combinations, too. */
function inPlace(schemas: readonly unknown[], resolve: Resolve): SchemaObject[] {
  const found = new Set<SchemaObject>()
  const left = [...schemas]
  for (let schema = left.pop(); left.length > 0 || schema !== undefined; schema = left.pop()) {
    if (!isJsonObject(schema) || found.has(schema)) continue
    found.add(schema)
    const { $ref, $dynamicRef, allOf, anyOf, oneOf, if: condition, then, else: otherwise, dependentSchemas } = schema
    left.push(resolve($ref), resolve($dynamicRef), condition, then, otherwise)
    for (const list of [allOf, anyOf, oneOf]) if (Array.isArray(list)) left.push(...list)
    if (isJsonObject(dependentSchemas)) left.push(...Object.values(dependentSchemas))
  }
  return [...found]
}

function itemsOf({ items, prefixItems, additionalItems }: SchemaObject, index: number): unknown[] {
  const first: unknown = Array.isArray(items)
    ? items[index]
    : Array.isArray(prefixItems)
      ? prefixItems[index]
      : undefined
  if (first !== undefined) return [first]
  return [Array.isArray(items) ? additionalItems : items]
}

function membersOf({ properties, patternProperties, additionalProperties }: SchemaObject, name: string): unknown[] {
  if (isJsonObject(properties) && Object.hasOwn(properties, name)) return [properties[name]]
  return [...Object.values(isJsonObject(patternProperties) ? patternProperties : {}), additionalProperties]
}
