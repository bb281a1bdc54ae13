import { GatewayError } from '../../../../lib/errors/errors.ts'

/** The positions of the value in a condition: a text, the end of a search clause, or a literal. */
const PLACES = /'\?'|"([^"?]*)\?"|\?/g
/** The literals that OData writes without quotes: times, numbers, true and false. */
const LITERAL = /^[\w.:+-]+$/

/**
 * Joins conditions of OData with `and`, from an object of values by condition as JSON. In a condition, `'?'` is its value
 * as a text, `"name:?"` a clause of a search, and `?` the value as it is. Throws invalid_request for a value that needs
 * quotes and has none.
 */
export function odata(json: string): string {
  const conditions: Readonly<Record<string, unknown>> = JSON.parse(json)
  return Object.entries(conditions)
    .map(([condition, value]) => condition.replace(PLACES, (place, name) => written(String(value), place, name)))
    .join(' and ')
}

function written(value: string, place: string, name: string | undefined): string {
  if (name !== undefined) return `"${name}${value.replace(/["\\]/g, '\\$&')}"`
  if (place !== '?') return `'${value.replaceAll("'", "''")}'`
  if (LITERAL.test(value)) return value
  throw new GatewayError('invalid_request', `A filter cannot compare with ${JSON.stringify(value)}. Correct it.`)
}
