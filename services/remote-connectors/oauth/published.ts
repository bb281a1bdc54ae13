/** The maximum length of a stored URL. Members and models read these URLs in entries. */
const MAX_LENGTH = 2_048
const VISIBLE = /^[\x21-\x7e]+$/

/**
 * A published http or https URL that can be stored and displayed unchanged: visible ASCII, without credentials and fragment.
 * Otherwise undefined.
 */
export function publishedUrl(text: unknown): URL | undefined {
  if (typeof text !== 'string' || text.length > MAX_LENGTH || !VISIBLE.test(text)) return undefined
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  return url.hash === '' && url.username === '' && url.password === '' ? url : undefined
}

/** The maximum number of scopes of an authorization, and the maximum length of a scope. */
const MAX_SCOPES = 64
const MAX_SCOPE = 256

/** The syntax of a scope (RFC 6749, section 3.3). */
const SCOPE = new RegExp(`^[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,${MAX_SCOPE}}$`)

export function isScope(value: unknown): value is string {
  return typeof value === 'string' && SCOPE.test(value)
}

/** The valid scopes of a published list, without duplicates, in its order; empty if it is not a list. */
export function scopesIn(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return []
  const scopes = list.filter(isScope)
  return [...new Set(scopes)].slice(0, MAX_SCOPES)
}
