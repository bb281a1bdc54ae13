import { sql } from 'kysely'
import type { Test } from 'tap'
import { createAudit } from '../../lib/audit/audit.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { auditLedger } from '../../services/billing/audit/audit-ledger.ts'
import { createPlanServices } from '../../services/payments/create-payments.ts'
import { createPlans } from '../../services/payments/plans/plans.ts'
import { asWritten, silent, testDatabase } from '../fixtures/database.ts'
import { directory, directoryServices, testIds } from '../fixtures/directory.ts'
import { testClock } from '../fixtures/fixture.ts'
import { commands } from '../fixtures/operator-commands.ts'
import { testSettings } from '../fixtures/settings.ts'
import { memoryCardPlans } from './memory-card-plans.ts'

const DOLLAR = 1_000_000

interface Options {
  /** Who takes cards: the provider in memory, the built-in one, or nobody. */
  cards?: 'provider' | 'built_in' | 'nobody'
  thresholdMicros?: number
}

/** The services of plans for an organization with 50 dollars, whose owner subscribes. */
export async function plansFixture(t: Test, { cards = 'provider', thresholdMicros = 0 }: Options = {}) {
  const { db } = await testDatabase(t)
  const clock = testClock(Date.now())
  const ids = testIds(clock)
  const audit = createAudit({ clock, ids })
  const services = directoryServices(db, clock, { thresholdMicros })
  const { jobs, standings, ledger } = services
  const provider = memoryCardPlans(clock)
  const made = createPlanServices({
    db,
    clock,
    ids,
    audit,
    log: silent,
    jobs,
    commands,
    standings,
    thresholdMicros,
    plans: createPlans(testSettings().plans),
    card: cards === 'provider' ? provider.card : null,
    builtIn: cards === 'built_in',
    noProvider: () => new GatewayError('not_found', 'No payment provider is configured.'),
  })
  const people = directory(services)
  const [owner] = await people.members('owner')
  const { orgId, userId } = owner
  const hand = acrossOrgs(db)
  await ledger.credit(db, { orgId, id: 'txn_fixture', amountMicros: 50 * DOLLAR, description: 'Top-up' })
  await sql`insert into customers (org_id, stripe_id, livemode) values (${orgId}, ${`cus_${orgId}`}, false)`.execute(
    hand,
  )
  return {
    ...made,
    db: hand,
    clock,
    jobs,
    provider,
    orgId,
    standings,
    ledger,
    directory: people,
    /** The database with the guard of organizations. */
    guarded: db,
    subscribe: (planId = 'pro', payFrom?: 'card' | 'wallet') =>
      made.subscribing.subscribe({ orgId, userId, planId, ...(payFrom !== undefined && { payFrom }) }),
    /** `pro card`, `free`, … with a mark if it ends or was not paid. */
    async plan() {
      const { plan, payFrom, pastDue, endsAt } = await made.planOf(orgId)
      return [plan.id, payFrom, pastDue && 'past due', endsAt && 'ends'].filter(Boolean).join(' ')
    },
    async dollars() {
      const row = await hand.selectFrom('wallets').where('org_id', '=', orgId).selectAll().executeTakeFirstOrThrow()
      return row.balance_micros / DOLLAR
    },
    spend: async (dollars: number) => {
      const hold = { orgId, id: ids('hld') }
      await ledger.hold({ ...hold, userId, keyId: null, tool: 'a__b', amountMicros: dollars * DOLLAR })
      await ledger.capture(db, hold, dollars * DOLLAR)
    },
    suspend: () => sql`update organizations set suspended_at = now() where id = ${orgId}`.execute(hand),
    async actions() {
      const rows = hand
        .selectFrom('audit')
        .where('action', 'like', 'plan.%')
        .orderBy('at')
        .orderBy(asWritten)
        .select('action')
      return (await rows.execute()).map(({ action }) => action.slice('plan.'.length))
    },
    /** Advances the clock by days, and runs the jobs that are due then. */
    async wait(days: number) {
      clock.advance(days * DAY_MS)
      await jobs.runDue()
    },
    differences: async () => (await auditLedger(db)).differences,
  }
}

const DAY_MS = 86_400_000
