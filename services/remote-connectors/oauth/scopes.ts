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
