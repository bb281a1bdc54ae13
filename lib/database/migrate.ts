import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Logger } from '../../schemas/gateway/log.ts'
import { errorCode } from './database-errors.ts'
import { up as init } from './migrations/0001_init.ts'
import { up as changeEvents } from './migrations/0002_change_events.ts'
import { up as orphanedAgentsAndChoices } from './migrations/0003_orphaned_agents_and_choices.ts'
import { up as connectors } from './migrations/0004_connectors.ts'
import { up as remoteConnectors } from './migrations/0005_remote_connectors.ts'
import { up as ledger } from './migrations/0006_ledger.ts'
import { up as ledgerFunctions } from './migrations/0007_ledger_functions.ts'
import { up as usageDays } from './migrations/0008_usage_days.ts'
import { up as quotas } from './migrations/0009_quotas.ts'
import { up as aliasKeys } from './migrations/0010_alias_keys.ts'
import { up as snapshotRefusals } from './migrations/0011_snapshot_refusals.ts'
import { up as memorySearchByOrg } from './migrations/0012_memory_search_by_org.ts'
import { up as userEvents } from './migrations/0013_user_events.ts'
import { up as reversals } from './migrations/0014_reversals.ts'
import { up as payments } from './migrations/0015_payments.ts'
import { up as subscriptions } from './migrations/0016_subscriptions.ts'
import { up as ledgerCheckpoints } from './migrations/0017_ledger_checkpoints.ts'
import { up as quietRefreshes } from './migrations/0018_quiet_refreshes.ts'
import { up as keyClaims } from './migrations/0019_key_claims.ts'
import { up as agentSignIns } from './migrations/0020_agent_sign_ins.ts'
import { up as invitations } from './migrations/0021_invitations.ts'
import { up as usagePages } from './migrations/0022_usage_pages.ts'
import { up as dashboardSessions } from './migrations/0023_dashboard_sessions.ts'
import { up as callMessages } from './migrations/0024_call_messages.ts'
import { up as localIssuer } from './migrations/0025_local_issuer.ts'
import { up as usageClient } from './migrations/0026_usage_client.ts'
import { up as generations } from './migrations/0027_generations.ts'
import { up as storedArtifacts } from './migrations/0028_stored_artifacts.ts'
import { up as webPages } from './migrations/0029_web_pages.ts'
import { up as memberCredentials } from './migrations/0030_member_credentials.ts'
import { up as assertionKeys } from './migrations/0031_assertion_keys.ts'
import { up as remoteCandidates } from './migrations/0040_remote_candidates.ts'
import { up as remoteOverrides } from './migrations/0041_remote_overrides.ts'
import { up as remoteOffers } from './migrations/0050_remote_offers.ts'
import { up as mendedCalls } from './migrations/0063_mended_calls.ts'
import { up as policies } from './migrations/0064_policies.ts'

/** Every migration by its file name, as kysely-ctl also names it. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001_init': { up: init },
  '0002_change_events': { up: changeEvents },
  '0003_orphaned_agents_and_choices': { up: orphanedAgentsAndChoices },
  '0004_connectors': { up: connectors },
  '0005_remote_connectors': { up: remoteConnectors },
  '0006_ledger': { up: ledger },
  '0007_ledger_functions': { up: ledgerFunctions },
  '0008_usage_days': { up: usageDays },
  '0009_quotas': { up: quotas },
  '0010_alias_keys': { up: aliasKeys },
  '0011_snapshot_refusals': { up: snapshotRefusals },
  '0012_memory_search_by_org': { up: memorySearchByOrg },
  '0013_user_events': { up: userEvents },
  '0014_reversals': { up: reversals },
  '0015_payments': { up: payments },
  '0016_subscriptions': { up: subscriptions },
  '0017_ledger_checkpoints': { up: ledgerCheckpoints },
  '0018_quiet_refreshes': { up: quietRefreshes },
  '0019_key_claims': { up: keyClaims },
  '0020_agent_sign_ins': { up: agentSignIns },
  '0021_invitations': { up: invitations },
  '0022_usage_pages': { up: usagePages },
  '0023_dashboard_sessions': { up: dashboardSessions },
  '0024_call_messages': { up: callMessages },
  '0025_local_issuer': { up: localIssuer },
  '0026_usage_client': { up: usageClient },
  '0027_generations': { up: generations },
  '0028_stored_artifacts': { up: storedArtifacts },
  '0029_web_pages': { up: webPages },
  '0030_member_credentials': { up: memberCredentials },
  '0031_assertion_keys': { up: assertionKeys },
  '0040_remote_candidates': { up: remoteCandidates },
  '0041_remote_overrides': { up: remoteOverrides },
  '0050_remote_offers': { up: remoteOffers },
  '0063_mended_calls': { up: mendedCalls },
  '0064_policies': { up: policies },
}

const LOCK_TRIES = 5
const LOCK_NOT_AVAILABLE = '55P03'

/** Whether a migration of this version has not run yet. Migrations of newer versions do not count. */
export async function migrationsPending<DB>(db: Kysely<DB>): Promise<boolean> {
  const names = new Set(await migrationsDone(db))
  return Object.keys(MIGRATIONS).some(name => !names.has(name))
}

/** The migrations of newer versions that have run. */
export async function unknownMigrations<DB>(db: Kysely<DB>): Promise<string[]> {
  return (await migrationsDone(db)).filter(name => !Object.hasOwn(MIGRATIONS, name))
}

async function migrationsDone<DB>(db: Kysely<DB>): Promise<string[]> {
  const table = await sql<{ there: boolean }>`select to_regclass('kysely_migration') is not null as there`.execute(db)
  if (table.rows[0]?.there !== true) return []
  const done = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return done.rows.map(row => row.name)
}

/** Runs pending migrations, all or nothing. Of several processes, one runs them while the others wait. */
export async function migrate<DB>(db: Kysely<DB>, log: Logger): Promise<void> {
  // This also lets an older version start on a newer schema, which the migrator would call corrupted.
  if (!(await migrationsPending(db))) return
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } })

  for (let attempt = 1; ; attempt++) {
    const { error, results = [] } = await migrator.migrateToLatest()
    if (error === undefined) {
      const names = results.map(result => result.migrationName)
      if (names.length > 0) log.info({ migrations: names }, 'migrated the database')
      return
    }
    if (errorCode(error) !== LOCK_NOT_AVAILABLE || attempt === LOCK_TRIES) throw error
    log.warn({ err: error, attempt }, 'a migration waited too long for a lock; retrying')
  }
}

/** The oldest supported PostgreSQL: our SQL is tested on it. */
const OLDEST = 15

/** The PostgreSQL server is older than the oldest supported version. */
class ServerTooOld extends Error {
  override readonly name = 'ServerTooOld'
}

/** Throws a ServerTooOld that names both versions if the server is too old. */
export async function refuseOldServer<DB>(db: Kysely<DB>): Promise<void> {
  const { rows } = await sql<{ number: number; name: string }>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as name
  `.execute(db)
  const [server] = rows
  if (server === undefined || server.number >= OLDEST * 10_000) return
  throw new ServerTooOld(`The database must be PostgreSQL ${OLDEST} or newer, and this server is ${server.name}.`)
}
