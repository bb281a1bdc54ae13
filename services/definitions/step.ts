import type { TSchema } from '@sinclair/typebox'
import { isFileArgument } from './file-argument.ts'
import type { HttpTool, RequestTemplate, Step } from './http-tool-types.ts'
import { isPointer, placeholdersOf, settingOf } from './placeholders.ts'

/** The maximum number of items for which a step runs. */
export const MAX_ITEMS = 50
/** The maximum number of steps before the request of a tool. */
const MAX_STEPS = 8

/** Whether a step changes something that a repetition would change again. */
function stepWrites({ writes, request }: Step): boolean {
  return writes ?? request.method !== 'GET'
}

/** Returns the tool that consists of the request of one step, to be compiled and sent like any other. */
export function toolOfStep({ steps: _, pagination: __, ...tool }: HttpTool, step: Step): HttpTool {
  return {
    ...tool,
    annotations: { ...tool.annotations, readOnlyHint: !stepWrites(step) },
    request: step.request,
    result: { kind: 'pick', pointer: '', fields: [] },
  }
}

/** Returns all requests of a tool in their order: those of its steps, then its own. */
export function requestsOf({ steps = [], request }: Pick<HttpTool, 'steps' | 'request'>): RequestTemplate[] {
  return [...steps.map(step => step.request), request]
}

/** Returns the placeholders of a file argument other than the file: its size, its name and its media type. */
export function filePlaces(properties: Readonly<Record<string, TSchema>>): string[] {
  return Object.keys(properties)
    .filter(name => isFileArgument(properties[name]))
    .flatMap(name => [`${name}.bytes`, `${name}.name`, `${name}.type`])
}

/** Checks the steps of a tool: their names, and that each uses only what is known before it. */
export function stepFaults({ input, steps = [], annotations }: HttpTool): string[] {
  const faults: string[] = steps.length > MAX_STEPS ? [`has more than ${MAX_STEPS} steps`] : []
  const known = new Set([...Object.keys(input.properties), ...filePlaces(input.properties)])
  const names = new Set(known)
  for (const step of steps) {
    const { name, request, keep = {}, each, given = [], until, guard } = step
    const fault = (text: string) => faults.push(`has a step ${name} that ${text}`)
    if (!/^[a-z][a-z0-9_]*$/.test(name)) fault('is not named in snake case')
    if (names.has(name) || ['settings', 'cursor', 'item'].includes(name)) fault('has the name of something else')
    for (const place of placeholdersOf(request))
      if (settingOf(place) === undefined && !known.has(place) && !(each !== undefined && /^item(\.\w+)?$/.test(place)))
        fault(`uses ${place}, which nothing before it gives`)
    if (each !== undefined && !isBounded(each, input.properties, known))
      fault(`runs for each item of ${each}, which is no list of at most ${MAX_ITEMS} items`)
    for (const argument of given)
      if (input.properties[argument] === undefined) fault(`runs with ${argument}, which is no argument`)
    if (until !== undefined && (stepWrites(step) || each !== undefined))
      fault('repeats its request, although it writes or runs for each item')
    if (annotations.readOnlyHint && stepWrites(step)) fault('writes, although the tool only reads')
    const kept = Object.values(keep).map(value => (typeof value === 'string' ? value : value.pointer))
    if (guard !== undefined && input.properties[guard.unless] === undefined)
      fault(`names ${guard.unless} in its guard, which is not an argument`)
    for (const pointer of [...kept, ...(until ? [until.pointer] : []), ...(guard ? [guard.at] : [])])
      if (!isPointer(pointer)) fault(`reads ${pointer}, which is not a JSON pointer`)
    names.add(name)
    if (each !== undefined) known.add(name)
    for (const value of Object.keys(keep)) known.add(`${name}.${value}`)
  }
  return faults
}

/** Whether a list argument is bounded by its schema. The engine bounds the lists that steps keep. */
function isBounded(name: string, properties: Readonly<Record<string, TSchema>>, known: ReadonlySet<string>): boolean {
  const schema = properties[name]
  return schema === undefined ? known.has(name) : schema.type === 'array' && schema.maxItems <= MAX_ITEMS
}

/** Returns the placeholders that the steps of a tool give to its own request. */
export function keptPlaces({ steps = [] }: Pick<HttpTool, 'steps'>): string[] {
  return steps.flatMap(({ name, keep = {}, each }) => [
    ...(each === undefined ? [] : [name]),
    ...Object.keys(keep).map(kept => `${name}.${kept}`),
  ])
}
