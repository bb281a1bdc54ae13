import { sql } from 'kysely'
import { acrossOrgs, type OrgDatabase } from '../../../lib/database/tenant.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import type { JobContext, Jobs } from '../../../lib/jobs/jobs.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import { changeIn } from '../../organizations/change.ts'
import type { PlanChanges } from './plan-changes.ts'
import type { PlanLedger } from './plan-ledger.ts'
import type { Subscription } from './subscription.ts'
import type { SubscriptionRows } from './subscription-rows.ts'

const KIND = 'payments.renew-plans'
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Failed renewals after which a plan ends. They are a day apart. */
const MOST_FAILURES = 3
/** The errors of a wallet that does not pay. */
const REFUSALS: readonly string[] = ['INSUFFICIENT_BALANCE', 'WALLET_BLOCKED']

interface RenewOptions extends Pick<Infrastructure, 'db' | 'clock' | 'audit'> {
  rows: SubscriptionRows
  ledger: PlanLedger
  changes: PlanChanges
  /** Whether the built-in provider takes cards; otherwise its subscriptions end. */
  builtIn: boolean
}

/** A subscription and its organization. */
interface Name {
  orgId: string
  id: string
}

/**
 * Defines the job that ends the credits of periods that are over, and renews or ends the subscriptions without a card,
 * every five minutes.
 */
export function defineRenewals(jobs: Jobs, options: RenewOptions): void {
  const { db, clock, audit, rows, ledger, changes, builtIn } = options
  const now = () => new Date(clock.now())

  /** Whether the built-in provider of a subscription was replaced: nobody would ever pay for it. */
  const isOrphaned = ({ provider }: Pick<Subscription, 'provider'>) => provider === 'built_in' && !builtIn

  /** Does the work under the lock of the organization, if the subscription is still due then. */
  async function inDue(name: Name, work: (org: OrgDatabase, known: Subscription) => Promise<void>): Promise<void> {
    await changeIn(db, { orgId: name.orgId, by: 'job' }, async org => {
      const known = await rows.find(org, name.id)
      if (known !== undefined && (isDue(known, now()) || isOrphaned(known))) await work(org, known)
    })
  }

  async function renew(name: Name, { log }: JobContext): Promise<void> {
    try {
      await inDue(name, async (org, known) => {
        if (known.cancelAt !== null || isOrphaned(known)) await changes.end(org, known, 'job')
        else await changes.renew(org, known, 'job')
      })
    } catch (error) {
      const refused = error instanceof GatewayError && REFUSALS.includes(error.code)
      if (!refused) throw error
      await inDue(name, (org, known) => fail(org, known, error.code))
      log.info({ ...name, reason: error.code }, 'a plan was not renewed')
    }
  }

  async function fail(org: OrgDatabase, known: Subscription, reason: string): Promise<void> {
    const failures = known.failures + 1
    const ends = failures >= MOST_FAILURES
    await rows.change(org, known, { failures, status: ends ? 'canceled' : 'past_due' })
    const action = ends ? 'plan.end' : 'plan.renewal_failed'
    await audit.record(org, { by: 'job', action, target: known.id, detail: { reason, failures } })
  }

  async function expireGrants(context: JobContext): Promise<void> {
    const { rows: due } = await sql<{ orgId: string }>`
      select distinct org_id as "orgId" from plan_grants where ended_at is null and period_end <= ${now()}
    `.execute(acrossOrgs(db))
    await each(due, context, async ({ orgId }) => {
      await changeIn(db, { orgId, by: 'job' }, async org => {
        const amountMicros = await ledger.expire(org.db, orgId, now())
        if (amountMicros > 0)
          await audit.record(org, { by: 'job', action: 'plan.expire', target: orgId, detail: { amountMicros } })
      })
    })
  }

  jobs.define(KIND, async (_payload, context) => {
    const due = acrossOrgs(db)
      .selectFrom('subscriptions')
      .where('provider', '!=', 'stripe')
      .where('status', 'in', ['active', 'past_due'])
      .where(eb => {
        const untried = eb.or([eb('failures', '=', 0), eb('checked_at', '<=', new Date(clock.now() - DAY_MS))])
        const due = eb.and([eb('period_end', '<=', now()), untried])
        return builtIn ? due : eb.or([due, eb('provider', '=', 'built_in')])
      })
      .select(['org_id as orgId', 'id'])
    // First, so that what a renewal may spend does not depend on the order.
    await each(await due.execute(), context, name => renew(name, context))
    await expireGrants(context)
  })
  jobs.every(KIND, 5 * MINUTE_MS)
}

function isDue({ status, end, failures, checkedAt }: Subscription, now: Date): boolean {
  if (status !== 'active' && status !== 'past_due') return false
  return end !== null && end <= now && (failures === 0 || checkedAt.getTime() <= now.getTime() - DAY_MS)
}

/** Runs the work for each item. A failure in one organization must not block the others. */
async function each<T extends { orgId: string }>(
  items: readonly T[],
  { signal, log }: JobContext,
  work: (item: T) => Promise<void>,
): Promise<void> {
  for (const item of items) {
    if (signal.aborted) return
    try {
      await work(item)
    } catch (error) {
      log.error({ err: error, orgId: item.orgId }, 'cannot renew the plan of an organization; the next run tries again')
    }
  }
}
