import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { KeyRing } from '../configuration/key-ring.ts'

const FORMAT = 'v1'
const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Where a sealed value is stored. It opens nowhere else, so a moved or copied row is useless. */
export interface Place {
  table: string
  column: string
  orgId: string
  /** The row's key within the organization. */
  id: string
  /** Another value of the row that the secret is bound to: the provider it is sent to, or the user who may use it. */
  of?: string
}

/** A sealed secret, and the ID of its key. */
export interface Sealed {
  sealed: string
  keyId: string
}

/** A sealed value that does not open: it was altered or moved, or its key is not in VAULT_KEYS. */
export class VaultError extends Error {
  override readonly name = 'VaultError'
}

/** Encrypts secrets at rest, so that the database without the keys reveals none. */
export interface Vault {
  /** The ID of the key that seals. All keys of the ring open. */
  readonly keyId: string
  readonly keyIds: readonly string[]
  seal(place: Place, secret: string): Sealed
  /** Returns the secret; throws a VaultError. */
  open(place: Place, sealed: string): string
}

/**
 * Creates a vault with AES-256-GCM under the first key of the ring. The place and the key's ID are authenticated with
 * every value.
 */
export function createVault(ring: KeyRing): Vault {
  const [first] = ring

  return {
    // Read on use: a command that needs no secret runs without VAULT_KEYS.
    get keyId() {
      return first.id
    },
    get keyIds() {
      return ring.map(({ id }) => id)
    },

    seal(place, secret) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, first.key, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(bound(place, first.id))
      const bytes = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
      const sealed = [FORMAT, first.id, nonce.toString('base64url'), bytes.toString('base64url')].join('.')
      return { sealed, keyId: first.id }
    },

    open(place, sealed) {
      const [format, keyId = '', nonce = '', text = '', ...rest] = sealed.split('.')
      const key = ring.find(({ id }) => id === keyId)?.key
      if (format !== FORMAT || rest.length > 0)
        throw new VaultError(`A sealed value in ${place.table} does not have the format ${FORMAT}`)
      if (key === undefined)
        throw new VaultError(`VAULT_KEYS lacks the key ${keyId} of a sealed value in ${place.table}`)
      const iv = Buffer.from(nonce, 'base64url')
      const bytes = Buffer.from(text, 'base64url')
      if (iv.length !== NONCE_BYTES || bytes.length < TAG_BYTES) throw unopened(place)
      try {
        const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES })
        decipher.setAAD(bound(place, keyId))
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
        return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8')
      } catch {
        throw unopened(place)
      }
    },
  }
}

function bound({ table, column, orgId, id, of }: Place, keyId: string): Buffer {
  return Buffer.from(JSON.stringify([FORMAT, keyId, table, column, orgId, id, of]))
}

function unopened({ table, id }: Place): VaultError {
  return new VaultError(
    `The sealed value of ${id} in ${table} does not open: it was altered, or sealed for another row`,
  )
}
