import { pointerSteps, valueAt } from '../../lib/json-pointer.ts'

/** Reads one position of an answer; undefined if it is missing. */
export type Pointer = (value: unknown) => unknown

/** Whether a text is a JSON pointer (RFC 6901, section 3). */
export function isPointer(text: string): boolean {
  return /^(?:\/(?:[^~/]|~[01])*)*$/.test(text)
}

/** Compiles a JSON pointer. It reads only own members and items. Throws a TypeError for an invalid pointer. */
export function compilePointer(pointer: string): Pointer {
  if (!isPointer(pointer)) throw new TypeError(`${pointer} is not a JSON pointer`)
  const steps = pointerSteps(pointer)
  return value => valueAt(value, steps)
}

/** Returns the value at a JSON pointer. */
export function readPointer(value: unknown, pointer: string): unknown {
  return compilePointer(pointer)(value)
}

/** Returns the texts in the braces of a template for `fillPointers`. */
export function pointersIn(template: string): string[] {
  return [...template.matchAll(/\{([^{}]*)\}/g)].map(([, pointer = '']) => pointer)
}

/**
 * Fills `{/team} ({/user/id})` from an answer, and `{settings.site}` from an account's settings. Missing values become
 * empty, and empty parentheses are removed. Returns undefined if all values of the answer are missing.
 */
export function fillPointers(
  template: string,
  answer: unknown,
  settings: Readonly<Record<string, string>> = {},
): string | undefined {
  let found = false
  const text = template.replace(/\{(\/[^{}]*|settings\.\w+)\}/g, (_, place: string) => {
    const setting = settingOf(place)
    if (setting !== undefined) return Object.hasOwn(settings, setting) ? (settings[setting] ?? '') : ''
    const value = readPointer(answer, place)
    if (value === null || value === '' || !['string', 'number', 'boolean'].includes(typeof value)) return ''
    found = true
    return String(value)
  })
  return found ? text.replaceAll('()', '').trim() : undefined
}

/** A placeholder in a text: an argument, or `settings.<name>`. */
export const PLACEHOLDER = /\{([A-Za-z_][\w.$]*)\}/
/** A placeholder in the path of a tool, where `{+name}` keeps slashes. */
export const PATH_PLACEHOLDER = /\{(\+?[A-Za-z_][\w.$]*)\}/

const HOST_LABELS =
  /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/

/** Whether a text is one or more labels of a host name, without a port. */
export function isHostLabels(text: string): boolean {
  return HOST_LABELS.test(text)
}

/** Whether a path is the placeholder of a whole URL, which an earlier step gives. */
export function isUrlPlace(path: string): boolean {
  return new RegExp(`^${PLACEHOLDER.source}$`).test(path)
}

/** Returns the setting that a placeholder names; undefined if it names something else. */
export function settingOf(place: string): string | undefined {
  return place.startsWith('settings.') ? place.slice('settings.'.length) : undefined
}

/** Returns the names of all placeholders in a template, a path, or a structure of them. */
export function placeholdersOf(template: unknown): string[] {
  const places: string[] = []
  collectPlaceholders(template, places)
  return places
}

const EVERY_PLACEHOLDER = new RegExp(PATH_PLACEHOLDER, 'g')

/** Every start reads all templates several times, so this makes no lists on the way. */
function collectPlaceholders(template: unknown, places: string[]): void {
  if (typeof template === 'string') collectFromText(template, places)
  else if (Array.isArray(template)) for (const item of template) collectPlaceholders(item, places)
  else if (typeof template === 'object' && template !== null) collectFromObject(template, places)
}

function collectFromText(text: string, places: string[]): void {
  if (!text.includes('{')) return
  for (const [, place = ''] of text.matchAll(EVERY_PLACEHOLDER)) places.push(place.replace('+', ''))
}

function collectFromObject(template: object, places: string[]): void {
  if ('$join' in template) {
    places.push(String(template.$join))
    return
  }
  if ('$each' in template && 'part' in template) {
    places.push(String(template.$each))
    if ('keeping' in template) places.push(String(Object(template.keeping).list))
    places.push(...placeholdersOf(template.part).filter(place => place !== 'item' && !place.startsWith('item.')))
    return
  }
  // A GraphQL document has its own braces.
  for (const [name, value] of Object.entries(template)) if (name !== 'graphql') collectPlaceholders(value, places)
}
