/** A placeholder for an identifier in arguments. */
export class Slot {
  readonly path: string
  readonly kind: string

  constructor(path: string, kind: string) {
    this.path = path
    this.kind = kind
  }
}

/** The keywords of JSON Schema that routes and tools use. */
export interface Schema {
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
  readonly patternProperties?: unknown
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
}

export interface Placer {
  /** Returns the declared values of the parameter at this path; undefined if it has no placement. */
  named(path: string): readonly unknown[] | undefined
  /** Returns the values of a string whose pattern is that of an ID with this prefix. */
  id(path: string, prefix: string): readonly unknown[]
  /** Reports a parameter without a placement. */
  unplaced(path: string, why: string): void
}

const ID = /^\^([a-z]+)_\[0-9a-f\]\{32\}\$$/

/**
 * Returns values that a schema allows, with slots for identifiers: only the required parts, these with each optional part,
 * and all parts. Every value of an enum and every branch of a union is in one of them.
 */
export function variantsOf(schema: Schema, placer: Placer, path = ''): readonly unknown[] {
  const named = placer.named(path)
  if (named !== undefined) return named
  if (schema.enum !== undefined) return schema.enum
  if (schema.const !== undefined) return [schema.const]
  const branches = schema.anyOf ?? schema.oneOf
  if (branches !== undefined) return branches.flatMap(branch => variantsOf(branch, placer, path))
  const id = ID.exec(schema.pattern ?? '')?.[1]
  if (id !== undefined) return placer.id(path, id)

  switch (schema.type) {
    case 'object':
      return objectsOf(schema, placer, path)
    case 'array':
      return schema.items === undefined
        ? unplaced('an array of anything')
        : variantsOf(schema.items, placer, `${path}[]`).map(item => [item])
    case 'integer':
    case 'number':
      return [schema.maximum ?? schema.default ?? schema.minimum ?? 1]
    case 'boolean':
      return [true, false]
    case 'null':
      return [null]
    case 'string':
      return unplaced('a string')
    default:
      return unplaced('of an unsupported schema')
  }

  function unplaced(what: string): readonly unknown[] {
    placer.unplaced(path, what)
    return ['unplaced']
  }
}

function objectsOf(schema: Schema, placer: Placer, path: string): readonly unknown[] {
  const { properties, required = [], additionalProperties = false, patternProperties } = schema
  if (properties === undefined || additionalProperties !== false || patternProperties !== undefined)
    placer.unplaced(path, 'an object of any properties')
  const samples = Object.entries(properties ?? {}).map(
    ([name, property]) => [name, variantsOf(property, placer, path === '' ? name : `${path}.${name}`)] as const,
  )
  const first = (entries: typeof samples) => Object.fromEntries(entries.map(([name, [value]]) => [name, value]))
  const base = first(samples.filter(([name]) => required.includes(name)))
  const all = [base]
  for (const [name, values] of samples)
    for (const value of required.includes(name) ? values.slice(1) : values) all.push({ ...base, [name]: value })
  // All parts together.
  if (samples.some(([name]) => !required.includes(name))) all.push(first(samples))
  return all
}

/** Returns all slots in the arguments. */
export function slotsIn(value: unknown): Slot[] {
  if (value instanceof Slot) return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(slotsIn) : []
}

/** Returns the arguments with every slot filled. */
export function fill(value: unknown, choose: (slot: Slot) => unknown): unknown {
  if (value instanceof Slot) return choose(value)
  if (Array.isArray(value)) return value.map(item => fill(item, choose))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, choose)]))
}
