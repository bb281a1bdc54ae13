import { openDatabase } from '../../lib/database/open-database.ts'
import { DOLLAR } from '../../schemas/billing/money.ts'
import { silent } from '../fixtures/database.ts'
import { remoteStripe } from '../payments/remote-stripe.ts'
import { stripeProvider } from '../payments/stripe-provider.ts'
import { wirePayments } from '../payments/wire-payments.ts'

/** The first message to the process. */
export interface Start {
  databaseUrl: string
  stripeUrl: string
  webhookSecret: string
}

/** An order to the process: start a top-up of 10 dollars, or receive an event and apply it. It answers when it is done. */
export type Order = { orgId: string; userId: string; requestKey: string } | { body: string; signature: string }

process.once('message', async ({ databaseUrl, stripeUrl, webhookSecret }: Start) => {
  const database = await openDatabase({ postgres: { url: databaseUrl, maxConnections: 3 }, dataDir: '', log: silent })
  const client = remoteStripe(stripeUrl)
  const { payments, jobs } = wirePayments({
    db: database.db,
    clock: { now: Date.now },
    log: silent,
    provider: stripeProvider(client),
    webhookSecret,
  })
  process.on('message', async (order: Order) => {
    if ('requestKey' in order) await payments.topups.start({ ...order, amountMicros: 10 * DOLLAR, saved: false })
    else {
      await payments.webhooks?.receive({ body: Buffer.from(order.body), signature: order.signature })
      process.send?.('received')
      await jobs.runDue()
    }
    process.send?.('done')
  })
  process.send?.('ready')
})
