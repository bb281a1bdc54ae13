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
