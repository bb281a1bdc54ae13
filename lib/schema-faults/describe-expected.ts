import { formatCount, formatList } from '../format-text.ts'
import { isJsonObject } from '../http/json.ts'
import { NAME_ENDINGS, redactForms } from '../redaction/secret-forms.ts'
import { terminalText } from '../sanitize-text.ts'
import { type Schema, typeOf, typesOf } from './check-value.ts'

/** The maximum length of a pattern that is shown whole. */
const MAX_PATTERN = 32
const MAX_DESCRIPTION = 100
/** How many characters of values a list of allowed values may have. */
const MAX_LISTED = 120
const MAX_VALUES = 8
const MAX_FORMS = 3
const MAX_REQUIRED = 4

/**
 * Describes the values that a schema's own keywords allow: `a number from 0 to 1`. A schema without a type is described
 * for the value's type.
 */
export function describeExpected(schema: Schema, value: unknown): string {
  if (Object.hasOwn(schema, 'const')) return listed([schema.const])
  if (Array.isArray(schema.enum)) return listed(schema.enum)
  const types = typesOf(schema)
  return oneOf([...new Set(types.length === 0 ? [typeOf(value)] : types)].map(type => ofType(type, schema)))
}

/** Whether `describeExpected` can describe why a schema's own keywords reject a value. */
export function isDescribed(schema: Schema): boolean {
  return typesOf(schema).length > 0 || Array.isArray(schema.enum) || Object.hasOwn(schema, 'const')
}

/** Joins alternatives with "or"; of many only the first. `more` is the number of others that are not given. */
export function oneOf(alternatives: readonly string[], more = 0): string {
  const unique = [...new Set(alternatives)]
  const shown = unique.length > MAX_FORMS + 1 ? unique.slice(0, MAX_FORMS) : unique
  const others = unique.length - shown.length + more
  const some = others === 0 ? shown : [...shown, `one of ${others} others`]
  return formatList(some, 'or')
}

function listed(values: readonly unknown[]): string {
  const texts: string[] = []
  let length = 0
  for (const value of values) {
    const text =
      typeof value === 'string'
        ? quoted(value)
        : typeof value === 'object' && value !== null
          ? ofType(typeOf(value), {})
          : String(value)
    length += text.length + 2
    if (texts.length > 0 && (length > MAX_LISTED || texts.length === MAX_VALUES)) break
    texts.push(text)
  }
  const left = values.length - texts.length
  return left === 0 ? formatList(texts, 'or') : `${texts.join(', ')} or one of ${left} others`
}

function ofType(type: string, schema: Schema): string {
  switch (type) {
    case 'string':
      return stringOf(schema)
    case 'integer':
    case 'number':
      return `${type === 'number' ? 'a number' : 'an integer'}${rangeOf(schema)}`
    case 'boolean':
      return 'true or false'
    case 'array':
      return arrayOf(schema)
    case 'object':
      return objectOf(schema)
    default:
      return type
  }
}

function numbers(schema: Schema, ...names: string[]): (number | undefined)[] {
  return names.map(name => (typeof schema[name] === 'number' ? (schema[name] as number) : undefined))
}

function rangeOf(schema: Schema): string {
  const [least, most, over, under, step] = numbers(
    schema,
    ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  )
  const multiple = step === undefined ? '' : ` that is a multiple of ${step}`
  if (least !== undefined && most !== undefined && over === undefined && under === undefined)
    return ` from ${least} to ${most}${multiple}`
  const limits = [
    ...(least === undefined ? [] : [`of at least ${least}`]),
    ...(over === undefined ? [] : [`above ${over}`]),
    ...(most === undefined ? [] : [`of at most ${most}`]),
    ...(under === undefined ? [] : [`below ${under}`]),
  ]
  return `${limits.length === 0 ? '' : ` ${limits.join(' and ')}`}${multiple}`
}

const FORMATS: ReadonlyMap<unknown, string> = new Map([
  ['date-time', 'a date-time such as 2026-11-22T10:00:00Z'],
  ['date', 'a date such as 2026-11-22'],
  ['time', 'a time such as 10:00:00Z'],
  ['duration', 'a duration such as PT1H30M'],
  ['email', 'an email address'],
  ['uri', 'a URL'],
  ['url', 'a URL'],
  ['uuid', 'a UUID'],
])

function stringOf(schema: Schema): string {
  const { format, pattern } = schema
  const [least = 0, most] = numbers(schema, 'minLength', 'maxLength')
  const noun = FORMATS.get(format) ?? 'a string'
  const size = sizeOf(least, most, 'character')
  const text = noun === 'a string' && least === 1 && most === undefined ? 'a non-empty string' : noun + size
  return typeof pattern === 'string' ? `${text} ${patternOf(pattern, schema.description)}` : text
}

function patternOf(pattern: string, description: unknown): string {
  const described = typeof description === 'string' && description !== '' ? quoted(description, MAX_DESCRIPTION) : ''
  if (pattern.length <= MAX_PATTERN && isPlain(pattern))
    return `that matches \`${pattern}\`${described && ` (${described})`}`
  if (described !== '') return `that fits its description: ${described}`
  const beginning = balancedStart(pattern)
  return beginning === '' ? 'that matches its pattern' : `that matches its pattern, \`${beginning}…\``
}

function isPlain(pattern: string): boolean {
  return !pattern.includes('`') && terminalText(pattern) === pattern
}

/** The longest beginning of a pattern that is short and leaves no bracket open. */
function balancedStart(pattern: string): string {
  let depth = 0
  let end = 0
  let at = 0
  for (const [token] of pattern
    .slice(0, MAX_SHOWN)
    .matchAll(/\\[pPux]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|\{[^}]*\}|[^\\[{]/gsu)) {
    if (!pattern.startsWith(token, at)) break
    at += token.length
    if (token === '(') depth++
    else if (token === ')') depth--
    if (depth === 0) end = at
  }
  const start = pattern.slice(0, end)
  return isPlain(start) && start.replace('^', '') !== '' ? start : ''
}

function arrayOf(schema: Schema): string {
  const [least = 0, most] = numbers(schema, 'minItems', 'maxItems')
  const item = isJsonObject(schema.items) && typeof schema.items.type === 'string' ? schema.items.type : ''
  const noun = ['string', 'number', 'integer', 'object'].includes(item) ? item : 'item'
  const size = sizeOf(least, most, noun)
  return `an array${size === '' && noun !== 'item' ? ` of ${noun}s` : size}`
}

function objectOf({ required, properties }: Schema): string {
  const few = Array.isArray(required) && required.length <= MAX_REQUIRED ? required : []
  const names = few.filter(name => typeof name === 'string')
  const shownNames = names.length > 0 && isJsonObject(properties)
  return shownNames ? `an object with ${memberNames(names, 'and')}` : 'an object'
}

function sizeOf(least: number, most: number | undefined, unit: string): string {
  if (most === undefined) return least > 0 ? ` of at least ${formatCount(least, unit)}` : ''
  if (least === most) return ` of ${formatCount(most, unit)}`
  return least > 0 ? ` of ${least} to ${formatCount(most, unit)}` : ` of at most ${formatCount(most, unit)}`
}

/** The names and indexes that lead to a value. */
export type Path = readonly (string | number)[]

/** The maximum length of a value, name or pattern in a message. */
export const MAX_SHOWN = 40
/** The maximum number of names in a list of all members. */
export const MAX_NAMES = 10
const MAX_STEPS = 6

const SECRET_NAME = new RegExp(`(?:${NAME_ENDINGS})s?$`, 'i')

/** Whether a name on a path suggests that the value is a credential. */
export function isSecretPath(path: Path): boolean {
  return path.some(step => typeof step === 'string' && SECRET_NAME.test(step))
}

/** Writes a path as `items[3].name`, without backticks. A long one lacks its middle. */
export function pathText(path: Path): string {
  const steps = path.map((step, i) => {
    if (typeof step === 'number') return `[${step}]`
    if (step.length > MAX_SHOWN || !/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(step)) return `[${quoted(step)}]`
    return i === 0 ? step : `.${step}`
  })
  return (steps.length <= MAX_STEPS ? steps : [...steps.slice(0, 2), '.…', ...steps.slice(3 - MAX_STEPS)]).join('')
}

/** Lists names of members in backticks. */
export function memberNames(names: readonly string[], word: 'and' | 'or'): string {
  const quotedNames = names.map(name => `\`${pathText([name])}\``)
  return formatList(quotedNames, word)
}

/** Shows a value that was sent. Of a secret it shows only the type, of an array or object never the content. */
export function shown(value: unknown, isSecret: boolean): string {
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty array' : `an array of ${formatCount(value.length, 'item')}`
  if (typeof value === 'object' && value !== null) return 'an object'
  if (value === undefined) return 'nothing'
  if (isSecret) return value === null ? 'null' : `a ${typeof value}`
  if (typeof value !== 'string') return String(value)
  return value.length <= MAX_SHOWN ? quoted(value) : `${quoted(value)} (${value.length} characters)`
}

/**
 * A text as one short JSON string, without credentials and hidden characters. Backticks would end a name in a message.
 */
export function quoted(text: string, length = MAX_SHOWN): string {
  const line = terminalText(redactForms(text.slice(0, 8 * length)), { lines: true }).replaceAll('`', "'")
  if (line.length <= length && text.length <= 8 * length) return JSON.stringify(line)
  return JSON.stringify(`${line.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`)
}
