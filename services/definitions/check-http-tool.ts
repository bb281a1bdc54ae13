import type { HttpTool } from './http-tool.ts'
import { isPointer, PATH_PLACE, placesOf, settingOf } from './placeholders.ts'

/**
 * Checks what the types of a tool cannot: that its places are arguments and its arguments have a place, that its path is
 * one, and that a paged tool has what pages are asked for by. Throws a TypeError.
 */
export function checkHttpTool(tool: HttpTool): void {
  const wrong = [...argumentFaults(tool), ...pathFaults(tool), ...pageFaults(tool), ...resultFaults(tool)]
  if (wrong.length > 0) throw new TypeError(`Tool ${tool.operation} ${wrong.join('; ')}`)
}

function argumentFaults({ operation, input, request, result, annotations }: HttpTool): string[] {
  const names = new Set(Object.keys(input.properties))
  const places = new Set([...placesOf(request), ...placesOf(result)])
  const faults: string[] = []
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(operation)) faults.push('is not named in snake case')
  if (names.has('account')) faults.push('has an argument named account, which every tool gets')
  for (const place of places)
    if (settingOf(place) === undefined && !names.has(place)) faults.push(`has no argument named ${place}`)
  for (const name of names) if (!places.has(name)) faults.push(`has no place for the argument ${name}`)
  if (annotations.readOnlyHint && annotations.destructiveHint) faults.push('reads only and destroys')
  if (annotations.readOnlyHint && ['PUT', 'PATCH', 'DELETE'].includes(request.method))
    faults.push('reads only and writes')
  if (request.method === 'GET' && request.body !== undefined) faults.push('sends a body with GET')
  return faults
}

function pathFaults({ input, request: { path } }: HttpTool): string[] {
  const faults: string[] = []
  const example = path.replace(/\{[^{}]*\}/g, 'x')
  // What a URL parser would change, it would change at each call.
  if (!path.startsWith('/') || URL.parse(`https://host.invalid${example}`)?.pathname !== example)
    faults.push(`has no plain path: ${path}`)
  for (const [, name = ''] of path.matchAll(new RegExp(PATH_PLACE, 'g'))) {
    if (name.startsWith('+') || settingOf(name) !== undefined) continue
    const given = input.required?.includes(name) || input.properties[name]?.default !== undefined
    if (!given) faults.push(`may be called without ${name}, which its path needs`)
  }
  return faults
}

function pageFaults({ input, request, pagination }: HttpTool): string[] {
  if (pagination === undefined) return []
  const { limit, cursor } = input.properties
  if (limit === undefined || cursor === undefined) return ['is paged and has no limit and cursor']
  const faults: string[] = []
  const places = placesOf(request)
  if (!places.includes('limit') || !places.includes('cursor')) faults.push('is paged and asks for no limit and cursor')
  // The last page is told by how full it is.
  if (!Number.isInteger(limit.default)) faults.push('is paged and its limit has no default')
  for (const [name, pointer] of Object.entries(pagination))
    if (['items', 'next', 'more', 'total', 'id'].includes(name) && !isPointer(String(pointer)))
      faults.push(`pages by ${pointer}, which is no JSON pointer`)
  return faults
}

function resultFaults({ result }: HttpTool): string[] {
  if (result.kind !== 'pick') return []
  const faults = isPointer(result.pointer) ? [] : [`picks at ${result.pointer}, which is no JSON pointer`]
  for (const field of result.fields)
    if (field.split('.').includes('')) faults.push(`picks the field ${JSON.stringify(field)}`)
  return faults
}
