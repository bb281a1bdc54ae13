import type { HttpTool } from './http-tool.ts'
import { isPointer, PATH_PLACEHOLDER, placeholdersOf, settingOf } from './placeholders.ts'

/**
 * Checks what the types of a tool cannot express: that placeholders and arguments match, that the path is valid, and
 * that a paged tool sends its limit and cursor. Throws a TypeError.
 */
export function checkHttpTool(tool: HttpTool): void {
  const wrong = [...argumentFaults(tool), ...pathFaults(tool), ...pageFaults(tool), ...resultFaults(tool)]
  if (wrong.length > 0) throw new TypeError(`Tool ${tool.operation} ${wrong.join('; ')}`)
}

function argumentFaults({ operation, input, request, result, annotations }: HttpTool): string[] {
  const names = new Set(Object.keys(input.properties))
  const places = new Set([...placeholdersOf(request), ...placeholdersOf(result)])
  const faults: string[] = []
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(operation)) faults.push('is not named in snake case')
  if (names.has('account')) faults.push('has an argument named account, which every tool gets')
  for (const place of places)
    if (settingOf(place) === undefined && !names.has(place)) faults.push(`has no argument named ${place}`)
  for (const name of names) if (!places.has(name)) faults.push(`has no placeholder for the argument ${name}`)
  if (annotations.readOnlyHint && annotations.destructiveHint) faults.push('is both read-only and destructive')
  if (annotations.readOnlyHint && ['PUT', 'PATCH', 'DELETE'].includes(request.method))
    faults.push('is read-only but writes')
  if (request.method === 'GET' && request.body !== undefined) faults.push('sends a body with GET')
  return faults
}

function pathFaults({ input, request: { path } }: HttpTool): string[] {
  const faults: string[] = []
  const example = path.replace(/\{[^{}]*\}/g, 'x')
  // A URL parser would change such a path at each call.
  if (!path.startsWith('/') || URL.parse(`https://host.invalid${example}`)?.pathname !== example)
    faults.push(`has a path that a URL parser would change: ${path}`)
  for (const [, name = ''] of path.matchAll(new RegExp(PATH_PLACEHOLDER, 'g'))) {
    if (name.startsWith('+') || settingOf(name) !== undefined) continue
    const given = input.required?.includes(name) || input.properties[name]?.default !== undefined
    if (!given) faults.push(`may be called without ${name}, which its path requires`)
  }
  return faults
}

function pageFaults({ input, request, pagination }: HttpTool): string[] {
  if (pagination === undefined) return []
  const { limit, cursor } = input.properties
  if (limit === undefined || cursor === undefined) return ['is paged but has no limit and cursor']
  const faults: string[] = []
  const places = placeholdersOf(request)
  if (!places.includes('limit') || !places.includes('cursor'))
    faults.push('is paged but does not send its limit and cursor')
  // The number of items identifies the last page.
  if (!Number.isInteger(limit.default)) faults.push('is paged but its limit has no default')
  for (const [name, pointer] of Object.entries(pagination))
    if (['items', 'next', 'more', 'total', 'id'].includes(name) && !isPointer(String(pointer)))
      faults.push(`pages by ${pointer}, which is not a JSON pointer`)
  return faults
}

function resultFaults({ result }: HttpTool): string[] {
  if (result.kind !== 'pick') return []
  const faults = isPointer(result.pointer) ? [] : [`picks at ${result.pointer}, which is not a JSON pointer`]
  for (const field of result.fields)
    if (field.split('.').includes('')) faults.push(`picks the invalid field ${JSON.stringify(field)}`)
  return faults
}
