/** Reads one place of an answer; undefined where it has none. */
export type Pointer = (value: unknown) => unknown

/** Whether a text is a JSON pointer (RFC 6901, section 3). */
export function isPointer(text: string): boolean {
  return /^(?:\/(?:[^~/]|~[01])*)*$/.test(text)
}

/** Makes a reader of a JSON pointer: own members and items alone. Throws a TypeError on what is no pointer. */
export function compilePointer(pointer: string): Pointer {
  if (!isPointer(pointer)) throw new TypeError(`${pointer} is no JSON pointer`)
  const steps = pointer
    .split('/')
    .slice(1)
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  return function read(value) {
    let place = value
    for (const step of steps) {
      if (typeof place !== 'object' || place === null || !Object.hasOwn(place, step)) return undefined
      place = (place as Record<string, unknown>)[step]
    }
    return place
  }
}

/** What a JSON pointer leads to. */
export function readPointer(value: unknown, pointer: string): unknown {
  return compilePointer(pointer)(value)
}

/** What stands in the braces of a template that `fillPointers` fills. */
export function pointersIn(template: string): string[] {
  return [...template.matchAll(/\{([^{}]*)\}/g)].map(([, pointer = '']) => pointer)
}

/**
 * Fills `{/team} ({/user/id})` from an answer; undefined where it has none of the places.
 * A place that is missing beside others is left empty, an empty pair of brackets goes with it.
 */
export function fillPointers(template: string, answer: unknown): string | undefined {
  let found = false
  const text = template.replace(/\{(\/[^{}]*)\}/g, (_, pointer: string) => {
    const value = readPointer(answer, pointer)
    if (value === null || value === '' || !['string', 'number', 'boolean'].includes(typeof value)) return ''
    found = true
    return String(value)
  })
  return found ? text.replaceAll('()', '').trim() : undefined
}

/** A place in a text: an argument, or `settings.<name>`. */
export const PLACE = /\{([A-Za-z_][\w.]*)\}/
/** The same in the path of a tool, where `{+name}` keeps slashes. */
export const PATH_PLACE = /\{(\+?[A-Za-z_][\w.]*)\}/

/** The setting of the account that a place stands for; undefined where it stands for something else. */
export function settingOf(place: string): string | undefined {
  return place.startsWith('settings.') ? place.slice('settings.'.length) : undefined
}

/** The names of all places in a template, in a path, or in whatever is made of them. */
export function placesOf(template: unknown): string[] {
  if (typeof template === 'string')
    return [...template.matchAll(new RegExp(PATH_PLACE, 'g'))].map(([, place = '']) => place.replace('+', ''))
  if (Array.isArray(template)) return template.flatMap(placesOf)
  if (typeof template !== 'object' || template === null) return []
  if ('$join' in template) return [String(template.$join)]
  // A GraphQL document has braces of its own.
  return Object.entries(template).flatMap(([name, value]) => (name === 'graphql' ? [] : placesOf(value)))
}
