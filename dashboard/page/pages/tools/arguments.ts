import type { ArgumentSchema, InputSchema } from '../../lib/mcp.ts'

/** How the form asks for an argument. */
type FieldKind = 'text' | 'number' | 'yes-no' | 'choice' | 'list' | 'json'

/** What the user typed, by argument. An empty text leaves the argument out. */
export type Texts = Readonly<Record<string, string>>

/** Chooses how to ask for an argument. Everything that is not simple is JSON. */
export function kindOf({ type, enum: values, items }: ArgumentSchema): FieldKind {
  if (values?.every(value => typeof value === 'string')) return 'choice'
  if (type === 'string') return 'text'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'yes-no'
  if (type === 'array' && items?.type === 'string' && items.enum === undefined) return 'list'
  return 'json'
}

/** The arguments that the texts mean, and what is wrong by argument. */
export function readArguments(schema: InputSchema, texts: Texts) {
  const args: Record<string, unknown> = {}
  const problems: Record<string, string> = {}
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const text = texts[name] ?? ''
    if (text.trim() === '') {
      if (schema.required?.includes(name)) problems[name] = 'This argument is required.'
      continue
    }
    try {
      args[name] = readValue(property, text)
    } catch (error) {
      problems[name] = error instanceof Error ? error.message : String(error)
    }
  }
  return { args, problems }
}

function readValue(schema: ArgumentSchema, text: string): unknown {
  switch (kindOf(schema)) {
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
export function writeArguments(schema: InputSchema, args: Readonly<Record<string, unknown>>): Texts {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(args)) {
    const kind = kindOf(schema.properties?.[name] ?? {})
    if (kind === 'list' && Array.isArray(value)) texts[name] = value.join('\n')
    else texts[name] = typeof value === 'string' && kind !== 'json' ? value : JSON.stringify(value)
  }
  return texts
}
