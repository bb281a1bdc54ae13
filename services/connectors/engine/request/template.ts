import { GatewayError } from '../../../../lib/errors/errors.ts'
import type { AccountSettings } from '../../../accounts/account.ts'
import { compilePointer, PLACEHOLDER, placeholdersOf, settingOf } from '../../../definitions/placeholders.ts'
import type {
  Clearing,
  Concatenated,
  Converted,
  Each,
  Either,
  Joined,
  Keeping,
  Template,
} from '../../../definitions/template.ts'
import { CONVERTERS } from '../convert/converters.ts'

/** The values for the placeholders of a template. */
export interface Scope {
  /** The arguments with their defaults; for a paged tool, also its limit and cursor. */
  readonly args: Readonly<Record<string, unknown>>
  readonly settings: AccountSettings
}

/** Fills a template. Returns undefined if the template is left out. */
export type Fill<T = unknown> = (scope: Scope) => T | undefined

/**
 * Compiles a template. A bare `{name}` keeps the argument's type. A text with a missing argument is left out, as are an
 * array without items and an object without any filled placeholder, even if it has constants.
 */
export function compileTemplate(template: Template): Fill {
  if (typeof template === 'string') return compileText(template)
  if (typeof template !== 'object' || template === null) return () => template
  if (Array.isArray(template)) return compileArray(template)
  if ('$join' in template) return compileJoined(template as Joined)
  if ('$convert' in template) return compileConverted(template as Converted)
  if ('$clearing' in template) return compileClearing(template as Clearing)
  if ('$each' in template) return compileEach(template as Each)
  if ('$either' in template) return compileEither(template as Either)
  if ('$concat' in template) return compileConcatenated(template as Concatenated)
  return compileObject(template as Record<string, Template>)
}

/** The name of the member whose value is an object with further members. */
const SPREAD = '...'

/**
 * Compiles the members of a query or a body. The object stays even if all members are left out. The result throws
 * invalid_request if an object argument repeats a member of the template.
 */
export function compileMembers(
  template: Readonly<Record<string, Template>>,
): (scope: Scope) => Record<string, unknown> {
  const members = Object.entries(template).map(([name, member]) => [name, compileTemplate(member)] as const)
  return function fill(scope) {
    const filled: Record<string, unknown> = {}
    for (const [name, member] of members) {
      const value = member(scope)
      if (name === SPREAD) spread(value, filled, template)
      else if (value !== undefined) filled[name] = value
    }
    return filled
  }
}

/** Adds the members of an object argument. A name of the template would silently replace what another argument says. */
function spread(value: unknown, filled: Record<string, unknown>, template: Readonly<Record<string, Template>>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    if (Object.hasOwn(template, name))
      throw new GatewayError('invalid_request', `${name} has its own argument. Leave it out of the object.`)
    Object.defineProperty(filled, name, { value: member, enumerable: true, configurable: true, writable: true })
  }
}

/** Compiles one placeholder: an argument, or `settings.<name>`. Ignores inherited members. */
export function compilePlaceholder(name: string): Fill {
  const setting = settingOf(name)
  if (setting !== undefined) return ({ settings }) => (Object.hasOwn(settings, setting) ? settings[setting] : undefined)
  return ({ args }) => (Object.hasOwn(args, name) ? args[name] : undefined)
}

/** Compiles a text with placeholders. The result is undefined if one of them is absent. */
export function compileInterpolation(template: string): Fill<string> {
  const parts = template.split(new RegExp(PLACEHOLDER, 'g'))
  // Literal texts are at the even indexes, placeholder names between them.
  const fills = parts.map((part, index) => (index % 2 === 0 ? part : compilePlaceholder(part)))
  return function fill(scope) {
    let text = ''
    for (const part of fills) {
      const value = typeof part === 'string' ? part : part(scope)
      if (value === undefined) return undefined
      text += textOf(value)
    }
    return text
  }
}

/** Converts an argument to text. */
export function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function compileText(template: string): Fill {
  const bare = new RegExp(`^${PLACEHOLDER.source}$`).exec(template)?.[1]
  if (bare !== undefined) return compilePlaceholder(bare)
  return PLACEHOLDER.test(template) ? compileInterpolation(template) : () => template
}

function compileJoined({ $join, separator }: Joined): Fill<string> {
  const place = compilePlaceholder($join)
  return function fill(scope) {
    const value = place(scope)
    if (value === undefined) return undefined
    return Array.isArray(value) ? value.map(textOf).join(separator) : textOf(value)
  }
}

function compileConverted({ $convert, value }: Converted): Fill {
  const fill = compileTemplate(value)
  const convert = CONVERTERS[$convert]
  return function fillConverted(scope) {
    const filled = fill(scope)
    return filled === undefined || filled === null ? filled : convert(textOf(filled))
  }
}

function compileClearing({ $clearing }: Clearing): Fill {
  const fill = compileTemplate($clearing)
  const places = placeholdersOf($clearing)
  return scope => (places.some(place => scope.args[place] === null) ? null : fill(scope))
}

function compileEach({ $each, part, keeping }: Each): Fill {
  const place = compilePlaceholder($each)
  const fill = compileTemplate(part)
  const membersOf = keeping && compileKeeping(keeping)
  return function fillEach(scope) {
    const items = place(scope)
    if (!Array.isArray(items)) return items
    const parts = items.map(item => fill({ ...scope, args: { ...scope.args, ...itemPlaces(item) } }))
    return membersOf === undefined ? parts : parts.map(membersOf(scope))
  }
}

/** Compiles the choice between a part and the member of the list at the provider that it names. */
function compileKeeping({ list, by }: Keeping): (scope: Scope) => (part: unknown) => unknown {
  const place = compilePlaceholder(list)
  const read = compilePointer(by)
  const identityOf = (member: unknown) => textOf(read(member)).toLowerCase()
  return function keep(scope) {
    const current = place(scope)
    const members = new Map(Array.isArray(current) ? current.map(member => [identityOf(member), member]) : [])
    return part => members.get(identityOf(part)) ?? part
  }
}

/** Returns the placeholders of one item of a list: `{item}`, and `{item.id}` of an object. */
export function itemPlaces(item: unknown): Record<string, unknown> {
  if (typeof item !== 'object' || item === null) return { item }
  return { item, ...Object.fromEntries(Object.entries(item).map(([name, value]) => [`item.${name}`, value])) }
}

function compileEither({ $either }: Either): Fill {
  const fills = $either.map(compileTemplate)
  return function fillFirst(scope) {
    for (const fill of fills) {
      const value = fill(scope)
      if (value !== undefined) return value
    }
    return undefined
  }
}

function compileConcatenated({ $concat }: Concatenated): Fill<string> {
  const fills = $concat.map(compileTemplate)
  return function fillConcatenated(scope) {
    const values = fills.map(fill => fill(scope))
    return values.includes(undefined) ? undefined : values.map(textOf).join('')
  }
}

function compileArray(template: readonly Template[]): Fill {
  const items = template.map(item => [compileTemplate(item), isEach(item)] as const)
  return function fill(scope) {
    const filled = items.flatMap(([item, spreads]) => {
      const value = item(scope)
      if (value === undefined) return []
      return spreads && Array.isArray(value) ? value : [value]
    })
    return filled.length === 0 && items.length > 0 ? undefined : filled
  }
}

function isEach(template: Template): boolean {
  return typeof template === 'object' && template !== null && '$each' in template
}

function compileObject(template: Readonly<Record<string, Template>>): Fill {
  const fill = compileMembers(template)
  const varying = Object.keys(template).filter(name => hasPlaceholder(template[name]))
  if (varying.length === 0) return fill
  const constants = Object.keys(template).length - varying.length
  return function fillOrLeave(scope) {
    const filled = fill(scope)
    return Object.keys(filled).length > constants ? filled : undefined
  }
}

function hasPlaceholder(template: Template | undefined): boolean {
  if (typeof template === 'string') return PLACEHOLDER.test(template)
  if (typeof template !== 'object' || template === null) return false
  return '$join' in template || '$each' in template || Object.values(template).some(hasPlaceholder)
}
