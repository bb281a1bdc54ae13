import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { pino } from 'pino'
import type { Test } from 'tap'
import type { OpenDatabase } from '../../lib/database/open-database.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import { DOLLAR } from '../../schemas/billing/money.ts'
import { auditLedger } from '../../services/billing/audit/audit-ledger.ts'
import type { ApplyObjects } from '../../services/payments/provider/events.ts'
import type { PaymentProvider } from '../../services/payments/provider/payment-provider.ts'
import { asWritten, testDatabase } from '../fixtures/database.ts'
import { directoryOn } from '../fixtures/directory.ts'
import { testClock } from '../fixtures/fixture.ts'
import { type MemoryStripe, memoryStripe, sign } from './memory-stripe.ts'
import { stripeProvider } from './stripe-provider.ts'
import { wirePayments } from './wire-payments.ts'

interface FixtureOptions {
  database?: OpenDatabase
  stripe?: MemoryStripe
  clock?: ReturnType<typeof testClock>
  /** Instead of Stripe. */
  provider?: PaymentProvider
  livemode?: boolean
  /** Of another process with the same webhook. */
  webhookSecret?: string
  /** How objects of subscriptions are applied; nothing by default. */
  applyPlans?: ApplyObjects
}

interface TopupFacts {
  orgId?: string
  userId?: string
  amountMicros?: number
  requestKey?: string | null
}

/** The services of payments with Stripe in memory, and an organization that is its customer. */
export async function paymentsFixture(t: Test, options: FixtureOptions = {}) {
  const database = options.database ?? (await testDatabase(t))
  const { db } = database
  const hand = acrossOrgs(db)
  const clock = options.clock ?? testClock(Date.now())
  const stripe = options.stripe ?? memoryStripe({ now: clock.now, livemode: options.livemode === true })
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const webhookSecret = options.webhookSecret ?? `whsec_${randomBytes(24).toString('hex')}`
  const livemode = options.livemode === true
  const provider = options.provider ?? stripeProvider(stripe.client, { livemode })
  const { applyPlans = {} } = options
  const { payments, jobs, newCustomer } = wirePayments({ db, clock, log, provider, webhookSecret, applyPlans })
  const [ada] = await directoryOn(db, clock).members('owner')

  const seconds = () => Math.floor(clock.now() / 1000)
  return {
    ...payments,
    database,
    hand,
    clock,
    stripe,
    lines,
    jobs,
    ada,
    webhookSecret,
    newCustomer,
    /** Starts a top-up of 10 dollars, or another amount. */
    topup: ({ orgId = ada.orgId, userId = ada.userId, ...facts }: TopupFacts = {}) =>
      payments.topups.start({
        orgId,
        userId,
        amountMicros: 10 * DOLLAR,
        saved: false,
        requestKey: null,
        ...facts,
      }),
    /** Sends an event as Stripe does, at this moment. */
    async send(event: object, { secret = webhookSecret, at = seconds() } = {}): Promise<void> {
      const body = JSON.stringify(event)
      await payments.webhooks?.receive({ body: Buffer.from(body), signature: sign(body, secret, at) })
    },
    /** Runs what is due: the jobs of events, not of the hour. */
    run: () => jobs.runDue(),
    async balance(orgId = ada.orgId): Promise<number | undefined> {
      const wallet = hand.selectFrom('wallets').where('org_id', '=', orgId).select('balance_micros as balance')
      return (await wallet.executeTakeFirst())?.balance
    },
    async payment(orgId = ada.orgId) {
      const query = hand.selectFrom('payments').where('org_id', '=', orgId).orderBy('id', 'desc').selectAll()
      return query.executeTakeFirstOrThrow()
    },
    reconciliations: () =>
      hand.selectFrom('payment_reconciliations').select(['payment_id', 'reason', 'detail']).orderBy('reason').execute(),
    async postings(): Promise<{ id: string; kind: string; amount: number }[]> {
      const { rows } = await sql<{ id: string; kind: string; amount: number }>`
        select p.id, p.kind, e.amount_micros as amount from ledger_postings as p
        join ledger_entries as e on e.posting_id = p.id and e.account = 'wallet' order by p.at, p.id`.execute(hand)
      return rows
    },
    audit: () =>
      hand
        .selectFrom('audit')
        .where('action', 'like', 'payment.%')
        .orderBy('at')
        .orderBy(asWritten)
        .select(['action', 'user_id', 'detail'])
        .execute(),
    differences: async () => (await auditLedger(db)).differences,
  }
}
