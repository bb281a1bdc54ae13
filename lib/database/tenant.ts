import {
  type DeleteQueryBuilder,
  type DeleteResult,
  type Insertable,
  type InsertQueryBuilder,
  type InsertResult,
  type Kysely,
  type SelectQueryBuilder,
  sql,
  type Transaction,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely'
import type { Database, TenantTable } from './tables.ts'

/** A row to be inserted, without the organization: the handle adds it. */
export type TenantRow<T extends TenantTable> = Omit<Insertable<Database[T]>, 'org_id'>

/** One organization's rows: every query it starts already names the organization. Joins name the other table's. */
export interface OrgDatabase {
  readonly orgId: string
  selectFrom<T extends TenantTable>(table: T): SelectQueryBuilder<Database, T, Record<never, never>>
  insertInto<T extends TenantTable>(
    table: T,
    rows: TenantRow<T> | readonly TenantRow<T>[],
  ): InsertQueryBuilder<Database, T, InsertResult>
  updateTable<T extends TenantTable>(table: T): UpdateQueryBuilder<Database, T, T, UpdateResult>
  deleteFrom<T extends TenantTable>(table: T): DeleteQueryBuilder<Database, T, DeleteResult>
  /**
   * Runs in one transaction, or in the one this handle stands in. Use the handle that is passed: on the embedded
   * database, which has one session, any other would wait for ever.
   */
  transaction<R>(work: (org: OrgDatabase) => Promise<R>): Promise<R>
  /** What the handle stands on, for tables of no tenant and for enqueuing jobs in its transaction. */
  readonly db: Kysely<Database>
}

/** The rows of one organization, from a database or within a transaction. */
export function forOrg(db: Kysely<Database>, orgId: string): OrgDatabase {
  // Kysely resolves columns only of tables it knows by name, so one tenant table stands for all within this function.
  type One = 'memberships'
  const one = (table: TenantTable) => table as One

  return {
    orgId,
    db,
    selectFrom<T extends TenantTable>(table: T) {
      const query = db.selectFrom(one(table)).where(`${one(table)}.org_id`, '=', orgId)
      return query as unknown as SelectQueryBuilder<Database, T, Record<never, never>>
    },
    insertInto<T extends TenantTable>(table: T, rows: TenantRow<T> | readonly TenantRow<T>[]) {
      const list = (Array.isArray(rows) ? rows : [rows]) as TenantRow<One>[]
      const query = db.insertInto(one(table)).values(list.map(row => ({ ...row, org_id: orgId })))
      return query as unknown as InsertQueryBuilder<Database, T, InsertResult>
    },
    updateTable<T extends TenantTable>(table: T) {
      const query = db.updateTable(one(table)).where(`${one(table)}.org_id`, '=', orgId)
      return query as unknown as UpdateQueryBuilder<Database, T, T, UpdateResult>
    },
    deleteFrom<T extends TenantTable>(table: T) {
      const query = db.deleteFrom(one(table)).where(`${one(table)}.org_id`, '=', orgId)
      return query as unknown as DeleteQueryBuilder<Database, T, DeleteResult>
    },
    async transaction(work) {
      if (db.isTransaction) return work(forOrg(db, orgId))
      return db.transaction().execute(trx => work(forOrg(trx, orgId)))
    },
  }
}

/**
 * For the few queries that are about no single organization (a key by its hash, a user's memberships, sweepers): the
 * database without the guard that tests set on tenant tables.
 */
export function acrossOrgs(db: Transaction<Database>): Transaction<Database>
export function acrossOrgs(db: Kysely<Database>): Kysely<Database>
export function acrossOrgs(db: Kysely<Database>): Kysely<Database> {
  return db.withoutPlugins()
}

/**
 * Bounds the locks of a transaction: it waits 4 s at most for a row, and ends after 5 s without a statement. Otherwise a
 * process that stops in the middle would keep rows locked that other calls wait for.
 */
export async function boundLocks(trx: Kysely<Database>): Promise<void> {
  await sql`select gateway_bounded()`.execute(trx)
}
