import { isHeaderName } from '../../mcp/headers.ts'
import type { Place } from './schema-places.ts'

const MARK = 'x-mcp-header'
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean'])

/**
 * What is wrong with the marks that have arguments repeated in headers, as the end of a sentence: clients must refuse
 * such a tool (MCP 2026-07-28, Streamable HTTP, custom headers from tool parameters).
 */
export function headerMarkFault(places: readonly Place[]): string | undefined {
  const names = new Set<string>()
  for (const { schema, property } of places) {
    if (typeof schema === 'boolean' || !Object.hasOwn(schema, MARK)) continue
    const name = schema[MARK]
    if (!property) return `has ${MARK} where it may not stand: only properties of properties carry it`
    if (typeof name !== 'string' || !isHeaderName(name)) return `has an ${MARK} that is no name of a header`
    if (!TYPES.has(schema.type)) return `has ${MARK} on an argument that is no string, integer or boolean`
    if (names.has(name.toLowerCase())) return `has the same ${MARK} twice`
    names.add(name.toLowerCase())
  }
  return undefined
}
