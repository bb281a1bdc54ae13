/** Returns the steps of a JSON pointer (RFC 6901) from the root to the value. */
export function pointerSteps(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescapeStep)
}

/** Unescapes one step of a JSON pointer. */
export function unescapeStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** Follows the steps of a JSON pointer through own members. Returns undefined if a step does not exist. */
export function valueAt(root: unknown, steps: readonly string[]): unknown {
  let place = root
  for (const step of steps) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, step)) return undefined
    place = (place as Readonly<Record<string, unknown>>)[step]
  }
  return place
}
