import type { ArgumentSchema, InputSchema } from '../../lib/mcp.ts'

/** How the form asks for an argument. */
type FieldKind = 'text' | 'number' | 'yes-no' | 'choice' | 'list' | 'group' | 'json'

/** What the user typed, by the path of an argument: `filter/state`. An empty text leaves the argument out. */
export type Texts = Readonly<Record<string, string>>

/** Nested objects below this depth are JSON. */
const MAX_DEPTH = 3

/** The schema without a `null` beside its only other type. */
export function plainOf(schema: ArgumentSchema): ArgumentSchema {
  const { anyOf, type } = schema
  const others = anyOf?.filter(variant => variant.type !== 'null')
  if (others?.length === 1) return { ...schema, ...others[0], anyOf: undefined }
  if (!Array.isArray(type)) return schema
  const types = type.filter(name => name !== 'null')
  return types.length === 1 ? { ...schema, type: types[0] } : schema
}

/** Chooses how to ask for an argument. Everything that is not simple is JSON. */
export function kindOf(schema: ArgumentSchema, path = ''): FieldKind {
  const { type, enum: values, items, anyOf, properties } = plainOf(schema)
  if (values?.every(value => typeof value === 'string')) return 'choice'
  if (anyOf !== undefined) return 'json'
  if (type === 'string') return 'text'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'yes-no'
  if (type === 'array' && items?.type === 'string' && items.enum === undefined) return 'list'
  const simple = type === 'object' && properties !== undefined && Object.keys(properties).length > 0
  return simple && path.split('/').length <= MAX_DEPTH ? 'group' : 'json'
}

/** The arguments that the texts mean, and what is wrong by the path of the argument. */
export function readArguments(schema: InputSchema, texts: Texts, above = '') {
  const args: Record<string, unknown> = {}
  const problems: Record<string, string> = {}
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const path = above + name
    const required = schema.required?.includes(name) ?? false
    if (kindOf(property, path) === 'group') {
      const inner = readArguments(plainOf(property), texts, `${path}/`)
      if (!required && !Object.keys(texts).some(key => key.startsWith(`${path}/`) && texts[key]?.trim())) continue
      args[name] = inner.args
      Object.assign(problems, inner.problems)
      continue
    }
    const text = texts[path] ?? ''
    if (text.trim() === '') {
      if (required) problems[path] = 'This argument is required.'
      continue
    }
    try {
      args[name] = readValue(plainOf(property), text, path)
    } catch (error) {
      problems[path] = error instanceof Error ? error.message : String(error)
    }
  }
  return { args, problems }
}

function readValue(schema: ArgumentSchema, text: string, path: string): unknown {
  switch (kindOf(schema, path)) {
    case 'number': {
      const number = Number(text)
      if (!Number.isFinite(number) || (schema.type === 'integer' && !Number.isInteger(number)))
        throw new Error(schema.type === 'integer' ? 'Enter a whole number.' : 'Enter a number.')
      return number
    }
    case 'yes-no':
      return text === 'true'
    case 'list':
      return text
        .split('\n')
        .map(line => line.trim())
        .filter(Boolean)
    case 'json':
      return parseJson(text)
    default:
      return text
  }
}

/** Parses JSON. Throws an error for the user. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('Enter valid JSON.')
  }
}

/** The texts that mean these arguments. */
export function writeArguments(schema: InputSchema, args: Readonly<Record<string, unknown>>, above = ''): Texts {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(args)) {
    const path = above + name
    const property = schema.properties?.[name] ?? {}
    const kind = kindOf(property, path)
    if (kind === 'group' && isObject(value)) Object.assign(texts, writeArguments(plainOf(property), value, `${path}/`))
    else if (kind === 'list' && Array.isArray(value)) texts[path] = value.join('\n')
    else texts[path] = typeof value === 'string' && kind !== 'json' ? value : JSON.stringify(value)
  }
  return texts
}

/** Whether a value is an object, not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
