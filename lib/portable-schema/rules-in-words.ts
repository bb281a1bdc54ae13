import { formatList } from '../format-text.ts'
import { isJsonObject } from '../http/json.ts'
import type { Schema } from '../schema-faults/check-value.ts'
import { textsOf } from './combine.ts'

/** How many values or alternatives are written, and how many characters of them. */
const MAX_LISTED = 12
const MAX_TEXT = 500

/** The only values that a schema allows; undefined if it names none. */
export function exactValues(schema: Schema): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema.const]
  return Array.isArray(schema.enum) ? schema.enum : undefined
}

/** Describes in sentences the limits for which the portable form has no keyword. Returns an empty text if there are none. */
export function limitsInWords(type: string | undefined, schema: Schema, nameOf: (name: string) => string): string {
  const { exclusiveMinimum, exclusiveMaximum, multipleOf, uniqueItems, format, examples, dependentRequired } = schema
  const isNumber = type === 'number' || type === 'integer'
  const sentences = [
    valuesInWords(type, schema),
    ...(isNumber && typeof exclusiveMinimum === 'number' ? [`Above ${exclusiveMinimum}.`] : []),
    ...(isNumber && typeof exclusiveMaximum === 'number' ? [`Below ${exclusiveMaximum}.`] : []),
    ...(isNumber && typeof multipleOf === 'number' ? [`A multiple of ${multipleOf}.`] : []),
    ...(type === 'array' && uniqueItems === true ? ['No item twice.'] : []),
    ...(type === 'string' && typeof format === 'string' && format !== 'date-time' ? [`Format: ${format}.`] : []),
    ...(type === 'object' && isJsonObject(dependentRequired) ? dependencies(dependentRequired, nameOf) : []),
    ...(Array.isArray(examples) && examples.length > 0 ? [`For example: ${listed(examples.slice(0, 3), 'or')}.`] : []),
  ]
  return sentences.filter(sentence => sentence !== '').join(' ')
}

function valuesInWords(type: string | undefined, schema: Schema): string {
  const values = exactValues(schema)?.filter(value => value !== null)
  if (values === undefined || values.length === 0) return ''
  const isPlain = type === 'string' && values.every(value => typeof value === 'string' && value !== '')
  if (isPlain) return ''
  return values.length === 1 ? `Always ${listed(values, 'or')}.` : `One of ${listed(values, 'or')}.`
}

function dependencies(needed: Schema, nameOf: (name: string) => string): string[] {
  return Object.entries(needed).flatMap(([name, others]) => {
    if (!Array.isArray(others) || others.length === 0) return []
    return [
      `\`${nameOf(name)}\` needs ${formatList(
        others.map(other => `\`${nameOf(String(other))}\``),
        'and',
      )}.`,
    ]
  })
}

function listed(values: readonly unknown[], word: 'and' | 'or'): string {
  const texts = values.slice(0, MAX_LISTED).map(value => JSON.stringify(value))
  const more = values.length > MAX_LISTED ? [`one of ${values.length - MAX_LISTED} others`] : []
  return formatList([...texts, ...more], word).slice(0, MAX_TEXT)
}

interface Alternatives {
  /** The schema that has the alternatives. */
  readonly schema: Schema
  readonly isExclusive: boolean
  nameOf(name: string): string
}

/** Which members or values belong together, for alternatives that are written as one schema; empty if nothing is lost. */
export function alternativesInWords(forms: readonly unknown[], { schema, isExclusive, nameOf }: Alternatives): string {
  if (forms.length < 2) return ''
  const always = textsOf(schema.required)
  const texts = forms.map(form => (isJsonObject(form) ? formInWords(form, always, nameOf) : ''))
  const written = texts.filter(text => text !== '')
  if (written.length === 0) return ''
  const shown = [...new Set(written)].slice(0, MAX_LISTED).join('; ').slice(0, MAX_TEXT)
  if (written.length < texts.length) return `Together: ${shown}.`
  return `${isExclusive ? 'Exactly' : 'At least'} one of: ${shown}.`
}

/** The members that a form requires, or what its only value means. */
function formInWords(form: Schema, always: readonly string[], nameOf: (name: string) => string): string {
  const about = typeof form.description === 'string' ? form.description : form.title
  const values = exactValues(form)
  if (values?.length === 1 && typeof about === 'string') return `${JSON.stringify(values[0])} (${about})`
  const properties = isJsonObject(form.properties) ? form.properties : {}
  const needed = textsOf(form.required).filter(name => !always.includes(name) || Object.hasOwn(properties, name))
  const tags = new Map(
    needed.flatMap(name => {
      const member = properties[name]
      const [value, ...others] = (isJsonObject(member) && exactValues(member)) || []
      return value !== undefined && others.length === 0 ? [[name, JSON.stringify(value)]] : []
    }),
  )
  // The values of a tag are in its own schema.
  if (needed.length === tags.size) return ''
  const members = needed.map(name => `\`${nameOf(name)}\`${tags.has(name) ? ` ${tags.get(name)}` : ''}`)
  return formatList(members, 'and')
}
