/** As long as what is stored of an upstream's metadata may be: its URLs stand in entries that members and models read. */
const MAX_LENGTH = 2_048
const VISIBLE = /^[\x21-\x7e]+$/

/**
 * An http or https URL that a server publishes of itself, where it can be kept and shown to the letter: visible ASCII,
 * with no user in it and no fragment; else undefined.
 */
export function publishedUrl(text: unknown): URL | undefined {
  if (typeof text !== 'string' || text.length > MAX_LENGTH || !VISIBLE.test(text)) return undefined
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  return url.hash === '' && url.username === '' && url.password === '' ? url : undefined
}

/** Scopes of one authorization at most, and characters of one. */
const MAX_SCOPES = 64
const MAX_SCOPE = 256

/** What a scope may consist of (RFC 6749, section 3.3). */
const SCOPE = new RegExp(`^[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,${MAX_SCOPE}}$`)

export function isScope(value: unknown): value is string {
  return typeof value === 'string' && SCOPE.test(value)
}

/** The scopes that a server lists, each once and in its order, without what is none; empty where there is no list. */
export function scopesIn(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return []
  const scopes = list.filter(isScope)
  return [...new Set(scopes)].slice(0, MAX_SCOPES)
}
