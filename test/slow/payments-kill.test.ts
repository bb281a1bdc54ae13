import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { openDatabase } from '../../lib/database/open-database.ts'
import { DOLLAR } from '../../schemas/billing/money.ts'
import { silent, testDatabaseUrl, testPostgres } from '../fixtures/database.ts'
import { directoryOn } from '../fixtures/directory.ts'
import { testClock } from '../fixtures/fixture.ts'
import { memoryStripe, sign } from '../payments/memory-stripe.ts'
import { paymentsFixture } from '../payments/payments-fixture.ts'
import { type Stage, serveStripe } from '../payments/remote-stripe.ts'
import type { Order, Start } from './payments-process.ts'

const KILLS = 50
const ENTRY = fileURLToPath(new URL('payments-process.ts', import.meta.url))

/** Where a process is killed: at a stage of a request to Stripe, some milliseconds later; or after it got its order. */
interface Point {
  during: 'top-up' | 'payment' | 'refund'
  at: readonly [path: string, stage: Stage] | 'order'
  /** The most milliseconds until the kill: into the transaction that follows, or beyond it. */
  within: number
}

/** Each point between Stripe and a commit. A transaction takes 20 ms longer here, so that most late kills hit one. */
const POINTS: readonly Point[] = [
  { during: 'top-up', at: 'order', within: 15 },
  { during: 'top-up', at: ['checkout.sessions.create', 'received'], within: 0 },
  { during: 'top-up', at: ['checkout.sessions.create', 'done'], within: 0 },
  { during: 'top-up', at: ['checkout.sessions.create', 'answered'], within: 8 },
  { during: 'payment', at: 'order', within: 30 },
  { during: 'payment', at: ['checkout.sessions.retrieve', 'received'], within: 0 },
  { during: 'payment', at: ['disputes.list', 'done'], within: 0 },
  { during: 'payment', at: ['disputes.list', 'answered'], within: 40 },
  { during: 'refund', at: ['refunds.list', 'done'], within: 0 },
  { during: 'refund', at: ['disputes.list', 'answered'], within: 40 },
]

const nothing = async () => undefined

async function fixture(t: Test, server: string) {
  const databaseUrl = await testPostgres(t, server)
  const database = await openDatabase({ postgres: { url: databaseUrl, maxConnections: 5 }, dataDir: '', log: silent })
  t.teardown(() => database.close())
  const clock = testClock(Date.now())
  const stripe = memoryStripe()
  const repair = await paymentsFixture(t, { database, clock, stripe })
  let reached: (path: string, stage: Stage) => Promise<'lost' | undefined> = nothing
  const stripeUrl = await serveStripe(t, stripe, (path, stage) => reached(path, stage))
  // Widens the window in which a transaction has posted and not committed.
  await sql`create function test_slowly() returns trigger language plpgsql as $$ begin perform pg_sleep(0.02); return new; end $$`.execute(
    repair.hand,
  )
  await sql`create trigger slowly before insert on audit for each row when (new.action like 'payment.%')
    execute function test_slowly()`.execute(repair.hand)

  async function start(): Promise<ChildProcess> {
    const child = fork(ENTRY, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    t.teardown(() => void child.kill('SIGKILL'))
    const { webhookSecret } = repair
    child.send({ databaseUrl, stripeUrl, webhookSecret } satisfies Start)
    await once(child, 'message')
    return child
  }

  return {
    ...repair,
    start,
    /** Gives an order and kills the process at the point. Returns whether it had received its event. */
    async kill(child: ChildProcess, order: Order, { at, within }: Point): Promise<boolean> {
      let received = false
      child.on('message', message => {
        received ||= message === 'received'
      })
      const exited = once(child, 'exit')
      const strike = async () => {
        if (within > 0) await delay(within * Math.random())
        child.kill('SIGKILL')
        await exited
      }
      if (at !== 'order')
        reached = async (path, stage) => {
          if (path !== at[0] || stage !== at[1]) return undefined
          reached = nothing
          await strike()
          return 'lost'
        }
      child.send(order)
      if (at === 'order') await strike()
      else await exited
      return received
    },
    /** Gives an order and waits until it is done. */
    async finish(child: ChildProcess, order: Order): Promise<void> {
      child.send(order)
      for (let message: unknown; message !== 'done'; ) [message] = await once(child, 'message')
    },
  }
}

t.test(
  `${KILLS} × kill -9 between Stripe and commit: the hourly job repairs the state, and no credit is posted twice`,
  { skip: testDatabaseUrl === undefined ? 'TEST_DATABASE_URL is not set' : false },
  async t => {
    const made = await fixture(t, testDatabaseUrl ?? '')
    const { stripe, hand, clock, webhookSecret } = made
    const orgs: { orgId: string; refunded: number }[] = []
    let spare: Promise<ChildProcess> | undefined

    function signed(event: object): Order {
      const body = JSON.stringify(event)
      return { body, signature: sign(body, webhookSecret, Math.floor(Date.now() / 1000)) }
    }

    for (let kills = 0; kills < KILLS; kills++) {
      const point = POINTS[kills % POINTS.length] as Point
      const child = await (spare ?? made.start())
      spare = made.start()
      const [{ orgId, userId }] = await directoryOn(made.database.db, clock).members('owner')
      const order = { orgId, userId, requestKey: `once ${kills}` }
      orgs.push({ orgId, refunded: 0 })

      if (point.during === 'top-up') {
        await made.kill(child, order, point)
        // Every other user repeats the request.
        if (kills % 2 === Math.floor(kills / POINTS.length) % 2) await made.topup(order)
        const sessions = stripe.sessions().filter(({ customer }) => customer === `cus_${orgId.slice(-8)}`)
        t.ok(sessions.length <= 1, 'a repeated request opens no second page')
        // A buyer with the page pays, whether or not the process stored what Stripe answered.
        const [session] = sessions
        if (session !== undefined)
          stripe.undelivered.push(stripe.event('payment_intent.succeeded', stripe.pay(session)))
        continue
      }
      await made.finish(child, order)
      const session = stripe.sessions().at(-1)
      if (session === undefined) throw new Error('There is no session')
      const intent = stripe.pay(session)
      const paid = stripe.event('checkout.session.completed', session)
      if (point.during === 'payment') {
        if (!(await made.kill(child, signed(paid), point))) stripe.undelivered.push(paid)
        continue
      }
      await made.finish(child, signed(paid))
      const refund = stripe.event('refund.created', stripe.refund(intent.id, 300))
      orgs[kills] = { orgId, refunded: 3 * DOLLAR }
      if (!(await made.kill(child, signed(refund), point))) stripe.undelivered.push(refund)
    }
    await spare?.then(child => child.kill('SIGKILL'))

    const before = await hand.selectFrom('payments').select(['state', 'credited_at', 'session_id']).execute()
    t.comment(
      `${before.length} payments: ${before.filter(row => row.session_id === null).length} without a stored page, ` +
        `${before.filter(row => row.credited_at === null).length} not credited before the repair`,
    )
    t.ok(before.some(row => row.credited_at === null))

    // The leases of killed processes end after a minute by the database's clock.
    await hand
      .updateTable('jobs')
      .set({ lease_until: new Date(0) })
      .where('lease_owner', 'is not', null)
      .execute()
    for (let hours = 0; hours < 2; hours++) {
      clock.advance(2 * 3_600_000)
      await made.run()
      for (const { orgId, refunded } of orgs) {
        const customer = `cus_${orgId.slice(-8)}`
        const paid = stripe
          .sessions()
          .filter(session => session.customer === customer && session.payment_status === 'paid')
        t.equal(await made.balance(orgId), paid.length * 10 * DOLLAR - refunded)
      }
      t.same(await made.differences(), [])
    }
    const credits = (await made.postings()).filter(({ kind }) => kind === 'credit')
    t.equal(credits.length, stripe.sessions().length, 'each page was paid once and credited once')
    t.same(await made.reconciliations(), [])
    const unsettled = hand.selectFrom('payments').where('state', 'not in', ['paid', 'failed']).select('id')
    t.same(await unsettled.execute(), [])
  },
)
