import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import t from 'tap'
import { openDatabase } from '../../lib/database/open-database.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import { auditLedger } from '../../services/billing/audit/audit-ledger.ts'
import { silent, testDatabaseUrl, testPostgres } from '../fixtures/database.ts'
import { moneyOf, payingOrganization } from '../fixtures/metered-fixture.ts'
import { providerDouble } from '../media/provider-double.ts'
import { wireMedia } from '../media/wire-media.ts'
import type { Order, Start } from './media-process.ts'

const KILLS = 24
const ENTRY = fileURLToPath(new URL('media-process.ts', import.meta.url))

/** Where a process is killed, and how its generation ends: undefined if the moment decides. */
const POINTS: readonly { at: string; within: number; ends: 'done' | 'failed' | undefined }[] = [
  { at: 'order', within: 15, ends: undefined },
  // The row is there, and nothing was sent.
  { at: 'input', within: 0, ends: 'failed' },
  { at: 'fal.submit', within: 0, ends: 'failed' },
  { at: 'fal.status', within: 0, ends: 'done' },
  { at: 'fal.result', within: 0, ends: 'done' },
  { at: 'file', within: 0, ends: 'done' },
  { at: 'file', within: 40, ends: 'done' },
  { at: 'done', within: 0, ends: 'done' },
]

t.test(
  `${KILLS} × kill -9 around a generation: it is submitted once at most, and charged once if its files are there`,
  { skip: testDatabaseUrl === undefined ? 'TEST_DATABASE_URL is not set' : false },
  async t => {
    const databaseUrl = await testPostgres(t, testDatabaseUrl ?? '')
    const database = await openDatabase({ postgres: { url: databaseUrl, maxConnections: 5 }, dataDir: '', log: silent })
    t.teardown(() => database.close())
    const { db } = database
    const across = acrossOrgs(db)
    const provider = await providerDouble(t)
    const wiring = { urls: provider.urls, directory: t.testdir() }
    const repair = wireMedia({ db, ...wiring })

    async function start(): Promise<ChildProcess> {
      const child = fork(ENTRY, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
      t.teardown(() => void child.kill('SIGKILL'))
      child.send({ databaseUrl, ...wiring } satisfies Start)
      await once(child, 'message')
      return child
    }

    const ends: string[] = []
    for (let kills = 0; kills < KILLS; kills++) {
      const { at, within, ends: expected } = POINTS[kills % POINTS.length] as (typeof POINTS)[number]
      provider.reset()
      const { orgId } = await payingOrganization(db, 1_000_000)
      const child = await start()
      const exited = once(child, 'exit')
      const strike = async () => {
        child.kill('SIGKILL')
        await exited
      }
      if (at !== 'order' && at !== 'done')
        provider.before(
          at,
          async () => void (within === 0 ? await strike() : delay(within * Math.random()).then(strike)),
        )
      const done = once(child, 'message')
      const images = at === 'input' ? [`${provider.state.fileOrigin}/files/input.png`] : []
      child.send({ orgId, userId: `usr_${orgId}`, images } satisfies Order)
      if (at === 'done') await done.then(strike)
      else if (at === 'order') await delay(within * Math.random()).then(strike)
      else await exited

      // What the leases do in time.
      provider.before(at, async () => {})
      await sql`update generations set lease_until = null where lease_until is not null`.execute(across)
      await sql`update jobs set lease_until = now() - interval '1 minute' where lease_owner is not null`.execute(across)
      const rows = () => across.selectFrom('generations').where('org_id', '=', orgId).selectAll().execute()
      const waiting = across.selectFrom('jobs').where('kind', '=', 'media.generation').select('id')
      while ((await waiting.execute()).length > 0) await repair.runJobs()

      const [generation] = await rows()
      const state = generation?.state ?? 'none'
      ends.push(`${at} ${state}`)
      if (expected !== undefined) t.equal(state, expected, `killed at ${at}`)
      const submissions = provider.steps().filter(step => step === 'fal.submit').length
      t.ok(submissions <= (at === 'input' ? 0 : 1), 'submitted once at most')
      const charged = state === 'done' ? 45_000 : 0
      t.match(await moneyOf(db, orgId), {
        balance: 1_000_000 - charged,
        held: 0,
        pending: 0,
        captured: state === 'done' ? 1 : 0,
        released: state === 'failed' ? 1 : 0,
      })
      const usage = across.selectFrom('usage').where('org_id', '=', orgId).select('cost_micros')
      const costs = (await usage.execute()).map(({ cost_micros }) => cost_micros)
      t.same(costs, charged > 0 ? [charged] : [], 'usage shows the charge')
    }
    t.comment(ends.join(', '))
    t.same((await auditLedger(db)).differences, [])
  },
)
