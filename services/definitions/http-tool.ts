import { type Kind, type TProperties, Type } from '@sinclair/typebox'
import { hasFile, isFileArgument, isFilePart } from './file-argument.ts'
import type { BodyTemplate, Field, HttpTool, ResultSelection } from './http-tool-types.ts'
import { isPointer, isUrlPlace, PATH_PLACEHOLDER, placeholdersOf, settingOf } from './placeholders.ts'
import { filePlaces, keptPlaces, requestsOf, stepFaults } from './step.ts'

/** Names members like their arguments: `sameNames('title', 'body')` is `{ title: '{title}', body: '{body}' }`. */
export function sameNames<const Name extends string>(...names: readonly Name[]): { readonly [name in Name]: string } {
  return Object.fromEntries(names.map(name => [name, `{${name}}`])) as { [name in Name]: string }
}

/** Keeps these members of the object at a JSON pointer, or of each item of an array there; all if none are named. */
export function pick(pointer: string, fields: readonly Field[]): ResultSelection {
  return { kind: 'pick', pointer, fields }
}

/** Returns the body unchanged: a file's text, a diff. */
export function text(): ResultSelection {
  return { kind: 'text' }
}

/** Returns a log page by page, its end first. The tool has the arguments `from` and `cursor` (`logPage`). */
export function log(): ResultSelection {
  return { kind: 'log', from: '{from}', cursor: '{cursor}' }
}

/** Returns a text that confirms success, for answers without a useful body. */
export function done(text: string): ResultSelection {
  return { kind: 'done', text }
}

/** Stores the body as an artifact and returns its signed URL. Without a name, it gets the one that the provider sends. */
export function file(name = ''): ResultSelection {
  return { kind: 'file', name }
}

/** A tool as authors write it: arguments by name, and no others. */
export interface HttpToolDefinition extends Omit<HttpTool, 'input'> {
  // The compiler would also accept a schema as a record of schemas.
  readonly input: TProperties & { readonly [Kind]?: never }
}

/** Closes the input and checks what the types cannot express. Throws a TypeError. */
export function httpTool({ input, ...rest }: HttpToolDefinition): HttpTool {
  const tool: HttpTool = { ...rest, input: Type.Object(input, { additionalProperties: false }) }
  checkHttpTool(tool)
  return Object.freeze(tool)
}

/**
 * Checks what the types of a tool cannot express: that placeholders and arguments match, that the path is valid, and
 * that a paged tool sends its limit and cursor. Throws a TypeError.
 */
function checkHttpTool(tool: HttpTool): void {
  const wrong = [
    ...argumentFaults(tool),
    ...stepFaults(tool),
    ...fileFaults(tool),
    ...requestsOf(tool).flatMap(request => pathFaults(tool, request)),
    ...pageFaults(tool),
    ...resultFaults(tool),
  ]
  if (wrong.length > 0) throw new TypeError(`Tool ${tool.operation} ${wrong.join('; ')}`)
}

function argumentFaults(tool: HttpTool): string[] {
  const { operation, input, steps = [], request, result, annotations, pagination, needsOneOf = [], needs = {} } = tool
  const names = new Set(Object.keys(input.properties))
  const own = new Set([...placeholdersOf(request), ...placeholdersOf(result)])
  const given = new Set([...names, ...filePlaces(input.properties), ...keptPlaces(tool)])
  const ofSteps = placeholdersOf(steps.map(step => step.request))
  const places = new Set([...own, ...ofSteps, ...steps.flatMap(step => [step.each, step.guard?.unless])])
  const faults: string[] = []
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(operation)) faults.push('is not named in snake case')
  if (names.has('account')) faults.push('has an argument named account, which every tool gets')
  for (const place of own)
    if (settingOf(place) === undefined && !given.has(place.replace(/^cursor\..*/, 'cursor')))
      faults.push(`has no argument named ${place}`)
  for (const name of needsOneOf) if (!names.has(name)) faults.push(`needs one of its arguments, but has no ${name}`)
  for (const name of Object.entries(needs).flat())
    if (!names.has(name)) faults.push(`needs arguments together, but has no ${name}`)
  for (const name of names)
    if (!places.has(name) && !(name === 'cursor' && pagination !== undefined))
      faults.push(`has no placeholder for the argument ${name}`)
  if (annotations.readOnlyHint && annotations.destructiveHint) faults.push('is both read-only and destructive')
  if (annotations.readOnlyHint && ['PUT', 'PATCH', 'DELETE'].includes(request.method))
    faults.push('is read-only but writes')
  if (requestsOf(tool).some(({ method, body }) => method === 'GET' && body !== undefined))
    faults.push('sends a body with GET')
  return faults
}

/** Files belong where only their content is sent: not in URLs, in headers, in other texts or in results. */
function fileFaults(tool: HttpTool): string[] {
  const { properties } = tool.input
  const faults: string[] = []
  const bodies = requestsOf(tool).flatMap(({ body }) => (body === undefined ? [] : [body]))
  const asFile = bodies.flatMap(filesOf)
  const files = Object.keys(properties).filter(name => hasFile(properties[name]))
  // Most tools take no file, and every start checks all tools.
  const inJson = files.length === 0 ? [] : bodies.flatMap(body => ('json' in body ? wholeTexts(body.json) : []))
  const places = files.length === 0 ? [] : placeholdersOf([requestsOf(tool), tool.result])
  for (const name of files) {
    const allowed = [...inJson, ...asFile].filter(text => text === `{${name}}`).length
    if (allowed < places.filter(place => place === name).length)
      faults.push(`sends the file argument ${name} where it cannot send a file`)
  }
  for (const text of asFile)
    if (!isFileArgument(properties[text.slice(1, -1)]))
      faults.push(`sends ${text} as a file, but it is not a file argument`)
  return faults
}

function filesOf(body: BodyTemplate): string[] {
  if ('raw' in body) return [isFilePart(body.raw) ? body.raw.$file.content : body.raw]
  if (!('multipart' in body)) return []
  return Object.values(body.multipart).flatMap(part => (isFilePart(part) ? [part.$file.content] : []))
}

/** The texts of a template, without those that are joined or converted. */
function wholeTexts(template: unknown): string[] {
  if (typeof template === 'string') return [template]
  if (typeof template !== 'object' || template === null || '$join' in template || '$convert' in template) return []
  return Object.values(template).flatMap(wholeTexts)
}

function pathFaults({ input }: HttpTool, { path, host, query }: HttpTool['request']): string[] {
  const faults: string[] = []
  if (isUrlPlace(path)) return host === undefined || query !== undefined ? [`has a URL without a host: ${path}`] : []
  const example = path.replace(/\{[^{}]*\}/g, 'x')
  // A URL parser would change such a path at each call.
  if (!path.startsWith('/') || URL.parse(`https://host.invalid${example}`)?.pathname !== example)
    faults.push(`has a path that a URL parser would change: ${path}`)
  for (const [, name = ''] of path.matchAll(new RegExp(PATH_PLACEHOLDER, 'g'))) {
    // What steps give, and their items, is always there.
    if (name.startsWith('+') || name.includes('.') || name === 'item') continue
    const given = input.required?.includes(name) || input.properties[name]?.default !== undefined
    if (!given) faults.push(`may be called without ${name}, which its path requires`)
  }
  return faults
}

function pageFaults({ input, request, pagination }: HttpTool): string[] {
  if (pagination === undefined) return []
  const { limit, cursor } = input.properties
  if (cursor === undefined) return ['is paged but has no cursor']
  const faults: string[] = []
  const places = placeholdersOf([request, 'nextPath' in pagination ? pagination.nextPath : ''])
  const positions = 'parameters' in pagination ? pagination.parameters.map(name => `cursor.${name}`) : ['cursor']
  const unsent = [...positions, ...(limit === undefined ? [] : ['limit'])].filter(name => !places.includes(name))
  if (unsent.length > 0) faults.push(`is paged but does not send its ${unsent.join(' and ')}`)
  // The number of items identifies the last page.
  if (limit !== undefined && !Number.isInteger(limit.default)) faults.push('is paged but its limit has no default')
  for (const [name, pointer] of Object.entries(pagination))
    if (['items', 'next', 'more', 'last', 'total', 'pages', 'id'].includes(name) && !isPointer(String(pointer)))
      faults.push(`pages by ${pointer}, which is not a JSON pointer`)
  return faults
}

function resultFaults({ result }: HttpTool): string[] {
  if (result.kind !== 'pick') return []
  const faults = isPointer(result.pointer) ? [] : [`picks at ${result.pointer}, which is not a JSON pointer`]
  for (const field of result.fields)
    if (!/^[^.|]+(\.[^.|]+)*(\|[a-z0-9-]+)?$/.test(field))
      faults.push(`picks the invalid field ${JSON.stringify(field)}`)
  return faults
}
