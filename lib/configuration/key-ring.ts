import { createSecretKey, type KeyObject } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { type ConfigurationError, mustBe, splitList, type Variable, variable } from './variable.ts'

/** A key with an ID that is stored with everything made from it. A printed KeyObject does not show the key. */
export interface NamedKey {
  readonly id: string
  readonly key: KeyObject
}

/** Keys in rotation: the first one creates, all match or open. */
export type KeyRing = readonly [NamedKey, ...NamedKey[]]

/** The key of a variable that is not set. Reading it throws the fault, so that only what needs the key fails. */
class UnsetKey implements NamedKey {
  readonly #fault: ConfigurationError

  constructor(fault: ConfigurationError) {
    this.#fault = fault
  }

  get id(): string {
    throw this.#fault
  }

  get key(): KeyObject {
    throw this.#fault
  }
}

/** The ring of a variable that is not set, whose use throws the fault. */
export function unsetRing(fault: ConfigurationError): KeyRing {
  return [new UnsetKey(fault)]
}

/** The keys that are set: none of an unset ring. */
function keysOf(ring: KeyRing): readonly NamedKey[] {
  return ring.filter(key => !(key instanceof UnsetKey))
}

const ENTRY = /^([0-9A-Za-z_-]{1,32}):([0-9A-Za-z+/]+={0,2})$/
const MIN_BYTES = 32

export const API_KEY_PEPPERS = variable(
  'API_KEY_PEPPERS',
  Type.Optional(
    Type.String({
      description:
        'a comma-separated list of id:base64, each at least 32 random bytes with a unique ID, such as p1: and the output of openssl rand -base64 32',
    }),
  ),
  {
    doc: '`id:base64,…`, at least 32 bytes each. The first creates, all match',
    unset: 'generated in `DATA_DIR` in development, required elsewhere',
  },
)

export const VAULT_KEYS = variable(
  'VAULT_KEYS',
  Type.Optional(
    Type.String({
      description:
        'a comma-separated list of id:base64, each exactly 32 random bytes with a unique ID, such as v1: and the output of openssl rand -base64 32',
    }),
  ),
  {
    doc: '`id:base64,…`, exactly 32 bytes each (AES-256). The first seals, all open',
    unset: 'generated in `DATA_DIR` in development, required elsewhere',
  },
)

/** Parses the peppers of API keys from `id:base64,…`: at least 32 bytes each, the output of HMAC-SHA-256. */
export function parsePeppers(list: string): KeyRing {
  return parseKeyRing(API_KEY_PEPPERS, list, bytes => bytes >= MIN_BYTES)
}

/** Parses the vault keys from `id:base64,…`: exactly the 32 bytes of AES-256. */
export function parseVaultKeys(list: string): KeyRing {
  return parseKeyRing(VAULT_KEYS, list, bytes => bytes === MIN_BYTES)
}

function parseKeyRing(source: Variable, list: string, fits: (bytes: number) => boolean): KeyRing {
  const keys = splitList(list).map(entry => {
    const [, id = '', base64 = ''] = ENTRY.exec(entry) ?? []
    const secret = Buffer.from(base64, 'base64')
    // Buffer.from stops silently at invalid base64, so the result must encode to the same text.
    if (!fits(secret.length) || secret.toString('base64') !== base64) throw mustBe(source)
    return { id, key: createSecretKey(secret) }
  })
  const [first, ...rest] = keys
  if (first === undefined || new Set(keys.map(({ id }) => id)).size < keys.length) throw mustBe(source)
  return [first, ...rest]
}

/** The keys of a ring in several encodings, for the log. Base64 without padding, which a copied key may lack. */
export function keyEncodings(ring: KeyRing): string[] {
  return keysOf(ring).flatMap(({ key }) => {
    const bytes = key.export()
    return [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url'), bytes.toString('hex')]
  })
}
