import t from 'tap'
import { testDatabaseUrl } from '../database.ts'
import { ledgerDatabase } from '../ledger/ledger-fixture.ts'
import { MUTANTS, type Mutant, withMutant } from '../ledger/mutants.ts'
import { runAtOnce, runInTurn } from '../ledger/runs.ts'
import { strain } from '../ledger/strain.ts'

const embedded = testDatabaseUrl === undefined
const onPostgres = embedded ? { skip: 'needs TEST_DATABASE_URL' } : {}
const IN_TURN = embedded ? { runs: 2_000, lanes: 1 } : { runs: 12_000, lanes: 4 }
const AT_ONCE = { runs: 8_000, lanes: 3 }

t.test('random commands come to what the model says, and leave every invariant true', async t => {
  await runInTurn(await ledgerDatabase(t), IN_TURN)
})

t.test('random commands at the same time leave every invariant true', onPostgres, async t => {
  await runAtOnce(await ledgerDatabase(t), AT_ONCE)
})

t.test('holds, settlements, expiry and standing do not block each other', onPostgres, async t => {
  t.same(await strain(await ledgerDatabase(t), { calls: 5_000 }), { calls: 5_000, broken: [], differences: [] })
})

t.test('what somebody could do wrong in the functions is found', async t => {
  const db = await ledgerDatabase(t)
  const ways: Record<Mutant['found'], () => Promise<unknown>> = {
    'in turn': () => runInTurn(db, { runs: 3_000, lanes: 1 }),
    'at once': () => runAtOnce(db, { runs: 600, lanes: 3 }),
    'under strain': () => strain(db, { calls: 5_000 }),
  }
  for (const mutant of MUTANTS) {
    const { does, found, by } = mutant
    await t.test(`a ledger that ${does}`, found === 'in turn' ? {} : onPostgres, async t => {
      await withMutant(db, mutant, async () => {
        t.match(await ways[found]().then(() => 'nothing was found', told), by)
      })
    })
  }
})

/** What a failure says; of a property, the failure of the run that is left when it was shrunk. */
function told({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message : message
}
