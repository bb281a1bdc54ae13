import { isJsonObject } from '../http/json.ts'

type Schema = Readonly<Record<string, unknown>>

/** The member for structured content that does not match the server's own output schema. */
const UNMATCHED = 'unmatched_output'

/** The form of such content in the listed schema. */
const UNMATCHED_FORM = { type: 'object', properties: { [UNMATCHED]: {} }, required: [UNMATCHED] }

/** An output schema, as it is listed. */
type ListedOutput = { type: 'object'; [keyword: string]: unknown }

/**
 * The output schema that is listed: the server's own, or an object with content that does not match it, because clients of the
 * official SDKs discard such a result. It lacks formats and the patterns that the gateway cannot check, so that the gateway and
 * the clients agree about a result.
 */
export function listedOutputSchema({ $schema, ...schema }: Schema): ListedOutput {
  return { ...($schema !== undefined && { $schema }), type: 'object', anyOf: [underFirstForm(schema), UNMATCHED_FORM] }
}

/** Keywords whose members are schemas by any name, and keywords whose values are no schemas. */
const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'])
const VALUES = new Set(['const', 'enum', 'default', 'examples', 'required'])
/** Look-around and back-references, which cannot run in linear time. */
const UNCHECKED = /\(\?(?:[=!]|<[=!])|\\[1-9k]/

/** A schema whose references lead to the first form of the listed one. */
function underFirstForm(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(underFirstForm)
  if (!isJsonObject(schema)) return schema
  const members = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (keyword === '$id' || keyword === 'format') return []
    if (keyword === 'pattern' && typeof value === 'string' && UNCHECKED.test(value)) return []
    if (keyword === '$ref' || keyword === '$dynamicRef') return [[keyword, moved(value)]]
    if (VALUES.has(keyword)) return [[keyword, value]]
    if (!MAPS.has(keyword) || !isJsonObject(value)) return [[keyword, underFirstForm(value)]]
    return [[keyword, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, underFirstForm(one)]))]]
  })
  return Object.fromEntries(members)
}

function moved(reference: unknown): unknown {
  return typeof reference === 'string' ? reference.replace(/^#(?=\/|$)/, '#/anyOf/0') : reference
}

/** The members of a tool's result that the output schema is about. */
interface Result {
  structuredContent?: Record<string, unknown> | undefined
  isError?: boolean | undefined
}

/** The result in a form that the listed output schema allows. An error without structured content needs none. */
export function listedResult<R extends Result>(result: R, matches: (content: unknown) => boolean): R {
  const { structuredContent, isError } = result
  if (structuredContent === undefined)
    return isError === true ? result : { ...result, structuredContent: { [UNMATCHED]: null } }
  return matches(structuredContent) ? result : { ...result, structuredContent: { [UNMATCHED]: structuredContent } }
}
