import { sql } from 'kysely'
import t from 'tap'
import { auditLedger } from '../../services/billing/audit/audit-ledger.ts'
import { testDatabaseUrl } from '../fixtures/database.ts'
import { heapInUse } from '../fixtures/heap.ts'
import { addCaptures } from '../ledger/bulk.ts'
import { addOrganization, ledgerDatabase } from '../ledger/ledger-fixture.ts'

const embedded = testDatabaseUrl === undefined
const CAPTURES = embedded ? 20_000 : 300_000

t.test(
  `an audit of an organization with ${CAPTURES} captures has short statements and needs little memory`,
  async t => {
    const db = await ledgerDatabase(t)
    const orgId = await addOrganization(db)
    await addCaptures(db, orgId, CAPTURES)
    let peak = 0
    const watch = setInterval(() => {
      peak = Math.max(peak, heapInUse())
    }, 250)
    t.teardown(() => clearInterval(watch))
    const before = heapInUse()

    await db.connection().execute(async one => {
      if (!embedded) await sql`set statement_timeout = '3s'`.execute(one)
      for (const [name, options, postings] of [
        ['first', { write: true }, CAPTURES + 1],
        ['full', { full: true }, CAPTURES + 1],
        ['incremental', { write: true }, 1],
      ] as const) {
        const started = performance.now()
        const audit = await auditLedger(one, options)
        t.match(audit, { found: 0, recounted: 0, postings })
        t.comment(`${name}: ${Math.round(performance.now() - started)} ms, ${audit.postings} postings`)
      }
    })
    t.ok(peak - before < 100 * 2 ** 20, `the heap grows by ${Math.round((peak - before) / 2 ** 20)} MiB`)
  },
)
