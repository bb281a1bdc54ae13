import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Test } from 'tap'
import { openDatabase } from '../../lib/database/open-database.ts'
import type { Database } from '../../lib/database/tables.ts'
import { PATIENT, silent, testDatabase, testDatabaseUrl, testPostgres } from '../fixtures/database.ts'
import { installInvariants } from './invariants.ts'

/** The keys of a test organization, by the suffix of their ids. */
export const KEYS = ['one', 'two'] as const

export type KeyName = (typeof KEYS)[number]

/** The id of an organization's key; null for a user without a key. */
export function keyId<Key extends KeyName | null>(orgId: string, key: Key) {
  return key === null ? null : `key_${orgId}_${key}`
}

/** Adds an organization with a member, two keys without a cap, and a wallet, unless it simulates an older version. */
export async function addOrganization(db: Kysely<Database>, { wallet = true } = {}): Promise<string> {
  const orgId = `org_${randomUUID().slice(0, 13)}`
  const userId = `usr_${orgId}`
  await sql`with
    organization as (insert into organizations (id, name, created_at) values (${orgId}, 'Test', now()) returning id as org_id),
    member as (insert into users (id, created_at) values (${userId}, now()) returning id as user_id),
    membership as (
      insert into memberships (org_id, user_id, role, created_at)
      select org_id, user_id, 'owner', now() from organization, member
    ),
    keys as (
      insert into api_keys (org_id, id, user_id, name, hash, pepper_id, prefix, last4, created_at)
      select org_id, 'key_' || org_id || '_' || key, user_id, key, org_id || key, 'test', 'cgw_test_', 'last', now()
      from organization, member, unnest(${KEYS}::text[]) as key
    )
    insert into wallets (org_id) select org_id from organization where ${wallet}`.execute(db)
  return orgId
}

export async function setCap(db: Kysely<Database>, orgId: string, key: KeyName, micros: number | null): Promise<void> {
  await sql`update api_keys set monthly_cap_micros = ${micros}
    where org_id = ${orgId} and id = ${keyId(orgId, key)}`.execute(db)
}

export async function suspend(db: Kysely<Database>, orgId: string, suspended: boolean): Promise<void> {
  await sql`update organizations set suspended_at = case when ${suspended} then now() end where id = ${orgId}`.execute(
    db,
  )
}

/** Sets the month of this connection, instead of that of the database's clock. */
export async function setMonth(db: Kysely<Database>, month: number): Promise<void> {
  await sql`select set_config('test.month', ${monthName(month)}, false)`.execute(db)
}

export function monthName(month: number): string {
  return `2026-0${month + 1}-01`
}

/**
 * A database for runs by the thousand, several connections at once where the engine has them, on which each connection
 * can be set to a month. It does not wait for the disk, because no test checks for losses after a crash.
 */
export async function ledgerDatabase(t: Test): Promise<Kysely<Database>> {
  const opened = testDatabaseUrl === undefined ? await testDatabase(t) : await hastyPostgres(t, testDatabaseUrl)
  // These tests read the rows of all organizations.
  const db = opened.db.withoutPlugins()
  await sql`create or replace function gateway_month() returns date language sql stable as $$
    select coalesce(nullif(current_setting('test.month', true), '')::date, date_trunc('month', now() at time zone 'utc')::date)
  $$`.execute(db)
  // No test here waits for surface events.
  for (const table of ['memberships', 'api_keys'])
    await sql.raw(`alter table ${table} disable trigger user`).execute(db)
  await installInvariants(db)
  return db
}

async function hastyPostgres(t: Test, server: string) {
  const url = new URL(await testPostgres(t, server))
  url.searchParams.set('options', '-c synchronous_commit=off -c deadlock_timeout=50ms')
  const database = await openDatabase({
    dataDir: '',
    log: silent,
    postgres: { ...PATIENT, url: url.href, maxConnections: 12 },
  })
  t.teardown(() => database.close())
  return database
}
