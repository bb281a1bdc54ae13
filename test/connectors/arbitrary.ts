import { Kind, OptionalKind, type TObject, type TSchema } from '@sinclair/typebox'
import type { Arbitrary } from 'fast-check'
import { anyText } from '../fixtures/any-text.ts'
import fc from '../fixtures/property.ts'

/** Generates arguments of a tool from its schema; `given` replaces members by name. */
export function argumentsOf(
  input: TObject,
  given: Readonly<Record<string, Arbitrary<unknown>>> = {},
): Arbitrary<Record<string, unknown>> {
  const members = Object.entries(input.properties)
  return fc.record(Object.fromEntries(members.map(([name, schema]) => [name, given[name] ?? valuesOf(schema)])), {
    requiredKeys: members.filter(([, schema]) => schema[OptionalKind] !== 'Optional').map(([name]) => name),
  })
}

/** Generates values of a schema. Throws a TypeError for a kind that no tool has used yet: add it then. */
function valuesOf(schema: TSchema): Arbitrary<unknown> {
  switch (schema[Kind]) {
    case 'String':
      return stringOf(schema)
    case 'StringEnum':
      return fc.constantFrom(...(schema.enum as string[]))
    case 'Literal':
      return fc.constant(schema.const)
    case 'Null':
      return fc.constant(null)
    case 'Boolean':
      return fc.boolean()
    case 'Integer':
      return fc.integer({
        min:
          schema.minimum ?? (schema.exclusiveMinimum ?? -(2 ** 31)) + (schema.exclusiveMinimum === undefined ? 0 : 1),
        max: schema.maximum ?? (schema.exclusiveMaximum ?? 2 ** 31) - (schema.exclusiveMaximum === undefined ? 0 : 1),
      })
    case 'Number':
      return fc.double({
        min: schema.minimum ?? -1e9,
        max: schema.maximum ?? 1e9,
        noNaN: true,
        noDefaultInfinity: true,
      })
    case 'Union':
      return fc.oneof(...(schema.anyOf as TSchema[]).map(valuesOf))
    case 'Array':
      return arrayOf(schema)
    case 'Object':
      return argumentsOf(schema as TObject)
    case 'Record':
      return recordOf(schema)
    case 'Unknown':
    case 'Any':
      return fc.jsonValue({ maxDepth: 2 })
    default:
      throw new TypeError(`No values are made of the kind ${String(schema[Kind])} yet`)
  }
}

function stringOf({ pattern, format, minLength = 0, maxLength = 60 }: TSchema): Arbitrary<string> {
  if (format !== undefined) return ofFormat(String(format))
  const long = (text: string) => text.length >= minLength && text.length <= maxLength
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern), { size: 'small' }).filter(long)
  // Long values take time and reveal nothing more.
  const size = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) }
  return fc
    .oneof(
      { weight: 3, arbitrary: fc.string({ ...size, unit: 'grapheme-ascii' }) },
      { weight: 1, arbitrary: anyText(size) },
    )
    .filter(text => long(text) && text !== '.' && text !== '..')
}

function ofFormat(format: string): Arbitrary<string> {
  switch (format) {
    case 'date-time':
      return instants().map(date => date.toISOString())
    case 'date':
      return instants().map(date => date.toISOString().slice(0, 10))
    case 'email':
      return fc.emailAddress()
    case 'uri':
      return fc.webUrl()
    case 'uuid':
      return fc.uuid()
    default:
      throw new TypeError(`No text is made of the format ${format} yet`)
  }
}

function instants(): Arbitrary<Date> {
  return fc.date({ min: new Date(0), max: new Date('2099-12-31'), noInvalidDate: true })
}

function arrayOf({ items, minItems = 0, maxItems = 5, uniqueItems }: TSchema): Arbitrary<unknown[]> {
  const size = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 5)) }
  const item = valuesOf(items)
  if (uniqueItems !== true) return fc.array(item, size)
  return fc.uniqueArray(item, { ...size, selector: value => JSON.stringify(value) })
}

function recordOf({ patternProperties, minProperties = 0, maxProperties = 5 }: TSchema): Arbitrary<unknown> {
  const [[pattern, value] = []] = Object.entries(patternProperties as Record<string, TSchema>)
  if (pattern === undefined || value === undefined) throw new TypeError('A record has no pattern for its names')
  // TypeBox writes a plain string key as a pattern that matches anything.
  const name = pattern === '^(.*)$' ? fc.stringMatching(/^[a-z_]{1,12}$/) : fc.stringMatching(new RegExp(pattern))
  return fc.dictionary(name, valuesOf(value), {
    minKeys: minProperties,
    maxKeys: Math.max(minProperties, Math.min(maxProperties, 5)),
  })
}
