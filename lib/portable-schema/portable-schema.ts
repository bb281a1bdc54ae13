import { isJsonObject } from '../http/json.ts'
import { type Schema, typeOf, typesOf } from '../schema-faults/check-value.ts'
import { both, createResolver, described, either, type Portable, textsOf } from './combine.ts'
import { createNames } from './names.ts'
import { alternativesInWords, exactValues, limitsInWords } from './rules-in-words.ts'

/**
 * How many schemas references add, how many characters of them, and how many references lead into each other. Others are
 * named, not written out.
 */
const MAX_INLINED = 500
const MAX_INLINED_TEXT = 65_536
const MAX_DEPTH = 8

/** A schema that the interfaces of all model providers take, and the original names of its renamed properties. */
export interface PortableSchema {
  readonly schema: Readonly<{ type: 'object'; [keyword: string]: unknown }>
  readonly originals: ReadonlyMap<string, string>
}

/**
 * The portable form of the schema of arguments. It allows every value that the original allows, as far as it can express
 * them. References are written out up to a bound, alternatives become one object, and descriptions state the rules that the
 * form cannot express.
 */
export function portableSchema(root: Schema): PortableSchema {
  const resolve = createResolver(root)
  const names = createNames(root)
  let inlined = 0
  let inlinedText = 0
  const lengths = new Map<unknown, number>()

  /** `open` are the schemas whose references are being written out. */
  function convert(schema: unknown, open: readonly unknown[]): Portable {
    if (!isJsonObject(schema)) return {}
    if (open.length > 1) inlined++
    let converted = ownKeywords(schema, open)
    if (Array.isArray(schema.allOf)) for (const part of schema.allOf) converted = both(converted, convert(part, open))
    for (const reference of [schema.$ref, schema.$dynamicRef])
      if (reference !== undefined) converted = both(converted, referred(reference, open))
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      const forms = schema[keyword]
      if (Array.isArray(forms)) converted = withForms(converted, schema, forms, { keyword, open })
    }
    return converted
  }

  function referred(reference: unknown, open: readonly unknown[]): Portable {
    const target = resolve(reference)
    if (!isJsonObject(target)) return {}
    if (!open.includes(target) && open.length <= MAX_DEPTH && inlined < MAX_INLINED && fits(target))
      return convert(target, [...open, target])
    const [type] = typesOf(target)
    if (type === undefined && target.properties === undefined) return {}
    return { type: type ?? 'object', description: 'In the same form as the value that has it.' }
  }

  /** Whether the text of a target fits, which then counts. */
  function fits(target: Schema): boolean {
    const length = lengths.get(target) ?? JSON.stringify(target).length
    lengths.set(target, length)
    if (inlinedText + length > MAX_INLINED_TEXT) return false
    inlinedText += length
    return true
  }

  function withForms(
    own: Portable,
    schema: Schema,
    forms: readonly unknown[],
    { keyword, open }: { keyword: 'anyOf' | 'oneOf'; open: readonly unknown[] },
  ): Portable {
    const values = forms.filter(form => !isNever(form) && !isNull(form))
    const converted = values.map(form => convert(isValue(form) ? withoutTexts(form) : form, open))
    const [first, ...others] = converted
    const union = others.reduce(either, first ?? {})
    const isNullable = values.length < forms.length && forms.some(isNull)
    const merged = both(own, isNullable ? nullable(union) : union)
    const words = alternativesInWords(values, { schema, isExclusive: keyword === 'oneOf', nameOf: names.of })
    return withWords(merged, words)
  }

  /** The keywords of a schema itself, for each of its types. */
  function ownKeywords(schema: Schema, open: readonly unknown[]): Portable {
    const values = exactValues(schema)
    const all = typesOf(schema)
    // Each only once: the schemas of members are converted for each type.
    const types = [...new Set(all.length > 0 ? all : values?.map(exactType))]
    const named = types.filter(type => type !== 'null' && !(type === 'integer' && types.includes('number')))
    const forms = named.map((type, i) => ofType(type, i === 0 ? schema : withoutTexts(schema), open))
    const [first, ...others] = forms.length > 0 ? forms : [ofType(guessedType(schema), schema, open)]
    const union = others.reduce(either, first ?? {})
    return types.includes('null') ? nullable(union) : union
  }

  function ofType(type: string | undefined, schema: Schema, open: readonly unknown[]): Portable {
    const kept = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
      if (keyword === 'type') return type === undefined ? [] : [['type', type]]
      if (ALWAYS.has(keyword)) return [[keyword, value]]
      // Marks count only where they are written: clients reject a tool that has one twice.
      if (keyword === MARK) return open.length > 1 ? [] : [[keyword, value]]
      return type !== undefined && KEPT[type]?.includes(keyword) ? [[keyword, value]] : []
    })
    const base: Portable = {
      ...(type !== undefined && schema.type === undefined && { type }),
      ...Object.fromEntries(kept),
      ...textEnum(type, schema),
      ...lowestInteger(type, schema),
      ...(type === 'object' && members(schema, open)),
      ...(type === 'array' && items(schema, open)),
    }
    return withWords(base, limitsInWords(type, schema, names.of))
  }

  function members(schema: Schema, open: readonly unknown[]): Portable {
    const { properties, required, additionalProperties, patternProperties } = schema
    const known = Object.entries(isJsonObject(properties) ? properties : {}).filter(([, member]) => !isNever(member))
    const needed = textsOf(required)
    const patterns = Object.values(isJsonObject(patternProperties) ? patternProperties : {})
    const [first, ...others] = patterns.map(member => convert(member, open))
    const rest =
      first !== undefined
        ? others.reduce(either, first)
        : isJsonObject(additionalProperties)
          ? convert(additionalProperties, open)
          : additionalProperties
    return {
      ...(properties !== undefined && {
        properties: Object.fromEntries(known.map(([name, member]) => [names.of(name), convert(member, open)])),
      }),
      ...(needed.length > 0 && { required: [...new Set(needed.map(names.of))] }),
      ...(rest !== undefined && { additionalProperties: rest }),
    }
  }

  function items({ items: each, prefixItems, additionalItems }: Schema, open: readonly unknown[]): Portable {
    const first = Array.isArray(each) ? each : Array.isArray(prefixItems) ? prefixItems : []
    const rest = Array.isArray(each) ? additionalItems : each
    const all = [...first, rest].filter(form => form !== undefined && !isNever(form))
    const [one, ...others] = all.map(form => convert(form, open))
    return { items: others.reduce(either, one ?? {}) }
  }

  const { nullable: _, ...converted } = objectOf(complete(convert(root, [root])))
  const properties = converted.properties ?? {}
  return { schema: { ...converted, type: 'object', properties }, originals: names.originals }
}

/** Keywords of every type. */
const ALWAYS = new Set(['title', 'description', 'default'])
/** Marks an argument that is also sent as a header, which is read from the listed schema. */
const MARK = 'x-mcp-header'
/** The keywords of a type that all providers take as they are. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  array: ['minItems', 'maxItems', 'items'],
  object: ['minProperties', 'maxProperties', 'properties', 'required', 'additionalProperties'],
}

/** The allowed texts. Only the enum of texts that are not empty is taken by all. */
function textEnum(type: string | undefined, schema: Schema): Portable {
  const texts = type === 'string' ? exactValues(schema)?.filter(value => typeof value === 'string' && value !== '') : []
  return {
    ...(texts !== undefined && texts.length > 0 && { enum: texts }),
    ...(type === 'string' && schema.format === 'date-time' && { format: 'date-time' }),
  }
}

/** The least integer above an exclusive limit. */
function lowestInteger(type: string | undefined, schema: Schema): Portable {
  const { exclusiveMinimum: over, exclusiveMaximum: under } = schema
  if (type !== 'integer') return {}
  return {
    ...(Number.isInteger(over) && schema.minimum === undefined && { minimum: (over as number) + 1 }),
    ...(Number.isInteger(under) && schema.maximum === undefined && { maximum: (under as number) - 1 }),
  }
}

/** The type of the values that a schema without a type is about; undefined if it does not say. */
function guessedType(schema: Schema): string | undefined {
  for (const [type, keywords] of [
    ['object', ['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties']],
    ['array', ['items', 'prefixItems', 'minItems', 'maxItems']],
    ['string', ['pattern', 'minLength', 'maxLength', 'format']],
    ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
  ] as const)
    if (keywords.some(keyword => schema[keyword] !== undefined)) return type
  return undefined
}

function exactType(value: unknown): string {
  return Number.isInteger(value) ? 'integer' : typeOf(value)
}

function isNever(schema: unknown): boolean {
  if (schema === false) return true
  if (!isJsonObject(schema)) return false
  const { not } = schema
  return not === true || (isJsonObject(not) && Object.keys(not).length === 0)
}

function isNull(schema: unknown): boolean {
  if (!isJsonObject(schema)) return false
  const values = exactValues(schema)
  return schema.type === 'null' || (values !== undefined && values.length > 0 && values.every(value => value === null))
}

/** Whether a form is one value, whose text is written in words. */
function isValue(form: unknown): form is Schema {
  return isJsonObject(form) && exactValues(form)?.length === 1
}

function withoutTexts({ title, description, ...rest }: Schema): Schema {
  return rest
}

function nullable(schema: Portable): Portable {
  const { anyOf } = schema
  if (!Array.isArray(anyOf)) return withDescriptionLast({ ...schema, nullable: true })
  const [first, ...others] = anyOf as readonly Portable[]
  return { anyOf: [nullable(first ?? {}), ...others] }
}

function withDescriptionLast(schema: Portable): Portable {
  return described(schema, schema.description)
}

function withWords(schema: Portable, words: string): Portable {
  if (words === '') return schema
  if (Array.isArray(schema.anyOf)) {
    const [first, ...others] = schema.anyOf as readonly Portable[]
    return { anyOf: [withWords(first ?? {}, words), ...others] }
  }
  const text = typeof schema.description === 'string' ? schema.description.trimEnd() : ''
  const end = text === '' || /[.!?:]$/.test(text) ? '' : '.'
  return described(schema, `${text}${end} ${words}`.trim())
}

/** The form of a schema that is an object: arguments are one. */
function objectOf(schema: Portable): Portable {
  if (!Array.isArray(schema.anyOf)) return schema
  return (schema.anyOf as readonly Portable[]).find(({ type }) => type === 'object') ?? {}
}

/** Adds what some providers require: items of arrays, and a property for each required name. */
function complete(schema: Portable): Portable {
  if (Array.isArray(schema.anyOf)) return { anyOf: (schema.anyOf as readonly Portable[]).map(complete) }
  const { required, ...others } = schema
  const { properties, items, additionalProperties: rest } = others
  const known = Object.entries(isJsonObject(properties) ? properties : {})
  const needed = textsOf(required)
  const missing = needed.filter(name => !isJsonObject(properties) || !Object.hasOwn(properties, name))
  return {
    ...(needed.length > 0 ? schema : others),
    ...((properties !== undefined || missing.length > 0) && {
      properties: Object.fromEntries([
        ...known.map(([name, member]): [string, Portable] => [name, complete(member as Portable)]),
        ...missing.map((name): [string, Portable] => [name, {}]),
      ]),
    }),
    ...(schema.type === 'array' && { items: complete(isJsonObject(items) ? items : {}) }),
    ...(isJsonObject(rest) && { additionalProperties: complete(rest) }),
  }
}
