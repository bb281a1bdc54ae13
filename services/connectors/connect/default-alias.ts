import { aliasKey, isAlias, MAX_ALIAS } from '../../accounts/alias.ts'

/** An alias made of what the provider calls the account, or of the connector's id; numbered if its key is taken. */
export function defaultAlias(identity: string, connector: string, taken: ReadonlySet<string>): string {
  const words = identity
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._@+-]+/gu, ' ')
    .replace(/^[^\p{L}\p{N}]+/u, '')
  const base = cut(words, MAX_ALIAS)
  const alias = isAlias(base) ? base : connector
  if (!taken.has(aliasKey(alias))) return alias
  for (let number = 2; ; number++) {
    const numbered = `${cut(alias, MAX_ALIAS - 1 - String(number).length)}-${number}`
    if (!taken.has(aliasKey(numbered))) return numbered
  }
}

function cut(text: string, characters: number): string {
  return [...text].slice(0, characters).join('').trim()
}
