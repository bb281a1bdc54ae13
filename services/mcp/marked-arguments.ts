import { isJsonObject } from './json-object.ts'

/** What an argument must be to be repeated in a header. */
type Repeated = string | number | boolean

/**
 * The arguments that a tool's schema marks with `x-mcp-header`, each with its mark, for the `Mcp-Param-*` headers that
 * repeat them (2026-07-28). An argument that is absent or null asks for no header. Marks count along `properties`
 * alone, at any depth.
 */
export function markedArguments(schema: object, args: unknown): readonly (readonly [mark: string, value: Repeated])[] {
  const marked: [string, Repeated][] = []
  collect(schema, args, marked)
  return marked
}

function collect(schema: object, args: unknown, marked: [string, Repeated][]): void {
  const properties = 'properties' in schema ? schema.properties : undefined
  if (!isJsonObject(properties) || !isJsonObject(args)) return
  for (const name in properties) {
    const property = properties[name]
    if (!isJsonObject(property) || !Object.hasOwn(args, name)) continue
    const mark = property['x-mcp-header']
    const value = args[name]
    if (typeof mark !== 'string') collect(property, value, marked)
    else if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
      marked.push([mark, value])
  }
}
