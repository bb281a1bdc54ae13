import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/tables.ts'
import { acrossOrgs } from '../database/tenant.ts'
import type { Place, Sealed } from './vault.ts'

/** The SQL expressions of a column with sealed values: the row, the parts of its binding, the value and its key. */
export interface SealedColumn {
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
export interface SealedValue {
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
export async function swapSealed(
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
export async function countSealed(
  db: Kysely<Database>,
  { table, sealed, keyId }: SealedColumn,
): Promise<{ key: string; values: number }[]> {
  const { rows } = await sql<{ key: string; values: number }>`
    select ${keyId} as key, count(*)::int as values from ${sql.table(table)}
    where ${sealed} is not null and ${keyId} is not null group by 1
  `.execute(acrossOrgs(db))
  return rows
}
