import { similarNames } from '../similar-names.ts'
import { expected, joined, oneOf, type Schema, typesOf } from './expected.ts'
import { isSecretPath, type Path, pathText, shown } from './shown.ts'

/** What the messages call the value: `The arguments`, and a member of it: `argument`. */
export interface Nouns {
  readonly whole: string
  readonly member: string
}

/** Creates the sentences for the faults of one value, without periods. */
export type FaultTexts = ReturnType<typeof createFaultTexts>

const MAX_NAMES = 10
/** The work that all searches for similar names may take together, about a millisecond. */
const SIMILAR_WORK = 12_000

export function createFaultTexts({ whole, member }: Nouns) {
  const work = { left: SIMILAR_WORK }

  function subject(path: Path): string {
    return path.length === 0 ? whole : `\`${pathText(path)}\``
  }

  return {
    subject,

    /** A value that the keywords of one schema, or of several alternatives, do not allow. */
    value(path: Path, value: unknown, schemas: readonly Schema[], isSecretSchema: boolean): string {
      const isSecret = isSecretSchema || isSecretPath(path)
      const wanted = oneOf(schemas.map(schema => expected(schema, value)))
      const near = isSecret ? undefined : similarValue(value, schemas)
      const hint = near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`
      return `${subject(path)} must be ${wanted}; got ${sent(value, schemas, isSecret)}${hint}`
    },

    required(path: Path, schema: Schema): string {
      const isChoice = Array.isArray(schema.enum) || Object.hasOwn(schema, 'const')
      return `${subject(path)} is required${isChoice ? `: ${expected(schema, '')}` : ''}`
    },

    /** `names` are the members that exist and were not sent. `isFirst` also lists them. */
    unknown(path: Path, names: readonly string[], isFirst: boolean): string {
      const text = `Unknown ${member} ${subject(path)}`
      const [near] = similarNames(String(path.at(-1)), names, 1, work)
      if (near !== undefined) return `${text}; did you mean \`${pathText([...path.slice(0, -1), near])}\`?`
      return isFirst && names.length > 0 && names.length <= MAX_NAMES ? `${text}; expected ${listOf(names)}` : text
    },
  }

  function similarValue(value: unknown, schemas: readonly Schema[]): string | undefined {
    if (typeof value !== 'string') return undefined
    const allowed = schemas.flatMap(({ const: only, enum: values }) => (Array.isArray(values) ? values : [only]))
    const texts = allowed.filter(text => typeof text === 'string')
    return similarNames(value, texts, 1, work)[0]
  }
}

function listOf(names: readonly string[]): string {
  return joined(
    names.map(name => `\`${pathText([name])}\``),
    'or',
  )
}

/** Names the usual mistakes of models: a number or JSON in a string. */
function sent(value: unknown, schemas: readonly Schema[], isSecret: boolean): string {
  const text = shown(value, isSecret)
  const types = schemas.flatMap(typesOf)
  if (typeof value !== 'string' || isSecret || types.length === 0 || types.includes('string')) return text
  const wanted = /^\s*\[/.test(value) ? 'array' : /^\s*\{/.test(value) ? 'object' : undefined
  if (wanted !== undefined && types.includes(wanted)) return `a string with JSON; send the ${wanted} itself`
  return /^\s*(?:-?[\d.]+|true|false|null)\s*$/.test(value) ? `the string ${text}` : text
}
