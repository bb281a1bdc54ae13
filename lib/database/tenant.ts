import {
  type DeleteQueryBuilder,
  type DeleteResult,
  type InsertObject,
  type InsertQueryBuilder,
  type InsertResult,
  type Kysely,
  type SelectQueryBuilder,
  sql,
  type Transaction,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely'
import { retryDeadlocks } from './database-errors.ts'
import type { Database, TenantTable } from './tables.ts'

/** A row to insert, without org_id: the handle adds it. */
type TenantRow<T extends TenantTable> = Omit<InsertObject<Database, T>, 'org_id'>

/**
 * A handle on one organization's rows. Every query it starts already filters by the organization; joins must name the
 * other table's org_id.
 */
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
   * Runs in a transaction: a new one, or the one of this handle. Use only the handle passed to `work`: the embedded
   * database has one session, so any other handle would wait forever. After a deadlock, `work` runs again, so it must
   * change nothing outside of the database.
   */
  transaction<R>(work: (org: OrgDatabase) => Promise<R>): Promise<R>
  /**
   * The underlying database or transaction, for tables without org_id and for enqueuing jobs in the same transaction.
   */
  readonly db: Kysely<Database>
}

/** Creates the handle of one organization, on a database or a transaction. */
export function forOrg(db: Kysely<Database>, orgId: string): OrgDatabase {
  // Kysely resolves columns only for tables it knows by name, so one tenant table represents all of them here.
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
      return retryDeadlocks(() => db.transaction().execute(trx => work(forOrg(trx, orgId))))
    },
  }
}

/**
 * Returns the database without the guard that tests set on tenant tables, for the few queries across organizations (a
 * key by its hash, a user's memberships, sweepers).
 */
export function acrossOrgs(db: Transaction<Database>): Transaction<Database>
export function acrossOrgs(db: Kysely<Database>): Kysely<Database>
export function acrossOrgs(db: Kysely<Database>): Kysely<Database> {
  return db.withoutPlugins()
}

/**
 * Bounds a transaction: it waits at most 4 s for a row lock, and ends after 5 s without a statement. Otherwise a
 * process that stops in the middle would block other calls.
 */
export async function boundLocks(trx: Kysely<Database>): Promise<void> {
  await sql`select gateway_bounded()`.execute(trx)
}
