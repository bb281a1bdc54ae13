import type { Kysely } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import type { Jobs } from '../../lib/jobs/jobs.ts'
import type { Scrubber } from '../../lib/logging/scrub.ts'
import type { IdSource } from '../../schemas/ids.ts'
import type { Logger } from '../../schemas/log.ts'
import type { Clock } from '../../schemas/time.ts'
import type { RegisteredNames } from '../local-issuer/registered-names.ts'
import { createCalls } from './calls.ts'
import { defineUsageRollUp } from './roll-up.ts'
import { createUsage } from './usage.ts'
import { createUsageSummaries } from './usage-summary.ts'

interface UsageServicesOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  log: Logger
  scrub: Scrubber['text']
  jobs: Jobs
  registeredNames: RegisteredNames | undefined
}

/** Creates what records usage and what sums it up, and the job that rolls it up by day. */
export function createUsageServices(options: UsageServicesOptions) {
  const { db, clock, jobs } = options
  defineUsageRollUp(jobs, { db, clock })
  return {
    usage: createUsage(options),
    usageSummaries: createUsageSummaries({ db, clock }),
    calls: createCalls({ db, clock }),
  }
}
