import { join, resolve } from 'node:path'
import { sql, type Transaction } from 'kysely'
import { createAudit } from '../../lib/audit/audit.ts'
import { readMoved, writeMoved } from '../../lib/database/moved-marker.ts'
import { type OpenDatabase, openDatabase } from '../../lib/database/open-database.ts'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import { UsageError } from '../../lib/errors/errors.ts'
import { formatCount } from '../../lib/format-text.ts'
import { createIdSource } from '../../lib/id-source.ts'
import type { Logger } from '../../schemas/gateway/log.ts'
import type { Clock } from '../../schemas/primitives/time.ts'
import { createS3Store } from '../../services/artifacts/s3-store.ts'
import { auditLedgerIn, type LedgerAudit } from '../../services/billing/audit/audit-ledger.ts'
import { createLedger } from '../../services/billing/ledger.ts'
import { isKeyOf } from '../../services/identity/key-format.ts'
import { createOperatorCommands } from '../../services/operator/operator-commands.ts'
import { type MoveSettings, requireEmbedded } from '../../services/settings/move.ts'
import { type ActiveKey, activeKeys, checkSecrets } from './check-secrets.ts'
import { copyDatabase, type MovedTable, requireEmpty, requireKnown } from './copy-database.ts'
import { type MovedArtifacts, moveArtifacts } from './move-artifacts.ts'
import { endTrialPlans, type ReversedCredit, reverseOpeningCredits } from './reverse-credits.ts'

interface MoveOptions {
  settings: MoveSettings
  /** The DATA_DIR of the target; that of the source if absent. */
  toDataDir?: string | undefined
  log: Logger
  /** Reports progress. */
  say(text: string): void
  /** Whether a gateway runs on the source. */
  isRunning(dataDir: string): Promise<boolean>
  clock?: Clock
  /** Opens the source; the embedded database in the directory of the settings if absent. */
  openSource?(): Promise<OpenDatabase>
  /** Opens the target; the database of the settings if absent. */
  openTarget?(): Promise<OpenDatabase>
}

/** What was moved. */
export interface Moved {
  from: string
  host: string
  database: string
  seconds: number
  tables: readonly MovedTable[]
  artifacts: MovedArtifacts
  ledger: LedgerAudit
  sealed: { sealed: number; lost: number }
  /** Active keys that the target's environment rejects. */
  rejectedKeys: readonly ActiveKey[]
  /** Only in production. */
  reversed: readonly ReversedCredit[]
}

/**
 * Moves everything from the embedded database of a stopped gateway to an empty PostgreSQL database: all of it, or
 * nothing. The source is only migrated. Throws a UsageError that says what to do.
 */
export async function moveEmbedded(options: MoveOptions): Promise<Moved> {
  const { settings, log, say, clock = { now: Date.now } } = options
  const { dataDir, environment } = settings
  const started = performance.now()
  const { host, database } = await requirePlaces(options)
  const { openSource = () => openDatabase({ dataDir, log }) } = options
  const { openTarget = () => openDatabase({ postgres: settings.database, dataDir, log }) } = options

  const target = await openTarget()
  try {
    await requireEmpty(target.db.withoutPlugins(), movedBefore(settings, { host, database }))
    say(`Opening the embedded database in ${dataDir} …`)
    const source = await openSource().catch(error => {
      throw error instanceof Error && error.name === 'DirectoryInUse' ? inUse(dataDir) : error
    })
    try {
      await requireKnown(source.db, `The embedded database in ${dataDir}`)
      await source.migrate()
      const keys = await activeKeys(source.db, clock)
      const sealed = await checkSecrets(source.db, keys, settings)
      await target.migrate()
      say(`Copying to ${host}, database ${database} …`)
      const { tables, finished } = await copyDatabase(source, target, async trx => {
        say('Checking the ledger and the files …')
        const reversed = await settle(trx, settings, clock)
        const ledger = await requireCleanLedger(trx)
        const to =
          settings.artifactsS3 === undefined
            ? join(resolve(options.toDataDir ?? dataDir), 'artifacts')
            : createS3Store(settings.artifactsS3)
        const artifacts = await moveArtifacts({ db: trx, clock, from: join(dataDir, 'artifacts'), to })
        return { reversed, ledger, artifacts }
      })
      await analyze(target, log)
      const rejectedKeys = keys.filter(({ prefix }) => !isKeyOf(prefix, environment))
      mark(dataDir, { moved_at: new Date(clock.now()).toISOString(), host, database }, say)
      const seconds = (performance.now() - started) / 1_000
      return { from: dataDir, host, database, seconds, tables, sealed, rejectedKeys, ...finished }
    } finally {
      await source.close()
    }
  } finally {
    await target.close()
  }
}

/** Checks what can be checked before a database is opened. Returns the name of the target, without its credentials. */
async function requirePlaces({
  settings,
  toDataDir,
  isRunning,
}: MoveOptions): Promise<{ host: string; database: string }> {
  const { dataDir, database } = settings
  if (database === undefined)
    throw new UsageError(
      // An example with a user and a password would be redacted.
      'Set DATABASE_URL to the PostgreSQL database to move to: postgres://host:5432/database, with its user and password ' +
        'before the host.',
    )
  if (toDataDir !== undefined && settings.artifactsS3 !== undefined)
    throw new UsageError('Omit --to-data-dir: ARTIFACTS_S3_BUCKET is set, so the files are moved to that bucket.')
  requireEmbedded(dataDir)
  if (await isRunning(dataDir)) throw inUse(dataDir)
  const { hostname, pathname, searchParams } = new URL(database.url)
  return {
    host: hostname || searchParams.get('host') || 'localhost',
    database: decodeURIComponent(pathname.slice(1)),
  }
}

/** What to say of a target with data if an earlier move to it was completed. */
function movedBefore({ dataDir, embedded }: MoveSettings, to: { host: string; database: string }): string | undefined {
  const moved = readMoved(dataDir)
  if (moved === undefined || moved.host !== to.host || moved.database !== to.database) return undefined
  const secrets = embedded === undefined ? '' : ` The secrets that it needs are in ${join(dataDir, 'secrets.json')}.`
  return (
    `Already moved: at ${moved.moved_at}, the data in ${dataDir} was copied to this database (${to.database} on ` +
    `${to.host}). Start the gateway with it.${secrets} Nothing was changed.`
  )
}

function inUse(dataDir: string): UsageError {
  return new UsageError(`A gateway runs on ${dataDir}. Stop it, then run this command again. Nothing was copied.`)
}

/** Ends the holds whose time is over, as the job of a running gateway does, and takes back the credits of development. */
async function settle(trx: Transaction<Database>, settings: MoveSettings, clock: Clock): Promise<ReversedCredit[]> {
  await sql`
    select gateway_expire_holds(due.org_id, 2147483647)
    from (select distinct org_id from holds where state = 'pending' and expires_at <= now()) as due
  `.execute(trx)
  const ids = createIdSource(clock)
  const audit = createAudit({ clock, ids })
  const ledger = createLedger({ db: trx, thresholdMicros: 0, commands: createOperatorCommands(settings) })
  const production = settings.environment === 'production'
  // First the credits of plans: what is left of the balance is then the credit of development.
  if (production) await endTrialPlans(trx, { audit })
  const reversed = production ? await reverseOpeningCredits(trx, { ledger, ids, audit }) : []
  // The functions of the ledger bound their transaction, which is the one of the whole move here.
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
  return reversed
}

async function requireCleanLedger(trx: Transaction<Database>): Promise<LedgerAudit> {
  const audit = await auditLedgerIn(acrossOrgs(trx))
  if (audit.found === 0) return audit
  throw new UsageError(
    `The ledger of the embedded database has ${formatCount(audit.found, 'difference')}. Repair it there (docs/money.md), ` +
      `then move again. The target stays empty. The first difference: ${audit.differences[0]?.what}`,
  )
}

/** Updates the statistics of the query planner, which has none for the new rows. The server would do it later by itself. */
async function analyze(target: OpenDatabase, log: Logger): Promise<void> {
  const { signal } = new AbortController()
  await target
    .onDirectConnection(direct => sql`analyze`.execute(direct), signal)
    .catch(error => log.warn({ err: error }, 'cannot analyze the moved tables; PostgreSQL will do it later'))
}

function mark(dataDir: string, moved: Parameters<typeof writeMoved>[1], say: (text: string) => void): void {
  try {
    writeMoved(dataDir, moved)
  } catch {
    say(`Cannot write ${join(dataDir, 'moved')}: a start without DATABASE_URL will not warn that the data was moved.`)
  }
}
