import type { AccountSettings } from '../../../accounts/account.ts'
import type { Joined, Template } from '../../../definitions/http-tool.ts'
import { PLACEHOLDER, settingOf } from '../../../definitions/placeholders.ts'

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
  return isJoined(template) ? compileJoined(template) : compileObject(template as Record<string, Template>)
}

/** Compiles the members of a query or a body. The object stays even if all members are left out. */
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

function compileArray(template: readonly Template[]): Fill {
  const items = template.map(compileTemplate)
  return function fill(scope) {
    const filled = items.map(item => item(scope)).filter(value => value !== undefined)
    return filled.length === 0 && items.length > 0 ? undefined : filled
  }
}

function compileObject(template: Readonly<Record<string, Template>>): Fill {
  const fill = compileMembers(template)
  const varying = Object.keys(template).filter(name => hasPlaceholder(template[name]))
  if (varying.length === 0) return fill
  return function fillOrLeave(scope) {
    const filled = fill(scope)
    return varying.some(name => name in filled) ? filled : undefined
  }
}

function hasPlaceholder(template: Template | undefined): boolean {
  if (typeof template === 'string') return PLACEHOLDER.test(template)
  if (typeof template !== 'object' || template === null) return false
  return isJoined(template) || Object.values(template).some(hasPlaceholder)
}

function isJoined(template: object): template is Joined {
  return '$join' in template
}
