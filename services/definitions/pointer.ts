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
