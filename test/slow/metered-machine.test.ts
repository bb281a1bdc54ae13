import t from 'tap'
import { testDatabaseUrl } from '../fixtures/database.ts'
import { runMachine } from '../fixtures/metered-machine.ts'
import { ledgerDatabase } from '../ledger/ledger-fixture.ts'

const machine = testDatabaseUrl === undefined ? { runs: 1_000, lanes: 1 } : { runs: 6_000, lanes: 8 }

t.test('random metered calls, credits, suspensions and crashes keep every invariant', async t => {
  const db = await ledgerDatabase(t)
  const started = performance.now()
  await runMachine(db, machine)
  t.pass(`${Math.round((performance.now() - started) / 1000)} s`)
})
