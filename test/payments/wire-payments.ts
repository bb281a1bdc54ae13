import type { Kysely } from 'kysely'
import { createAudit } from '../../lib/audit/audit.ts'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import { createJobs } from '../../lib/jobs/jobs.ts'
import { createScrubber } from '../../lib/logging/scrub.ts'
import { localCounters } from '../../lib/rate-counters/counters.ts'
import { DOLLAR } from '../../schemas/billing/money.ts'
import type { Logger } from '../../schemas/gateway/log.ts'
import type { Clock } from '../../schemas/primitives/time.ts'
import { createTopupServices } from '../../services/payments/create-payments.ts'
import type { ApplyObjects } from '../../services/payments/provider/events.ts'
import type { PaymentProvider } from '../../services/payments/provider/payment-provider.ts'
import { testIds } from '../fixtures/directory.ts'
import { commands } from '../fixtures/operator-commands.ts'

interface WireOptions {
  db: Kysely<Database>
  clock: Clock
  log: Logger
  provider: PaymentProvider
  webhookSecret: string
  /** How objects of subscriptions are applied; nothing by default. */
  applyPlans?: ApplyObjects
}

/** The services of payments as in a process, with customers that need no request to Stripe. */
export function wirePayments({ db, clock, log, provider, webhookSecret, applyPlans = {} }: WireOptions) {
  const ids = testIds(clock)
  const jobs = createJobs({ db, clock, ids, log, scrub: createScrubber().text, owner: 'test' })

  async function newCustomer(orgId: string): Promise<string> {
    const stripeId = `cus_${orgId.slice(-8)}`
    const livemode = provider.kind === 'stripe' && provider.livemode
    await acrossOrgs(db)
      .insertInto('customers')
      .values({ org_id: orgId, stripe_id: stripeId, livemode })
      .onConflict(conflict => conflict.doNothing())
      .execute()
    return stripeId
  }

  const payments = createTopupServices({
    db,
    clock,
    ids,
    log,
    jobs,
    audit: createAudit({ clock, ids }),
    counters: localCounters(clock),
    commands,
    provider,
    applyPlans,
    webhookSecrets: [webhookSecret],
    topupLimits: { minMicros: 5 * DOLLAR, maxMicros: 10_000 * DOLLAR },
    ensureCustomer: newCustomer,
  })
  return { payments, jobs, newCustomer }
}
