import type { Kysely } from 'kysely'
import type { Audit } from '../../lib/audit/audit.ts'
import type { Database } from '../../lib/database/tables.ts'
import type { Jobs } from '../../lib/jobs/jobs.ts'
import type { IdSource } from '../../schemas/ids.ts'
import type { Logger } from '../../schemas/log.ts'
import type { Clock } from '../../schemas/time.ts'
import type { BillingThreshold, Standings } from '../billing/standings.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import type { CardPlans } from './card-plans.ts'
import type { ApplyObjects } from './events.ts'
import { createRecordInvoice } from './invoices.ts'
import { createPlanChanges } from './plan-changes.ts'
import { createPlanCheckouts } from './plan-checkouts.ts'
import { createPlanLedger } from './plan-ledger.ts'
import type { PlanProvider } from './plan-provider.ts'
import { createPlanOf, type PlanOf } from './plan-status.ts'
import type { Plans } from './plans.ts'
import { defineRenewals } from './renew-plans.ts'
import { defineResync } from './resync-subscriptions.ts'
import { type CardSubscriptions, createSubscribing, type Subscribing } from './subscribe.ts'
import { createSubscriptionRows, type SubscriptionRows } from './subscription-rows.ts'
import { createSyncSubscriptions, type SyncSubscriptions } from './sync-subscription.ts'

interface PlansOptions extends BillingThreshold, PlanProvider {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  log: Logger
  audit: Audit
  jobs: Jobs
  commands: OperatorCommands
  standings: Pick<Standings, 'of'>
}

/** The services of plans. */
interface PlanServices {
  plans: Plans
  planOf: PlanOf
  subscribing: Subscribing
  /** How objects of the payment provider are applied that an event names. */
  applyPlans: ApplyObjects
}

export function createPlanServices(options: PlansOptions): PlanServices {
  const { jobs, card, plans } = options
  const rows = createSubscriptionRows({ ...options, livemode: card?.livemode ?? null })
  const ledger = createPlanLedger(options)
  const changes = createPlanChanges({ ...options, rows, ledger })
  const byCard = card === null ? null : createByCard({ ...options, card, rows, ledger })
  defineRenewals(jobs, { ...options, rows, ledger, changes })
  return {
    plans,
    planOf: createPlanOf({ ...options, rows }),
    subscribing: createSubscribing({ ...options, rows, changes, byCard }),
    applyPlans: byCard === null ? {} : applying(byCard.sync),
  }
}

interface ByCardOptions extends Omit<PlansOptions, 'card'> {
  card: CardPlans
  rows: SubscriptionRows
  ledger: ReturnType<typeof createPlanLedger>
}

function createByCard(options: ByCardOptions): CardSubscriptions {
  const recordInvoice = createRecordInvoice(options)
  const sync = createSyncSubscriptions({ ...options, recordInvoice })
  defineResync(options.jobs, { ...options, sync })
  return { card: options.card, sync, checkouts: createPlanCheckouts({ ...options, sync }) }
}

function applying(sync: SyncSubscriptions): ApplyObjects {
  return { 'checkout.session': sync.checkout, subscription: sync.subscription, invoice: sync.invoice }
}
