/** Returns the steps of a JSON pointer (RFC 6901) from the root to the value. */
export function pointerSteps(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescapeStep)
}

/** Unescapes one step of a JSON pointer. */
export function unescapeStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** Returns the value that the steps of a JSON pointer lead to, through own members only; undefined if there is none. */
export function valueAt(root: unknown, steps: readonly string[]): unknown {
  let place = root
  for (const step of steps) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, step)) return undefined
    place = (place as Readonly<Record<string, unknown>>)[step]
  }
  return place
}
