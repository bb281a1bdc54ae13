import { similarNames } from '../similar-names.ts'
import { type Schema, typesOf } from './check-value.ts'
import {
  describeExpected,
  isSecretPath,
  MAX_NAMES,
  MAX_SHOWN,
  memberNames,
  oneOf,
  type Path,
  pathText,
  shown,
} from './describe-expected.ts'

/** What the messages call the value: `The arguments`, and a member of it: `argument`. */
export interface Nouns {
  readonly whole: string
  readonly member: string
}

/** Creates the sentences for the faults of one value, without periods. */
export type FaultTexts = ReturnType<typeof createFaultTexts>

/** How many alternatives of a value are read, because reading one is slow. */
const MAX_ALTERNATIVES = 8
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
    value(path: Path, value: unknown, all: readonly Schema[], isSecretSchema: boolean): string {
      const isSecret = isSecretSchema || isSecretPath(path)
      const schemas = all.slice(0, MAX_ALTERNATIVES)
      const wanted = oneOf(
        schemas.map(schema => describeExpected(schema, value)),
        all.length - schemas.length,
      )
      const near = isSecret ? undefined : similarValue(value, schemas)
      const hint = near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`
      return `${subject(path)} must be ${wanted}; got ${sent(value, schemas, isSecret)}${hint}`
    },

    required(path: Path, schema: Schema): string {
      const isChoice = Array.isArray(schema.enum) || Object.hasOwn(schema, 'const')
      return `${subject(path)} is required${isChoice ? `: ${describeExpected(schema, '')}` : ''}`
    },

    /** `names` are the members that exist and were not sent. `isFirst` also lists them. */
    unknown(path: Path, names: readonly string[], isFirst: boolean): string {
      const text = `Unknown ${member} ${subject(path)}`
      const [near] = similarNames(String(path.at(-1)), names, 1, work)
      if (near !== undefined) return `${text}; did you mean \`${pathText([...path.slice(0, -1), near])}\`?`
      return isFirst && names.length > 0 && names.length <= MAX_NAMES
        ? `${text}; expected ${memberNames(names, 'or')}`
        : text
    },
  }

  function similarValue(value: unknown, schemas: readonly Schema[]): string | undefined {
    if (typeof value !== 'string') return undefined
    return similarNames(value, textsOf(schemas), 1, work)[0]
  }
}

/** The allowed texts, one by one, because the search may end early. */
function* textsOf(schemas: readonly Schema[]): Generator<string> {
  for (const { const: only, enum: values } of schemas)
    for (const text of Array.isArray(values) ? values : [only]) if (typeof text === 'string') yield text
}

/** Names the usual mistakes of models: a number or JSON in a string. */
function sent(value: unknown, schemas: readonly Schema[], isSecret: boolean): string {
  const text = shown(value, isSecret)
  const types = schemas.flatMap(typesOf)
  if (typeof value !== 'string' || isSecret || types.length === 0 || types.includes('string')) return text
  const start = value.slice(0, MAX_SHOWN).trimStart()
  const wanted = start.startsWith('[') ? 'array' : start.startsWith('{') ? 'object' : undefined
  if (wanted !== undefined && types.includes(wanted)) return `a string with JSON; send the ${wanted} itself`
  const isScalar = value.length <= MAX_SHOWN && /^\s*(?:-?[\d.]+|true|false|null)\s*$/.test(value)
  return isScalar ? `the string ${text}` : text
}
