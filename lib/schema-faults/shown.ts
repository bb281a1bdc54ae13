import { NAME_ENDINGS, SECRET_FORMS } from '../logging/scrub-patterns.ts'
import { terminalText } from '../sanitize-text.ts'
import { counted, joined } from '../wording.ts'

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
  return joined(quotedNames, word)
}

/** Shows a value that was sent. Of a secret it shows only the type, of an array or object never the content. */
export function shown(value: unknown, isSecret: boolean): string {
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty array' : `an array of ${counted(value.length, 'item')}`
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
  let clean = text.slice(0, 8 * length)
  for (const [form, rest] of SECRET_FORMS) clean = clean.replace(form, rest)
  const line = terminalText(clean, { lines: true }).replaceAll('`', "'")
  if (line.length <= length && text.length <= 8 * length) return JSON.stringify(line)
  return JSON.stringify(`${line.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`)
}
