import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/tables.ts'
import { acrossOrgs } from '../lib/database/tenant.ts'
import { type Place, type Sealed, type Vault, VaultError } from '../lib/vault/vault.ts'
import type { Logger } from '../schemas/gateway/log.ts'

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

/** The SQL expressions of a column with sealed values: the row, the parts of its binding, the value and its key. */
interface SealedColumn {
  table: 'account_credentials' | 'oauth_clients' | 'connect_attempts' | 'remote_connectors' | 'assertion_keys' | 'jobs'
  column: string
  /** The row's unique, ordered key. */
  row: RawBuilder<string>
  orgId: RawBuilder<string>
  id: RawBuilder<string>
  of: RawBuilder<string | null>
  sealed: RawBuilder<string | null>
  keyId: RawBuilder<string>
  /** Sets the value and its key. */
  set(next: Sealed): RawBuilder<unknown>
}

const own = { column: 'sealed', orgId: sql<string>`org_id`, sealed: sql<string>`sealed`, keyId: sql<string>`key_id` }
const setOwn = ({ sealed, keyId }: Sealed) => sql`sealed = ${sealed}, key_id = ${keyId}`

/** All columns with sealed values; of jobs, only payloads that are sealed. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'account_credentials',
    ...own,
    row: sql`account_id`,
    id: sql`account_id`,
    of: sql`(select connector from accounts where accounts.id = account_id)`,
    set: setOwn,
  },
  {
    table: 'oauth_clients',
    ...own,
    row: sql`(org_id || ' ' || connector)`,
    id: sql`connector`,
    of: sql`null`,
    set: setOwn,
  },
  {
    table: 'connect_attempts',
    ...own,
    row: sql`(org_id || ' ' || id)`,
    id: sql`id`,
    of: sql`user_id`,
    set: setOwn,
  },
  {
    table: 'remote_connectors',
    ...own,
    row: sql`id`,
    id: sql`id`,
    of: sql`null`,
    set: setOwn,
  },
  {
    table: 'assertion_keys',
    ...own,
    orgId: sql`''`,
    row: sql`id`,
    id: sql`id`,
    of: sql`null`,
    set: setOwn,
  },
  {
    table: 'jobs',
    column: 'payload',
    row: sql`id`,
    orgId: sql`payload ->> 'orgId'`,
    id: sql`payload ->> 'id'`,
    of: sql`payload ->> 'connector'`,
    sealed: sql`payload ->> 'sealed'`,
    keyId: sql`payload ->> 'keyId'`,
    set: ({ sealed, keyId }) => sql`payload = payload || ${JSON.stringify({ sealed, keyId })}::jsonb`,
  },
]

/** A sealed value and its row. */
interface SealedValue {
  row: string
  place: Place
  sealed: string
}

/** Reads values under other keys than `key`, ordered by row, after a given row. */
export async function valuesNotUnder(
  db: Kysely<Database>,
  { table, column, row, orgId, id, of, sealed, keyId }: SealedColumn,
  { key, after, limit }: { key: string; after: string; limit: number },
): Promise<SealedValue[]> {
  const { rows } = await sql<{ row: string; orgId: string; id: string; of: string | null; sealed: string }>`
    select ${row} as row, ${orgId} as "orgId", ${id} as id, ${of} as "of", ${sealed} as sealed
    from ${sql.table(table)}
    where ${keyId} <> ${key} and ${sealed} is not null and ${row} > ${after}
    order by ${row} limit ${limit}
  `.execute(acrossOrgs(db))
  return rows.map(({ row, orgId, id, of, sealed }) => ({
    row,
    place: { table, column, orgId, id, ...(of !== null && { of }) },
    sealed,
  }))
}

/** Replaces a sealed value; false if it has changed meanwhile. */
async function swapSealed(
  db: Kysely<Database>,
  { table, row, sealed, set }: SealedColumn,
  value: SealedValue,
  next: Sealed,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(table)} set ${set(next)} where ${row} = ${value.row} and ${sealed} = ${value.sealed}
  `.execute(acrossOrgs(db))
  return numAffectedRows > 0n
}

/** Counts the values per key. */
async function countSealed(
  db: Kysely<Database>,
  { table, sealed, keyId }: SealedColumn,
): Promise<{ key: string; values: number }[]> {
  const { rows } = await sql<{ key: string; values: number }>`
    select ${keyId} as key, count(*)::int as values from ${sql.table(table)}
    where ${sealed} is not null and ${keyId} is not null group by 1
  `.execute(acrossOrgs(db))
  return rows
}
