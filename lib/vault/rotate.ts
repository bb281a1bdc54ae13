import type { Kysely } from 'kysely'
import type { Logger } from '../../schemas/log.ts'
import type { Database } from '../database/tables.ts'
import {
  countSealed,
  SEALED_COLUMNS,
  type SealedColumn,
  type SealedValue,
  swapSealed,
  valuesNotUnder,
} from './sealed-values.ts'
import { type Vault, VaultError } from './vault.ts'

const BATCH = 100

/** A vault key and its use. */
export interface VaultKeyUse {
  id: string
  /** The number of values sealed with it. */
  values: number
  /** False if VAULT_KEYS does not have it: its values cannot be opened. */
  configured: boolean
}

/** Counts the sealed values per key: configured keys first, in their order, then missing keys. */
async function vaultKeysInUse(db: Kysely<Database>, { keyIds }: Pick<Vault, 'keyIds'>): Promise<VaultKeyUse[]> {
  const values = new Map<string, number>(keyIds.map(id => [id, 0]))
  for (const column of SEALED_COLUMNS)
    for (const { key, values: found } of await countSealed(db, column)) values.set(key, (values.get(key) ?? 0) + found)
  return [...values].map(([id, values]) => ({ id, values, configured: keyIds.includes(id) }))
}

/** Re-seals values with the first key, and reports which keys are in use. */
export interface VaultRotation {
  /**
   * Re-seals all values while they are in use: a concurrent change of a value is kept. Values under the first key are
   * done, so a later run continues an aborted one. `left` counts the values that are not under the first key at the
   * end: those that do not open, and those that a process with older keys sealed meanwhile.
   */
  rotate(options?: { signal?: AbortSignal }): Promise<{ rotated: number; left: number }>
  /** See vaultKeysInUse. */
  keysInUse(): Promise<VaultKeyUse[]>
  /** Logs one warning with the missing keys of sealed values, if there are any. */
  warnOfMissingKeys(): Promise<void>
}

export function createVaultRotation({
  db,
  vault,
  log,
}: {
  db: Kysely<Database>
  vault: Vault
  log: Logger
}): VaultRotation {
  async function move(column: SealedColumn, value: SealedValue): Promise<boolean> {
    try {
      return await swapSealed(db, column, value, vault.seal(value.place, vault.open(value.place, value.sealed)))
    } catch (error) {
      if (!(error instanceof VaultError)) throw error
      log.warn({ err: error, org: value.place.orgId }, 'cannot re-seal a value with another key')
      return false
    }
  }

  async function moveAll(column: SealedColumn, signal: AbortSignal | undefined): Promise<number> {
    let moved = 0
    for (let after = ''; ; ) {
      const batch = await valuesNotUnder(db, column, { key: vault.keyId, after, limit: BATCH })
      for (const value of batch) {
        if (signal?.aborted === true) return moved
        if (await move(column, value)) moved += 1
        after = value.row
      }
      if (batch.length < BATCH) return moved
    }
  }

  return {
    async rotate({ signal } = {}) {
      let rotated = 0
      for (const column of SEALED_COLUMNS) rotated += await moveAll(column, signal)
      const uses = await vaultKeysInUse(db, vault)
      const left = uses.filter(({ id }) => id !== vault.keyId).reduce((sum, { values }) => sum + values, 0)
      return { rotated, left }
    },

    keysInUse: () => vaultKeysInUse(db, vault),

    async warnOfMissingKeys() {
      const missing = (await vaultKeysInUse(db, vault)).filter(({ configured }) => !configured)
      if (missing.length === 0) return
      log.warn(
        { missing: missing.map(({ id, values }) => ({ id, values })) },
        `VAULT_KEYS lacks keys of sealed credentials: their accounts do not work. Add these keys behind yours: ${missing.map(({ id }) => id).join(', ')}`,
      )
    },
  }
}
