import type { Test } from 'tap'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import { DOLLAR } from '../../schemas/billing/money.ts'
import { build } from '../fixtures/build.ts'
import { testDatabase } from '../fixtures/database.ts'
import { session } from '../fixtures/fixture.ts'
import type { StripeObject } from './account.ts'
import { stripeDouble } from './stripe-double.ts'

/** The app with the double of Stripe through its SDK, and the owner of an organization. */
export async function stripeFixture(t: Test) {
  let now = Date.now
  const stripe = await stripeDouble(t, { clock: { now: () => now() } })
  let userId = ''
  const database = await testDatabase(t)
  const { app, services, directory, clock } = await build(t, {
    database,
    settings: { stripe: stripe.settings, dashboardUrl: 'https://dashboard.example' },
    verifyJwt: async () => session({ userId }),
  })
  now = clock.now
  const [ada] = await directory.members('owner')
  userId = ada.userId

  return {
    app,
    ada,
    clock,
    services,
    stripe,
    hand: acrossOrgs(database.db),
    /** A request in the owner's session. */
    async ask(method: 'POST' | 'PATCH' | 'GET', url: string, payload?: object) {
      const headers = { authorization: 'Bearer e30.e30.ada' }
      const response = await app.inject({ method, url, headers, ...(payload && { payload }) })
      return { status: response.statusCode, body: response.json() }
    },
    /** Delivers an event, and runs the job that applies it. */
    async deliver(event: StripeObject): Promise<void> {
      t.equal((await app.inject(stripe.webhook(event))).statusCode, 200)
      await services.jobs.runDue()
    },
    dollars: async () => (await services.wallets.balance(ada.orgId)).balanceMicros / DOLLAR,
    differences: async () => (await services.auditLedger()).differences,
  }
}
