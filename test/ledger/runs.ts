import { deepEqual, equal } from 'node:assert/strict'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import fc from '../fixtures/property.ts'
import {
  anyBeginning,
  anyCommands,
  anyMovements,
  type Beginning,
  createActor,
  run,
  runTogether,
  stepsOf,
} from './commands.ts'
import { brokenInvariants } from './invariants.ts'
import { addOrganization, setMonth, suspend } from './ledger-fixture.ts'
import { createModel } from './model.ts'

interface RunsOptions {
  runs: number
  /** The number of concurrent runs, each with its own organization. */
  lanes: number
}

/** Runs random commands in sequence. Each outcome and all rows must match the model. */
export function runSequentially(db: Kysely<Database>, options: RunsOptions): Promise<void> {
  const property = fc.asyncProperty(anyBeginning, anyCommands(22), (beginning, commands) =>
    db.connection().execute(async db => {
      await setMonth(db, 0)
      const { orgId, actor } = await begin(db, beginning, { sequential: true })
      const model = createModel(beginning)
      for (const step of stepsOf([...opening(beginning), ...commands])) {
        equal(await run(actor, step), model.run(step), step.kind)
      }
      deepEqual(await rowsOf(db, orgId), model.rows())
      deepEqual(await brokenInvariants(db, { orgId, suspended: model.suspended() }), [])
    }),
  )
  return inLanes(property, options, { endOnFailure: false })
}

/** Runs random commands concurrently, in three waves. In the second, the organization is suspended. */
export function runConcurrently(db: Kysely<Database>, options: RunsOptions): Promise<void> {
  const waves = fc.tuple(anyMovements(16), anyMovements(6), anyMovements(10))
  const property = fc.asyncProperty(anyBeginning, waves, async (beginning, waves) => {
    const { orgId, actor } = await begin(db, beginning, { sequential: false })
    let made = 0
    for (const [index, wave] of [opening(beginning), ...waves].entries()) {
      const suspended = index === 2
      if (index >= 2) await suspend(db, orgId, suspended)
      const steps = stepsOf(wave, made)
      made += wave.filter(({ kind }) => kind === 'hold').length
      await runTogether(actor, steps)
      // Twice per run: during the suspension and at the end.
      if (index >= 2) deepEqual(await brokenInvariants(db, { orgId, suspended }), [])
    }
  })
  // A concurrent failure does not repeat in the same way, so it cannot be shrunk.
  return inLanes(property, options, { endOnFailure: true })
}

async function begin(db: Kysely<Database>, beginning: Beginning, { sequential }: { sequential: boolean }) {
  const orgId = await addOrganization(db, beginning)
  return { orgId, actor: createActor({ db, orgId, sequential, ...beginning }) }
}

function opening({ credit }: Beginning) {
  return credit === 0 ? [] : [{ kind: 'credit', amount: credit } as const]
}

/** The state of the database, in the form of the model. */
async function rowsOf(db: Kysely<Database>, orgId: string) {
  const { rows } = await sql<{ balance: number; held: number; holds: unknown[] }>`
    select coalesce(max(balance_micros), 0) as balance, coalesce(max(held_micros), 0) as held, (
      select coalesce(json_agg(json_build_object(
        'number', split_part(id, '_', 4)::int, 'month', month, 'state', state, 'cost', cost_micros
      ) order by split_part(id, '_', 4)::int), '[]') from holds where org_id = ${orgId}
    ) as holds from wallets where org_id = ${orgId}`.execute(db)
  return rows[0]
}

/** Checks a property in several concurrent lanes, each with its own seed. */
async function inLanes<Ts>(
  property: fc.IAsyncProperty<Ts>,
  { runs, lanes }: RunsOptions,
  parameters: Pick<fc.Parameters<Ts>, 'endOnFailure'>,
): Promise<void> {
  const { seed } = fc.readConfigureGlobal()
  const numRuns = Math.ceil(runs / lanes)
  const lane = (_: unknown, index: number) =>
    fc.assert(property, { ...parameters, numRuns, ...(seed !== undefined && { seed: seed + index }) })
  await Promise.all(Array.from({ length: lanes }, lane))
}
