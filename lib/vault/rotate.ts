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

/** A key of the vault, and what would be lost without it. */
export interface VaultKeyUse {
  id: string
  /** Sealed values under it. */
  values: number
  /** False for one that VAULT_KEYS does not name: what stands under it does not open. */
  configured: boolean
}

/** How many sealed values stand under each key: the configured ones in their order, then those that are missed. */
async function vaultKeysInUse(db: Kysely<Database>, { keyIds }: Pick<Vault, 'keyIds'>): Promise<VaultKeyUse[]> {
  const values = new Map<string, number>(keyIds.map(id => [id, 0]))
  for (const column of SEALED_COLUMNS)
    for (const { key, values: found } of await countSealed(db, column)) values.set(key, (values.get(key) ?? 0) + found)
  return [...values].map(([id, values]) => ({ id, values, configured: keyIds.includes(id) }))
}

/** Moves sealed values from older keys to the first one, and tells which keys are in use. */
export interface VaultRotation {
  /**
   * Moves all there are, while they are used: a value that changes meanwhile keeps its change. Whatever stands under the
   * first key is done, so that a run that was ended early is taken up by the next. `left` counts values that are not
   * under the first key at the end: those that do not open, and those that a process with older keys has sealed.
   */
  rotate(options?: { signal?: AbortSignal }): Promise<{ rotated: number; left: number }>
  /** See vaultKeysInUse. */
  keysInUse(): Promise<VaultKeyUse[]>
  /** Says in one warning which keys are missed by sealed values; nothing when none is. */
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
      log.warn({ err: error, org: value.place.orgId }, 'a sealed value cannot be moved to another key')
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
        'credentials are sealed under vault keys that VAULT_KEYS does not name: their accounts cannot be used',
      )
    },
  }
}
