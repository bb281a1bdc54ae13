import { array, type Description, type Parameter, record, type Schema, string } from './description.ts'
import { type Call, call, type Expression } from './expression.ts'

/** The names of the arguments of one tool, and how they follow from those of the provider. */
interface ArgumentNames {
  /** Returns the name for a member; a second member of the same name gets the name of where it is sent too. */
  take(member: string, place: string): string
}

/** Names arguments in snake case. `account` is the argument of every tool. */
export function createArgumentNames(): ArgumentNames {
  const taken = new Set(['account'])
  return {
    take(member, place) {
      const plain = snakeCase(member)
      const candidates = [plain, `${plain}_${place}`, ...Array.from({ length: 50 }, (_, at) => `${plain}_${at + 2}`)]
      const name = candidates.find(candidate => !taken.has(candidate))
      if (name === undefined) throw new TypeError(`There are too many arguments named ${plain}`)
      taken.add(name)
      return name
    },
  }
}

/** Writes a name in snake case, with letters and digits only. */
export function snakeCase(name: string): string {
  const plain = name
    .replace(/(?<=[a-z0-9])[A-Z]/g, '_$&')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  return /^[a-z]/.test(plain) ? plain : `value_${plain}`.replace(/_$/, '')
}

const MAX_DEPTH = 2
/** The maximum lengths of texts without one: of parameters, and of bodies. */
const MAX_TEXT = 1000
const MAX_BODY_TEXT = 20_000
const MAX_INTEGER = 2_147_483_647
/** The provider's words in a draft, in characters. */
const MAX_WORDS = 120
const MAX_ITEMS = 100
const MAX_CHOICES = 60

/** Writes arguments from the schemas of a description. */
export interface ArgumentWriter {
  /** A parameter, where it is sent. */
  parameter(parameter: Parameter): Expression
  /** The members of a body: an argument for each, within their objects. */
  members(schema: Schema, required: boolean): { readonly [name: string]: Expression }
  /** A schema as one argument without a name. */
  argument(schema: unknown, description: string): Call
}

/** Creates the writer of the arguments of one tool; `files` says whether its body can carry files. */
export function createArgumentWriter(
  { resolve }: Pick<Description, 'resolve'>,
  names: ArgumentNames,
  { files }: { readonly files: boolean },
): ArgumentWriter {
  /** Without a description, the argument has none: the item of a list. */
  function argument(given: unknown, description: string | undefined, longest: number, depth = 0): Call {
    const schema = chosen(given)
    const words = description === undefined ? '' : described(description || string(schema.description))
    const choices = array(schema.enum).filter(value => typeof value === 'string' && value !== '') as string[]
    if (choices.length > 0 && choices.length <= MAX_CHOICES) return call('oneOf', [...new Set(choices)], words)
    const type = typeOf(schema)
    if (type === 'boolean') return call('flag', words)
    if (type === 'integer') return call('integer', words, ...bounds(schema, 0))
    if (type === 'number') return call('Type.Number', { ...numberBounds(schema), description: words })
    if (type === 'string' && schema.format === 'binary' && files) return call('fileArgument', { what: words })
    if (type === 'string')
      return call('text', words, length(schema, longest), ...(schema.minLength === 0 ? [{ min: 0 }] : []))
    if (type === 'array') {
      const most = typeof schema.maxItems === 'number' && schema.maxItems > 0 ? schema.maxItems : MAX_ITEMS
      return call('list', item(schema.items, longest, depth), words, most)
    }
    if (type === 'object') return call('members', words, MAX_ITEMS)
    return call('Type.Unknown', { description: words })
  }

  /** An item of a list: an object has its members, as far as the depth allows. */
  function item(given: unknown, longest: number, depth: number): Call {
    const schema = chosen(given)
    const properties = Object.entries(record(schema.properties))
    if (properties.length === 0 || depth >= MAX_DEPTH) return argument(schema, undefined, longest, depth + 1)
    const required = array(schema.required)
    const members = properties.map(([name, member]): [string, Expression] => {
      const written = argument(member, '', longest, depth + 1)
      return [name, required.includes(name) ? written : call('optional', written)]
    })
    return call('Type.Object', Object.fromEntries(members), { additionalProperties: false })
  }

  /** The first alternative that is not null, with what the schema says besides. */
  function chosen(given: unknown): Schema {
    const schema = resolve(given)
    const alternatives = [...array(schema.oneOf), ...array(schema.anyOf)].map(resolve)
    const first = alternatives.find(({ type }) => type !== 'null')
    if (first === undefined || schema.type !== undefined) return schema
    return { ...first, ...(typeof schema.description === 'string' && { description: schema.description }) }
  }

  function members(schema: Schema, required: boolean, place = 'body', depth = 0): { [name: string]: Expression } {
    const needed = array(schema.required)
    const written = Object.entries(record(schema.properties)).flatMap(([name, given]): [string, Expression][] => {
      const member = chosen(given)
      if (member.readOnly === true) return []
      const isRequired = required && needed.includes(name)
      const nested = typeOf(member) === 'object' && Object.keys(record(member.properties)).length > 0
      if (nested && depth < MAX_DEPTH) {
        const below = members(member, isRequired, snakeCase(name), depth + 1)
        return Object.keys(below).length === 0 ? [] : [[name, below]]
      }
      return [[name, placed(name, place, argument(member, '', MAX_BODY_TEXT), isRequired)]]
    })
    return Object.fromEntries(written)
  }

  /** An argument where its member is sent; it is named if its name does not follow from the member. */
  function placed(member: string, place: string, written: Call, required: boolean): Expression {
    const name = names.take(member, place)
    const schema = required ? written : call('optional', written)
    return name === member.replace(/(?<=[a-z0-9])[A-Z]/g, '_$&').toLowerCase() ? schema : call('named', name, schema)
  }

  return {
    argument: (schema, description) => argument(schema, description, MAX_TEXT),
    members: (schema, required) => members(chosen(schema), required),
    parameter({ name, in: place, required, schema, description, separator }) {
      const written = placed(name, place, argument(schema, description, MAX_TEXT), required)
      return separator === undefined ? written : { $join: written, separator }
    },
  }
}

/** The type of a schema: OpenAPI 3.1 may list several, and many descriptions leave it out. */
function typeOf(schema: Schema): string {
  const [first] = [schema.type].flat().filter(type => typeof type === 'string' && type !== 'null')
  if (typeof first === 'string') return first
  if ('properties' in schema || 'additionalProperties' in schema) return 'object'
  return 'items' in schema ? 'array' : 'unknown'
}

/** The provider's words, which an author replaces by their own. */
export function described(words: string): string {
  const [sentence = ''] = words
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .split(/(?<=\.) /)
  const short = sentence.length > MAX_WORDS ? `${sentence.slice(0, MAX_WORDS).replace(/\s\S*$/, '')} …` : sentence
  return `TODO: ${short}`.trim()
}

function length({ maxLength, format }: Schema, longest: number): number {
  if (typeof maxLength === 'number' && maxLength > 0) return maxLength
  return format === undefined ? longest : MAX_TEXT
}

function bounds({ minimum, maximum }: Schema, least: number): [number, number] {
  const low = typeof minimum === 'number' ? Math.ceil(minimum) : least
  const high = typeof maximum === 'number' ? Math.floor(maximum) : MAX_INTEGER
  return [low, Math.max(low, high)]
}

function numberBounds({ minimum, maximum }: Schema): { readonly [name: string]: number } {
  return { ...(typeof minimum === 'number' && { minimum }), ...(typeof maximum === 'number' && { maximum }) }
}
