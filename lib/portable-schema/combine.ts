import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '../http/json.ts'
import { unescapeStep, valueAt } from '../json-pointer.ts'

/**
 * A schema in the portable form: one type, with `nullable`, or `anyOf` forms of different types and nothing else. Without a
 * type, it allows any value.
 */
export type Portable = Readonly<Record<string, unknown>>

/** A joined description keeps this many characters. */
const MAX_DESCRIPTION = 1_000

/** A schema that allows what one of two allows, or more. */
export function either(a: Portable, b: Portable): Portable {
  const forms: Portable[] = []
  for (const form of [...formsOf(a), ...formsOf(b)]) {
    const same = forms.findIndex(({ type }) => type === form.type)
    const known = forms[same]
    if (known === undefined) forms.push(form)
    else forms[same] = sameType(known, form)
  }
  const any = forms.find(({ type }) => type === undefined)
  if (any !== undefined) return described({}, any.description)
  const [only, ...others] = forms
  return only !== undefined && others.length === 0 ? only : { anyOf: forms }
}

/** The forms of a schema: itself if it is no union. */
function formsOf(schema: Portable): readonly Portable[] {
  return Array.isArray(schema.anyOf) ? (schema.anyOf as readonly Portable[]) : [schema]
}

/** Two schemas of one type as alternatives: what they have in common, with the members of both. */
function sameType(a: Portable, b: Portable): Portable {
  if (isDeepStrictEqual(a, b)) return a
  const common = Object.entries(a).filter(([keyword, value]) => isDeepStrictEqual(value, b[keyword]))
  const required = textsOf(a.required).filter(name => textsOf(b.required).includes(name))
  const isOneOf = Array.isArray(a.enum) && Array.isArray(b.enum)
  const merged: Portable = {
    ...Object.fromEntries(common),
    ...(a.properties !== undefined || b.properties !== undefined
      ? { properties: mergedMembers(a.properties, b.properties, either) }
      : {}),
    ...(isJsonObject(a.items) && isJsonObject(b.items) && { items: either(a.items, b.items) }),
    ...(isOneOf && { enum: [...new Set([...(a.enum as unknown[]), ...(b.enum as unknown[])])] }),
    ...((a.nullable === true || b.nullable === true) && { nullable: true }),
  }
  const { required: _, ...rest } = merged
  // A text that only one form has does not describe both.
  const texts = [a.description, b.description].filter(text => typeof text === 'string')
  const description = merged.description ?? (texts.length === 2 ? texts.join(' Or: ') : undefined)
  return described({ ...rest, ...(required.length > 0 && { required }) }, description)
}

/** A schema that allows what both allow, or more. The texts and the doubtful keywords are those of the first. */
export function both(a: Portable, b: Portable): Portable {
  if (Array.isArray(a.anyOf) || Array.isArray(b.anyOf)) return bothOfUnion(a, b)
  const types = [a.type, b.type].filter(type => type !== undefined)
  const type = types.includes('integer') ? 'integer' : types[0]
  const isNumeric = types.every(each => each === 'integer' || each === 'number')
  if (types.length === 2 && types[0] !== types[1] && !isNumeric) return a
  const required = [...new Set([...textsOf(a.required), ...textsOf(b.required)])]
  const allowed = Array.isArray(a.enum) && Array.isArray(b.enum) ? commonValues(a.enum, b.enum) : (a.enum ?? b.enum)
  const rest = restOf(a, b)
  const { additionalProperties: _a, nullable: _n, ...merged } = { ...b, ...a }
  return {
    ...merged,
    ...(type !== undefined && { type }),
    ...(isNullable(a, b) && { nullable: true }),
    ...(allowed !== undefined && { enum: allowed }),
    ...((a.properties !== undefined || b.properties !== undefined) && {
      properties: mergedMembers(a.properties, b.properties, both),
    }),
    ...(required.length > 0 && { required }),
    ...(isJsonObject(a.items) && isJsonObject(b.items) && { items: both(a.items, b.items) }),
    ...(rest !== undefined && { additionalProperties: rest }),
  }
}

/** The first that has a type chooses the form of the other; its text goes to the first form. */
function bothOfUnion(a: Portable, b: Portable): Portable {
  const [union, other] = Array.isArray(a.anyOf) ? [a, b] : [b, a]
  const forms = formsOf(union)
  if (Array.isArray(other.anyOf)) return a
  if (other.type !== undefined) {
    const form = forms.find(({ type }) => type === other.type)
    return form === undefined ? other : both(other, form)
  }
  const [first = {}, ...others] = forms
  const nullable = other.nullable === true && { nullable: true }
  return { anyOf: [described({ ...first, ...nullable }, other.description ?? first.description), ...others] }
}

function isNullable(a: Portable, b: Portable): boolean {
  if (a.type === undefined || b.type === undefined) return a.nullable === true || b.nullable === true
  return a.nullable === true && b.nullable === true
}

/** What members without a schema of their own may be. `false` does not hold for the members of the other schema. */
function restOf(a: Portable, b: Portable): unknown {
  if (isDeepStrictEqual(a.additionalProperties, b.additionalProperties)) return a.additionalProperties
  if (b.properties === undefined && a.additionalProperties !== undefined) return a.additionalProperties
  return a.properties === undefined ? b.additionalProperties : undefined
}

function commonValues(a: readonly unknown[], b: readonly unknown[]): readonly unknown[] {
  const allowed = new Set(b)
  const common = a.filter(value => allowed.has(value))
  return common.length > 0 ? common : a
}

type Members = Readonly<Record<string, Portable>>

function mergedMembers(a: unknown, b: unknown, merge: (a: Portable, b: Portable) => Portable): Members {
  const [first, second] = [a ?? {}, b ?? {}] as [Members, Members]
  const common = Object.entries(first).map(([name, schema]): [string, Portable] => {
    const other = Object.hasOwn(second, name) ? second[name] : undefined
    return [name, other === undefined ? schema : merge(schema, other)]
  })
  return { ...second, ...Object.fromEntries(common) }
}

/** The texts of a list in a schema, such as `required`; empty if it is no list. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(text => typeof text === 'string') : []
}

/** Returns the schema with the description as its last keyword, or without one if the description is empty or missing. */
export function described(schema: Portable, description: unknown): Portable {
  const { description: _, ...rest } = schema
  if (typeof description !== 'string' || description === '') return rest
  return { ...rest, description: description.slice(0, MAX_DESCRIPTION) }
}

/** Returns the schema that a reference within a document points to; undefined if it points to no schema. */
export type Resolve = (reference: unknown) => unknown

/** Creates the resolver of a schema: of JSON pointers and anchors. */
export function createResolver(root: object): Resolve {
  let anchors: ReadonlyMap<unknown, unknown> | undefined
  return reference => {
    if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined
    const fragment = decoded(reference.slice(1))
    if (fragment === '' || fragment.startsWith('/'))
      return valueAt(root, fragment.split('/').slice(1).map(unescapeStep))
    anchors ??= new Map(anchorsIn(root))
    return anchors.get(fragment)
  }
}

function* anchorsIn(value: unknown): Generator<[unknown, unknown]> {
  if (typeof value !== 'object' || value === null) return
  if (isJsonObject(value))
    for (const anchor of [value.$anchor, value.$dynamicAnchor]) if (typeof anchor === 'string') yield [anchor, value]
  for (const member of Object.values(value)) yield* anchorsIn(member)
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
