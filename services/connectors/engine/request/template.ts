import type { AccountSettings } from '../../../accounts/account.ts'
import type { Joined, Template } from '../../../definitions/http-tool.ts'
import { PLACE, settingOf } from '../../../definitions/placeholders.ts'

/** What a template is filled from. */
export interface Scope {
  /** Arguments, with their defaults; of a paged tool also what its pagination asks for. */
  readonly args: Readonly<Record<string, unknown>>
  readonly settings: AccountSettings
}

/** Fills a template; undefined where it is left out. */
export type Fill<T = unknown> = (scope: Scope) => T | undefined

/**
 * Makes what fills a template. A bare `{name}` has the argument's own type. A text that misses an argument is left out,
 * and so are an array without items and an object in which no place was filled, whatever constants stand beside.
 */
export function compileTemplate(template: Template): Fill {
  if (typeof template === 'string') return compileText(template)
  if (typeof template !== 'object' || template === null) return () => template
  if (Array.isArray(template)) return compileArray(template)
  return isJoined(template) ? compileJoined(template) : compileObject(template as Record<string, Template>)
}

/** Makes what fills the members of a query or a body, which stays when all of them are left out. */
export function compileMembers(
  template: Readonly<Record<string, Template>>,
): (scope: Scope) => Record<string, unknown> {
  const members = Object.entries(template).map(([name, member]) => [name, compileTemplate(member)] as const)
  return function fill(scope) {
    const filled: Record<string, unknown> = {}
    for (const [name, member] of members) {
      const value = member(scope)
      if (value !== undefined) filled[name] = value
    }
    return filled
  }
}

/** Makes what reads one place: an argument, or `settings.<name>`. Inherited members are nothing. */
export function compilePlace(name: string): Fill {
  const setting = settingOf(name)
  if (setting !== undefined) return ({ settings }) => (Object.hasOwn(settings, setting) ? settings[setting] : undefined)
  return ({ args }) => (Object.hasOwn(args, name) ? args[name] : undefined)
}

/** A text with places in it, as text; undefined where one of them is absent. */
export function compileInterpolation(template: string): Fill<string> {
  const parts = template.split(new RegExp(PLACE, 'g'))
  // Texts stand at the even indexes, the names of places between them.
  const fills = parts.map((part, index) => (index % 2 === 0 ? part : compilePlace(part)))
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

/** An argument within text. */
export function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function compileText(template: string): Fill {
  const bare = new RegExp(`^${PLACE.source}$`).exec(template)?.[1]
  if (bare !== undefined) return compilePlace(bare)
  return PLACE.test(template) ? compileInterpolation(template) : () => template
}

function compileJoined({ $join, separator }: Joined): Fill<string> {
  const place = compilePlace($join)
  return function fill(scope) {
    const value = place(scope)
    if (value === undefined) return undefined
    return Array.isArray(value) ? value.map(textOf).join(separator) : textOf(value)
  }
}

function compileArray(template: readonly Template[]): Fill {
  const items = template.map(compileTemplate)
  return function fill(scope) {
    const filled = items.map(item => item(scope)).filter(value => value !== undefined)
    return filled.length === 0 && items.length > 0 ? undefined : filled
  }
}

function compileObject(template: Readonly<Record<string, Template>>): Fill {
  const fill = compileMembers(template)
  const varying = Object.keys(template).filter(name => hasPlace(template[name]))
  if (varying.length === 0) return fill
  return function fillOrLeave(scope) {
    const filled = fill(scope)
    return varying.some(name => name in filled) ? filled : undefined
  }
}

function hasPlace(template: Template | undefined): boolean {
  if (typeof template === 'string') return PLACE.test(template)
  if (typeof template !== 'object' || template === null) return false
  return isJoined(template) || Object.values(template).some(hasPlace)
}

function isJoined(template: object): template is Joined {
  return '$join' in template
}
