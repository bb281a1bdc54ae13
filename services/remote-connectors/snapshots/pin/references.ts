import type { Dialect } from './compile-schema.ts'
import { childrenOf, type Place, type SchemaObject } from './schema-places.ts'

/** Keywords whose schemas validate the same value again. */
const IN_PLACE: ReadonlySet<string> = new Set([
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'dependencies'],
])

/**
 * Why a schema's references are rejected, as the end of a sentence: an external document, a missing target, or an infinite cycle.
 * Never fetches anything.
 */
export function referenceRejection(places: readonly Place[], dialect: Dialect): string | undefined {
  const targets = targetsOf(places, dialect)
  for (const { schema } of places) {
    if (typeof schema === 'boolean') continue
    if (schema.$recursiveRef !== undefined) return 'has a $recursiveRef that its dialect does not define'
    for (const reference of [schema.$ref, schema.$dynamicRef]) {
      if (reference === undefined) continue
      if (typeof reference !== 'string' || !reference.startsWith('#'))
        return 'refers to another document, but only references within the schema are supported'
      if (!targets.has(normalized(reference))) return 'refers to a schema that does not exist'
    }
  }
  return hasCycle(places, targets) ? 'refers to itself in an infinite cycle' : undefined
}

/** The references of a pinned schema, as JSON pointers: where each one is, and the schema that it leads to. */
export function referencesIn(places: readonly Place[]): { from: string; to: string }[] {
  const pointers = new Map(places.map(({ schema, pointer }) => [schema, pointer]))
  // In draft-07 nothing refers to an anchor.
  const targets = targetsOf(places, '2020-12')
  return places.flatMap(({ schema, pointer: from }) => {
    if (typeof schema === 'boolean') return []
    return [schema.$ref, schema.$dynamicRef].flatMap(reference => {
      const target = typeof reference === 'string' ? targets.get(normalized(reference)) : undefined
      const to = target === undefined ? undefined : pointers.get(target)
      return to === undefined ? [] : [{ from, to }]
    })
  })
}

/** The schemas by their references. */
function targetsOf(places: readonly Place[], dialect: Dialect): Map<string, Place['schema']> {
  const targets = new Map<string, Place['schema']>()
  for (const { schema, pointer } of places) {
    targets.set(`#${pointer}`, schema)
    if (typeof schema === 'boolean' || dialect === 'draft-07') continue
    for (const anchor of [schema.$anchor, schema.$dynamicAnchor])
      if (typeof anchor === 'string') targets.set(`#${anchor}`, schema)
  }
  return targets
}

function normalized(reference: string): string {
  try {
    return decodeURIComponent(reference)
  } catch {
    return reference
  }
}

function hasCycle(places: readonly Place[], targets: ReadonlyMap<string, Place['schema']>): boolean {
  const done = new Set<SchemaObject>()
  const open = new Set<SchemaObject>()
  for (const { schema } of places) {
    const stack: { schema: SchemaObject; leave: boolean }[] =
      typeof schema === 'boolean' ? [] : [{ schema, leave: false }]
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      if (next.leave) {
        open.delete(next.schema)
        done.add(next.schema)
        continue
      }
      if (open.has(next.schema)) return true
      if (done.has(next.schema)) continue
      open.add(next.schema)
      stack.push({ schema: next.schema, leave: true })
      for (const following of inPlaceOf(next.schema, targets)) stack.push({ schema: following, leave: false })
    }
  }
  return false
}

function inPlaceOf(schema: SchemaObject, targets: ReadonlyMap<string, Place['schema']>): SchemaObject[] {
  const following: unknown[] = [schema.$ref, schema.$dynamicRef].map(reference =>
    typeof reference === 'string' ? targets.get(normalized(reference)) : undefined,
  )
  for (const { keyword, value } of childrenOf(schema)) if (IN_PLACE.has(keyword)) following.push(value)
  return following.filter(schema => typeof schema === 'object' && schema !== null) as SchemaObject[]
}
