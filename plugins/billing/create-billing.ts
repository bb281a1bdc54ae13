import type { Kysely } from 'kysely'
import type { IdSource } from '../../schemas/ids.ts'
import type { Logger } from '../../schemas/log.ts'
import type { Database } from '../database/tables.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { createMetering, type Metering } from './metering.ts'
import { createSettlements } from './settlements.ts'
import { createStandings, type Standings } from './standings.ts'

export interface BillingOptions {
  db: Kysely<Database>
  ids: IdSource
  log: Logger
  /** Below this balance an organization is in billing hold. */
  thresholdMicros: number
}

/** Everything that is about money, wired once. */
export interface Billing {
  ledger: Ledger
  standings: Standings
  metering: Metering
}

export function createBilling({ db, ids, log, thresholdMicros }: BillingOptions): Billing {
  const ledger = createLedger({ db, thresholdMicros })
  const standings = createStandings({ db, thresholdMicros })
  const settlements = createSettlements({ log })
  const metering = createMetering({ db, ids, log, ledger, standings, settlements })
  return { ledger, standings, metering }
}
