import { createSecretKey, type KeyObject } from 'node:crypto'
import { mustBe, splitList } from './variable.ts'

/** A key with an ID that is stored with everything made from it. A printed KeyObject does not show the key. */
export interface NamedKey {
  readonly id: string
  readonly key: KeyObject
}

/** Keys in rotation: the first one creates, all match or open. */
export type KeyRing = readonly [NamedKey, ...NamedKey[]]

const ENTRY = /^([0-9A-Za-z_-]{1,32}):([0-9A-Za-z+/]+={0,2})$/
const MIN_BYTES = 32

/** Parses the peppers of API keys from `id:base64,…`: at least 32 bytes each, the output of HMAC-SHA-256. */
export function parsePeppers(list: string): KeyRing {
  return parseKeyRing('API_KEY_PEPPERS', list, bytes => bytes >= MIN_BYTES)
}

/** Parses the vault keys from `id:base64,…`: exactly the 32 bytes of AES-256. */
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
    // Buffer.from stops silently at invalid base64, so the result must encode to the same text.
    if (!fits(secret.length) || secret.toString('base64') !== base64) throw mustBe(variable)
    return { id, key: createSecretKey(secret) }
  })
  const [first, ...rest] = keys
  if (first === undefined || new Set(keys.map(({ id }) => id)).size < keys.length) throw mustBe(variable)
  return [first, ...rest]
}
