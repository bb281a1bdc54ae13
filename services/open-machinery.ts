import { hostname } from 'node:os'
import { createAudit } from '../lib/audit/audit.ts'
import type { Settings } from '../lib/configuration/settings.ts'
import { type OpenDatabase, openDatabase } from '../lib/database/open-database.ts'
import { createEgress } from '../lib/egress/create-egress.ts'
import { createIdSource } from '../lib/id-source.ts'
import { createJobs } from '../lib/jobs/jobs.ts'
import { defineRetention } from '../lib/jobs/retention.ts'
import type { Scrubber } from '../lib/logging/scrub.ts'
import { localCounters } from '../lib/rate-counters/counters.ts'
import { createVaultRotation } from '../lib/vault/rotate.ts'
import { createVault } from '../lib/vault/vault.ts'
import type { IdSource } from '../schemas/ids.ts'
import type { Logger } from '../schemas/log.ts'
import type { Clock } from '../schemas/time.ts'
import { createOperatorCommands } from './operator/operator-commands.ts'

export interface MachineryOptions {
  log: Logger
  /** Redacts secrets in what is stored about a failure. */
  scrub: Scrubber['text']
  clock?: Clock
  ids?: IdSource
  /** A database that is open already; it is closed with the services. */
  database?: OpenDatabase
}

/** What all domains use. */
export type Machinery = Awaited<ReturnType<typeof openMachinery>>

/** Opens what all domains use. */
export async function openMachinery(
  settings: Settings,
  { log, scrub, clock = { now: Date.now }, ...options }: MachineryOptions,
) {
  const { dataDir, redisUrl, egress } = settings
  const ids = options.ids ?? createIdSource(clock)
  const database = options.database ?? (await openDatabase({ postgres: settings.database, dataDir, log }))
  const { db, events } = database
  /** What operators see as the holder of a lease. */
  const owner = `${hostname()}:${process.pid}`
  const jobs = createJobs({ db, clock, ids, log, scrub, owner })
  defineRetention(jobs, { db, clock })
  const vault = createVault(settings.vaultKeys)
  return {
    log,
    clock,
    ids,
    database,
    db,
    events,
    owner,
    jobs,
    vault,
    vaultRotation: createVaultRotation({ db, vault, log }),
    audit: createAudit({ clock, ids }),
    commands: createOperatorCommands(settings),
    egress: createEgress({
      allow: egress.allow,
      allowLoopback: egress.loopback,
      ...(egress.lookup !== undefined && { lookup: egress.lookup }),
    }),
    counters:
      redisUrl === undefined
        ? localCounters(clock)
        : (await import('../lib/rate-counters/redis-counters.ts')).redisCounters(redisUrl, { clock, log }),
  }
}
