import { hostname } from 'node:os'
import type { Kysely } from 'kysely'
import { type Audit, createAudit } from '../lib/audit/audit.ts'
import type { KeyRing } from '../lib/configuration/key-ring.ts'
import type { EgressSettings } from '../lib/configuration/network.ts'
import type { DatabaseEvents } from '../lib/database/events.ts'
import { type OpenDatabase, openDatabase } from '../lib/database/open-database.ts'
import type { PostgresOptions } from '../lib/database/postgres.ts'
import type { Database } from '../lib/database/tables.ts'
import { createEgress } from '../lib/egress/create-egress.ts'
import type { Egress } from '../lib/egress/egress.ts'
import { createIdSource } from '../lib/id-source.ts'
import { createJobs, type Jobs } from '../lib/jobs/jobs.ts'
import type { Scrubber } from '../lib/logging/scrub.ts'
import { type Counters, localCounters } from '../lib/rate-counters/counters.ts'
import { createVault, type Vault } from '../lib/vault/vault.ts'
import type { Logger } from '../schemas/gateway/log.ts'
import type { IdSource } from '../schemas/primitives/ids.ts'
import type { Clock } from '../schemas/primitives/time.ts'
import { createOperatorCommands, type OperatorCommands } from './operator/operator-commands.ts'
import { defineRetention } from './retention.ts'
import { createVaultRotation, type VaultRotation } from './vault-rotation.ts'

/** What the domains share. Each takes the members that it uses: `Pick<Infrastructure, 'db' | 'clock'>`. */
export interface Infrastructure {
  /** The queries of the open database. */
  db: Kysely<Database>
  /** The current time, which tests replace. */
  clock: Clock
  /** Creates IDs with the prefix of a kind. */
  ids: IdSource
  /** The log of the process. */
  log: Logger
  /** Records who changed what, in the transaction of the change. */
  audit: Audit
  /** Background work that survives the process. */
  jobs: Jobs
  /** The only way out to the network. */
  egress: Egress
  /** Encrypts the secrets that are stored. */
  vault: Vault
  /** Counts requests in windows, over all processes if Redis is configured. */
  counters: Counters
  /** The operator's commands, in texts that callers can get. */
  commands: OperatorCommands
  /** The same in the log, with the folder of the data. */
  commandsInLog: OperatorCommands
  /** What other processes changed in the database. */
  events: DatabaseEvents
  /** The open database, which the process migrates and closes. */
  database: OpenDatabase
  /** Encrypts stored secrets again with the newest key. */
  vaultRotation: VaultRotation
  /** What operators see as the holder of a lease: a host and process. */
  owner: string
}

interface InfrastructureSettings {
  readonly dataDir: string
  readonly database: PostgresOptions | undefined
  readonly redisUrl: string | undefined
  readonly vaultKeys: KeyRing
  readonly egress: EgressSettings
  readonly dashboardUrl: string | undefined
  readonly commandPrefix: string
  readonly callerCommandPrefix: string
  readonly commandVariables: readonly string[]
}

export interface InfrastructureOptions {
  log: Logger
  /** Redacts secrets in what is stored about a failure. */
  scrub: Scrubber['text']
  clock?: Clock
  ids?: IdSource
  /** A database that is open already; it is closed with the services. */
  database?: OpenDatabase
}

/** Opens what the domains share. Throws if the database cannot be opened. */
export async function openInfrastructure(
  settings: InfrastructureSettings,
  { log, scrub, clock = { now: Date.now }, ...options }: InfrastructureOptions,
): Promise<Infrastructure> {
  const { dataDir, redisUrl, egress } = settings
  const ids = options.ids ?? createIdSource(clock)
  const database = options.database ?? (await openDatabase({ postgres: settings.database, dataDir, log }))
  const { db, events } = database
  const owner = `${hostname()}:${process.pid}`
  const jobs = createJobs({ db, clock, ids, log, scrub, owner })
  defineRetention(jobs, { db, clock })
  const vault = createVault(settings.vaultKeys)
  return {
    db,
    clock,
    ids,
    log,
    audit: createAudit({ clock, ids }),
    jobs,
    egress: createEgress({
      allow: egress.allow,
      allowLoopback: egress.loopback,
      ...(egress.lookup !== undefined && { lookup: egress.lookup }),
    }),
    vault,
    counters:
      redisUrl === undefined
        ? localCounters(clock)
        : (await import('../lib/rate-counters/redis-counters.ts')).redisCounters(redisUrl, { clock, log }),
    commands: createOperatorCommands({ ...settings, commandPrefix: settings.callerCommandPrefix }),
    commandsInLog: createOperatorCommands(settings),
    events,
    database,
    vaultRotation: createVaultRotation({ db, vault, log }),
    owner,
  }
}
