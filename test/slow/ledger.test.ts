import t from 'tap'
import { testDatabaseUrl } from '../fixtures/database.ts'
import { runUnderContention } from '../ledger/contention.ts'
import { ledgerDatabase } from '../ledger/ledger-fixture.ts'
import { checkLockOrder, patientLedger } from '../ledger/lock-order.ts'
import { MUTANTS, type Mutant, withMutant } from '../ledger/mutants.ts'
import { runConcurrently, runSequentially } from '../ledger/runs.ts'

const embedded = testDatabaseUrl === undefined
const onPostgres = embedded ? { skip: 'needs TEST_DATABASE_URL' } : {}
const SEQUENTIAL = embedded ? { runs: 2_000, lanes: 1 } : { runs: 12_000, lanes: 4 }
const CONCURRENT = { runs: 8_000, lanes: 3 }

t.test('random commands match the model and keep every invariant', async t => {
  await runSequentially(await ledgerDatabase(t), SEQUENTIAL)
})

t.test('concurrent random commands keep every invariant', onPostgres, async t => {
  await runConcurrently(await ledgerDatabase(t), CONCURRENT)
})

t.test('holds, settlements, expiry and standing do not block each other', onPostgres, async t => {
  t.same(await runUnderContention(await ledgerDatabase(t), { calls: 5_000 }), {
    calls: 5_000,
    broken: [],
    differences: [],
  })
})

t.test('the tests detect every mutant of the ledger', async t => {
  const shared = await ledgerDatabase(t)
  const ways: Record<Mutant['detectedBy'], (db: typeof shared) => Promise<unknown>> = {
    sequential: db => runSequentially(db, { runs: 3_000, lanes: 1 }),
    concurrent: db => runConcurrently(db, { runs: 600, lanes: 3 }),
    'under contention': db => runUnderContention(db, { calls: 5_000 }),
    'lock order': checkLockOrder,
  }
  for (const mutant of MUTANTS) {
    const { does, detectedBy, by } = mutant
    await t.test(`a ledger that ${does}`, detectedBy === 'sequential' ? {} : onPostgres, async t => {
      const db = detectedBy === 'lock order' ? await patientLedger(t) : shared
      await withMutant(db, mutant, async () => {
        t.match(await ways[detectedBy](db).then(() => 'nothing was detected', messageOf), by)
      })
    })
  }
})

/** Returns the message of a failure; for a property, the message of the shrunk counterexample. */
function messageOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message : message
}
