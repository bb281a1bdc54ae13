import { type Kysely, sql } from 'kysely'

/**
 * Why the first snapshot of a registration was refused although its server answered: a sentence for people. Null where
 * no snapshot was refused, and again once one is served.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table remote_connectors add column snapshot_refusal text').execute(db)
}
