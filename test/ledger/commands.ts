import { match } from 'node:assert/strict'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { createLedger, HoldSettled, HoldUnknown, type Ledger } from '../../services/billing/ledger.ts'
import { commands } from '../fixtures/operator-commands.ts'
import fc from '../fixtures/property.ts'
import { KEYS, type KeyName, keyId, setCap, setMonth, suspend } from './ledger-fixture.ts'

/** The commands of a ledger. Holds are numbered in order; a settlement names the one that is `back` holds ago, or none. */
type Command =
  | { kind: 'credit'; amount: number }
  | { kind: 'hold'; key: KeyName | null; amount: number }
  | { kind: 'capture'; back: number; cost: number }
  | { kind: 'release'; back: number }
  | { kind: 'expire'; back: number[] }
  | { kind: 'cap'; key: KeyName; micros: number | null }
  | { kind: 'month'; month: number }
  | { kind: 'suspend' }
  | { kind: 'resume' }

// Small numbers reach the limits often, so that both sides of each limit are tested.
const key = fc.constantFrom(...KEYS)
const back = fc.nat({ max: 6 })
const amounts = fc.integer({ min: 1, max: 40 })

const movements: fc.WeightedArbitrary<Command>[] = [
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('credit'), amount: fc.integer({ min: 1, max: 90 }) }) },
  {
    weight: 9,
    arbitrary: fc.record({ kind: fc.constant('hold'), key: fc.option(key, { nil: null }), amount: amounts }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('capture'), back, cost: fc.nat({ max: 60 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('release'), back }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('expire'), back: fc.array(back, { maxLength: 3 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('cap'), key, micros: fc.option(fc.nat({ max: 50 }), { nil: null }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('month'), month: fc.nat({ max: 2 }) }) },
]
const standing: fc.WeightedArbitrary<Command>[] = [
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('suspend') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('resume') }) },
]

/** Commands that move money, in any order. */
export const anyMovements = (maxLength: number) => fc.array(fc.oneof(...movements), { maxLength, size: 'max' })

/** All commands, in any order. */
export const anyCommands = (maxLength: number) =>
  fc.array(fc.oneof(...movements, ...standing), { maxLength, size: 'max' })

/** The initial state of an organization. */
export const anyBeginning = fc.record({
  wallet: fc.boolean(),
  credit: fc.constantFrom(0, 60, 300),
  thresholdMicros: fc.constantFrom(0, 0, 25),
})

export type Beginning = typeof anyBeginning extends fc.Arbitrary<infer Value> ? Value : never

/** A command with its position: `made` is the number of earlier holds in its run. */
export type Step = Command & { made: number }

/** Numbers the commands of a run, from `made` on. */
export function stepsOf(commands: readonly Command[], made = 0): Step[] {
  return commands.map(command => ({ ...command, made: command.kind === 'hold' ? made++ : made }))
}

function holdId(orgId: string, number: number): string {
  return `hld_${orgId}_${number}`
}

/** The context of commands, on one connection or on several concurrent ones. */
interface Actor {
  db: Kysely<Database>
  orgId: string
  ledger: Ledger
  /** The number of its credits, which is part of their ids. */
  credits: number
  /** Whether `expire` runs in one transaction, because the runs do not use concurrent commands. */
  sequential: boolean
}

export function createActor(options: Omit<Actor, 'ledger' | 'credits'> & { thresholdMicros: number }): Actor {
  const { thresholdMicros, ...actor } = options
  return { ...actor, credits: 0, ledger: createLedger({ db: actor.db, thresholdMicros, commands }) }
}

/** Runs a command and returns its outcome as text. Throws for an outcome that no command may have. */
export async function run(actor: Actor, step: Step): Promise<string> {
  try {
    return await attempt(actor, step)
  } catch (error) {
    if (error instanceof GatewayError) return error.code
    if (error instanceof HoldSettled) return `settled: ${error.state}`
    if (error instanceof HoldUnknown) return 'unknown'
    throw error
  }
}

/** Runs commands concurrently. Throws for an outcome that no command may have. */
export async function runTogether(actor: Actor, steps: readonly Step[]): Promise<void> {
  const answers = await Promise.all(steps.map(step => run(actor, step)))
  for (const answer of answers) match(answer, ANSWERS)
}

const ANSWERS =
  /^(done|balance -?\d+|expired \d+|unknown|settled: (captured|released|expired)|org_suspended|payment_required|key_spend_limit_exceeded|insufficient_balance)$/

async function attempt(actor: Actor, step: Step): Promise<string> {
  const { db, orgId, ledger, sequential } = actor
  const named = (back: number) => ({ orgId, id: holdId(orgId, step.made - back) })
  switch (step.kind) {
    case 'credit': {
      const id = `txn_${orgId}_${++actor.credits}`
      return `balance ${await ledger.credit(db, { orgId, id, amountMicros: step.amount, description: 'Test' })}`
    }
    case 'hold': {
      const owner = { ...named(0), userId: `usr_${orgId}`, keyId: keyId(orgId, step.key) }
      await ledger.hold({ ...owner, tool: 'test__tool', amountMicros: step.amount })
      return 'done'
    }
    case 'capture':
      await ledger.capture(db, named(step.back), step.cost)
      return 'done'
    case 'release':
      await ledger.release(db, named(step.back))
      return 'done'
    case 'expire': {
      const ids = step.back.map(back => named(back).id)
      const expired = sequential
        ? await db.transaction().execute(trx => expire(trx, orgId, ids))
        : await expire(db, orgId, ids)
      return `expired ${expired}`
    }
    case 'cap':
      await setCap(db, orgId, step.key, step.micros)
      return 'done'
    case 'month':
      await setMonth(db, step.month)
      return 'done'
    case 'suspend':
    case 'resume':
      await suspend(db, orgId, step.kind === 'suspend')
      return 'done'
  }
}

/** Ends the time of some holds and expires due holds. Returns their number. */
async function expire(db: Kysely<Database>, orgId: string, ids: readonly string[]): Promise<number> {
  // One by one, because the service does not lock several holds in a fixed order.
  for (const id of new Set(ids)) {
    await sql`update holds set expires_at = now() where org_id = ${orgId} and id = ${id} and state = 'pending'`.execute(
      db,
    )
  }
  const { rows } = await sql`select from gateway_expire_holds(${orgId}, 100)`.execute(db)
  return rows.length
}
