import { pino } from 'pino'
import type { Test } from 'tap'
import { createAudit } from '../../lib/audit/audit.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import { parseAllowList } from '../../lib/egress/allow-list.ts'
import { createEgress } from '../../lib/egress/create-egress.ts'
import { localCounters } from '../../lib/rate-counters/counters.ts'
import { customerRoutes } from '../../routes/customers.ts'
import { createWalletPages } from '../../services/billing/ledger-history.ts'
import { createStandings } from '../../services/billing/standings.ts'
import { createIdempotency } from '../../services/idempotency/idempotency.ts'
import { createPaymentServices } from '../../services/payments/create-payments.ts'
import type { Settings } from '../../services/settings/settings.ts'
import { testDatabase } from '../fixtures/database.ts'
import { directory, directoryServices, testIds } from '../fixtures/directory.ts'
import { testClock } from '../fixtures/fixture.ts'
import { commands } from '../fixtures/operator-commands.ts'
import { routeFixture } from '../fixtures/route-fixture.ts'
import { RESULT_LIMITS, testSettings } from '../fixtures/settings.ts'
import { stripeDouble } from '../stripe/stripe-double.ts'

/** The routes of customers with the double of Stripe, through its SDK. With other settings, it is not used. */
export async function customersFixture(t: Test, settings?: Partial<Settings>) {
  const { db } = await testDatabase(t)
  const clock = testClock(Date.now())
  const stripe = await stripeDouble(t, { clock })
  const egress = createEgress({ allow: parseAllowList([]), allowLoopback: true })
  t.teardown(() => egress.close())
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const audit = createAudit({ clock, ids: testIds(clock) })
  const all = testSettings(settings ?? { stripe: stripe.settings, dashboardUrl: 'https://dashboard.example' })
  const services = directoryServices(db, clock)
  const standings = createStandings({ db, thresholdMicros: 0 })
  const made = createPaymentServices(all, {
    db,
    clock,
    ids: testIds(clock),
    log,
    audit,
    commands,
    counters: localCounters(clock),
    egress,
    jobs: services.jobs,
    standings,
  })
  const walletPages = createWalletPages({ db, wallets: services.wallets })
  const { once } = createIdempotency({ db, clock, limits: RESULT_LIMITS })
  const routes = await routeFixture(
    t,
    { directory: directory(services), clock },
    scope => {
      scope.register(customerRoutes, { ...made, walletPages, standings, once })
    },
    { ajv: { customOptions: { removeAdditional: false, coerceTypes: false } } },
  )
  const hand = acrossOrgs(db)
  return {
    ...routes,
    hand,
    clock,
    stripe,
    lines,
    wallets: services.wallets,
    /** Makes the organization a customer. Returns its ID at Stripe. */
    async customer(who = 'ada.b.c'): Promise<string> {
      await routes.ask(who, 'POST', '/customers')
      return stripe.account.all('customer')[0]?.id ?? ''
    },
    /** What the audit rows of users say, in no order. */
    async audits(): Promise<string[]> {
      const rows = hand.selectFrom('audit').where('user_id', 'is not', null).select(['action', 'detail'])
      return (await rows.execute()).map(({ action, detail }) => `${action} ${JSON.stringify(detail)}`).sort()
    },
  }
}
