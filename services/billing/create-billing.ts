import type { GatewayEnvironment } from '../../schemas/gateway/environment.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { auditLedger, defineLedgerAudit, type LedgerAudit } from './audit/audit-ledger.ts'
import { createJobHolds, type JobHolds } from './job-holds.ts'
import { createLedger, type Ledger } from './ledger.ts'
import {
  createWalletPages,
  listPostings,
  listReconciliations,
  type Posting,
  type Reconciliation,
  type WalletPages,
} from './ledger-history.ts'
import type { OverageBound } from './metered-hold.ts'
import { createMetering, type Metering } from './metering.ts'
import { createSettlements, defineHoldExpiry } from './settlements.ts'
import { type BillingThreshold, createStandings, type Standings } from './standings.ts'
import { createReverseCredit, type ReverseCredit } from './wallet-reversals.ts'
import { createWallets, openingMicros, type Wallets } from './wallets.ts'

interface BillingOptions
  extends Pick<Infrastructure, 'db' | 'ids' | 'log' | 'audit' | 'jobs' | 'commands' | 'commandsInLog'>,
    BillingThreshold,
    OverageBound {
  environment: GatewayEnvironment
}

/** The services of billing. */
export interface Billing {
  ledger: Ledger
  standings: Standings
  metering: Metering
  jobHolds: JobHolds
  wallets: Wallets
  walletPages: WalletPages
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
  defineLedgerAudit(jobs, { db, commands: options.commandsInLog })
  return {
    ledger,
    standings,
    metering,
    jobHolds: createJobHolds({ db, ids, log, ledger, overageLimitFactor, enqueue: jobs.enqueue }),
    wallets,
    walletPages: createWalletPages({ db, wallets }),
    reverseCredit: createReverseCredit({ db, ids, audit }),
    auditLedger: (asked = {}) => auditLedger(db, asked),
    listPostings: asked => listPostings(db, asked),
    listReconciliations: asked => listReconciliations(db, asked),
  }
}
