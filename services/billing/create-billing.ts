import type { Kysely } from 'kysely'
import type { Audit } from '../../lib/audit/audit.ts'
import type { Database } from '../../lib/database/tables.ts'
import type { Jobs } from '../../lib/jobs/jobs.ts'
import type { GatewayEnvironment } from '../../schemas/config.ts'
import type { IdSource } from '../../schemas/ids.ts'
import type { Logger } from '../../schemas/log.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import { auditLedger, defineLedgerAudit, type LedgerAudit } from './audit-ledger.ts'
import { defineHoldExpiry } from './expire-holds.ts'
import { createJobHolds, type JobHolds } from './job-holds.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { listPostings, listReconciliations, type Posting, type Reconciliation } from './ledger-history.ts'
import type { OverageBound } from './metered-hold.ts'
import { createMetering, type Metering } from './metering.ts'
import { createSettlements } from './settlements.ts'
import { type BillingThreshold, createStandings, type Standings } from './standings.ts'
import { createReverseCredit, type ReverseCredit } from './wallet-reversals.ts'
import { createWallets, openingMicros, type Wallets } from './wallets.ts'

interface BillingOptions extends BillingThreshold, OverageBound {
  db: Kysely<Database>
  ids: IdSource
  log: Logger
  audit: Audit
  jobs: Jobs
  environment: GatewayEnvironment
  commands: OperatorCommands
}

/** The services of billing. */
export interface Billing {
  ledger: Ledger
  standings: Standings
  metering: Metering
  jobHolds: JobHolds
  wallets: Wallets
  reverseCredit: ReverseCredit
  /** Recomputes the ledger of all organizations after their checkpoints, or from the beginning, and reports differences. */
  auditLedger(asked?: { full?: boolean }): Promise<LedgerAudit>
  listPostings(asked: { orgId: string; limit: number }): Promise<Posting[]>
  listReconciliations(asked: { orgId: string | undefined; limit: number }): Promise<Reconciliation[]>
}

export function createBilling(options: BillingOptions): Billing {
  const { db, ids, log, audit, jobs, environment, thresholdMicros, overageLimitFactor, commands } = options
  const ledger = createLedger({ db, thresholdMicros, commands })
  const standings = createStandings({ db, thresholdMicros })
  const settlements = createSettlements({ log })
  const metering = createMetering({ db, ids, log, ledger, standings, settlements, overageLimitFactor, commands })
  const opening = openingMicros(environment)
  const wallets = createWallets({ db, ids, audit, ledger, standings, openingMicros: opening })
  defineHoldExpiry(jobs, { db })
  defineLedgerAudit(jobs, { db, commands })
  return {
    ledger,
    standings,
    metering,
    jobHolds: createJobHolds({ db, ids, log, ledger, overageLimitFactor, enqueue: jobs.enqueue }),
    wallets,
    reverseCredit: createReverseCredit({ db, ids, audit }),
    auditLedger: (asked = {}) => auditLedger(db, asked),
    listPostings: asked => listPostings(db, asked),
    listReconciliations: asked => listReconciliations(db, asked),
  }
}
