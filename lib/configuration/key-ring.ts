import { createSecretKey, type KeyObject } from 'node:crypto'
import { mustBe, splitList } from './variable.ts'

/** A secret under a name that is stored beside what was made with it. A KeyObject shows nothing of itself when printed. */
export interface NamedKey {
  readonly id: string
  readonly key: KeyObject
}

/** Secrets that take turns: the first makes, all match or open. */
export type KeyRing = readonly [NamedKey, ...NamedKey[]]

const ENTRY = /^([0-9A-Za-z_-]{1,32}):([0-9A-Za-z+/]+={0,2})$/
const MIN_BYTES = 32

/** The peppers of API keys, from `id:base64,…`: at least 32 bytes each, the output of HMAC-SHA-256. */
export function parsePeppers(list: string): KeyRing {
  return parseKeyRing('API_KEY_PEPPERS', list, bytes => bytes >= MIN_BYTES)
}

/** The keys that seal credentials, from `id:base64,…`: exactly the 32 bytes that AES-256 takes. */
export function parseVaultKeys(list: string): KeyRing {
  return parseKeyRing('VAULT_KEYS', list, bytes => bytes === MIN_BYTES)
}

function parseKeyRing(
  variable: 'API_KEY_PEPPERS' | 'VAULT_KEYS',
  list: string,
  fits: (bytes: number) => boolean,
): KeyRing {
  const keys = splitList(list).map(entry => {
    const [, id = '', base64 = ''] = ENTRY.exec(entry) ?? []
    const secret = Buffer.from(base64, 'base64')
    // Buffer.from stops silently at what is not base64: only a text that comes out again was read whole.
    if (!fits(secret.length) || secret.toString('base64') !== base64) throw mustBe(variable)
    return { id, key: createSecretKey(secret) }
  })
  const [first, ...rest] = keys
  if (first === undefined || new Set(keys.map(({ id }) => id)).size < keys.length) throw mustBe(variable)
  return [first, ...rest]
}
