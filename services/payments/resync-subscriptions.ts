import type { Kysely } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import type { Jobs } from '../../lib/jobs/jobs.ts'
import type { Clock } from '../../schemas/time.ts'
import type { CardPlans } from './card-plans.ts'
import { StripeFailure } from './stripe-failure.ts'
import type { SyncSubscriptions } from './sync-subscription.ts'

const KIND = 'payments.resync-subscriptions'
const HOUR_MS = 3_600_000
/** Subscriptions that one run compares. The longest unchecked come first, so every one has its turn. */
const MOST = 200

interface ResyncOptions {
  db: Kysely<Database>
  clock: Clock
  card: CardPlans
  sync: SyncSubscriptions
}

/**
 * Defines the hourly job that finds what webhooks did not bring: subscriptions that were not compared for a day, and
 * payment pages that have been open for more than an hour.
 */
export function defineResync(jobs: Jobs, { db, clock, card, sync }: ResyncOptions): void {
  jobs.define(KIND, async (_payload, { signal, log }) => {
    const before = (hours: number) => new Date(clock.now() - hours * HOUR_MS)
    const due = await acrossOrgs(db)
      .selectFrom('subscriptions')
      .where('provider', '=', 'stripe')
      .where('livemode', '=', card.livemode)
      .where('status', 'not in', ['canceled', 'incomplete_expired'])
      .where(eb =>
        eb.or([
          eb('checked_at', '<', before(24)),
          eb.and([eb('status', '=', 'checkout'), eb('checked_at', '<', before(1))]),
        ]),
      )
      .orderBy('checked_at')
      .limit(MOST)
      .select(['id', 'org_id as orgId', 'stripe_id as stripeId', 'session_id as sessionId'])
      .execute()
    for (const { id, orgId, stripeId, sessionId } of due) {
      if (signal.aborted) return
      try {
        if (stripeId !== null) await sync.subscription(stripeId)
        else if (sessionId !== null) await sync.checkout(sessionId)
        else await sync.abandon({ orgId, id })
      } catch (error) {
        // Without the provider, no other subscription can be compared either.
        if (error instanceof StripeFailure && error.kind === 'unknown') throw error
        log.error({ err: error, orgId, subscription: id }, 'cannot compare a subscription; the next run tries again')
      }
    }
  })
  jobs.every(KIND, HOUR_MS)
}
