import { deepEqual, equal, ok } from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Kysely } from 'kysely'
import type { Database } from '../lib/database/tables.ts'
import type { ToolOutcome } from '../services/tool-calls/call.ts'
import { testClock } from './fixture.ts'
import { brokenInvariants } from './ledger/invariants.ts'
import { KEYS, type KeyName, setCap, suspend } from './ledger/ledger-fixture.ts'
import { expireHolds, meteredProcess, moneyOf, payingOrganization, reconciliationsOf } from './metered-fixture.ts'
import { meteredTools, PRICES } from './metered-tools.ts'
import fc from './property.ts'

/**
 * A call and how its provider ends. A billed one throws after its report. A stalled one waits until released, like a dead
 * process.
 */
interface Plan {
  process: number
  who: KeyName
  tool: 'test__fixed' | 'test__by_argument' | 'test__afterwards'
  size: number
  ends: 'done' | 'error' | 'throw' | 'billed' | 'stall'
  key: 'a' | 'b' | null
}

type Command =
  | { kind: 'calls'; plans: Plan[] }
  | { kind: 'credit'; amount: number }
  | { kind: 'cap'; who: KeyName; micros: number | null }
  | { kind: 'suspend' | 'resume' | 'expire' | 'lapse' | 'wake' }

const who = fc.constantFrom(...KEYS)
const plan: fc.Arbitrary<Plan> = fc.record({
  process: fc.nat({ max: 1 }),
  who,
  tool: fc.constantFrom('test__fixed', 'test__by_argument', 'test__afterwards'),
  size: fc.nat({ max: 4 }),
  ends: fc.constantFrom('done', 'done', 'done', 'error', 'throw', 'billed', 'stall'),
  key: fc.constantFrom('a', 'a', 'b', null),
})
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('calls'), plans: fc.array(plan, { minLength: 1, maxLength: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('credit'), amount: fc.integer({ min: 1, max: 8_000 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('cap'), who, micros: fc.option(fc.nat({ max: 9_000 }), { nil: null }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('suspend', 'resume', 'resume', 'expire', 'lapse', 'wake') }),
  },
)

/** The costs that `test__afterwards` reports, by size. The fourth is invalid, the last one above its bound. */
const COSTS = [0, 1_700, 8_000, -1, 10 * PRICES.ceiling + 1]
const costOf = ({ size, ends }: Plan) => COSTS[ends === 'stall' ? size % 3 : size]
const LEASE_MS = 90_001
const EXPIRY_MS = 15 * 60_000

/** A running call and its outcome. */
interface Made extends Plan {
  serial: number
  executed: boolean
  costMicros: number
  started(): void
  wake: Promise<void>
}

const current = new AsyncLocalStorage<Made>()

/** Shared by all runs. Each execution names its call. */
const family = meteredTools({
  async work(name, { reportCost }) {
    const made = current.getStore()
    ok(made !== undefined && !made.executed, 'a call is executed once')
    made.executed = true
    made.started()
    if (made.ends === 'billed' && name === 'afterwards') reportCost(costOf(made) ?? 0)
    if (made.ends === 'throw' || made.ends === 'billed') throw new Error('The provider failed')
    if (made.ends === 'stall') await made.wake
    return {
      cost: costOf(made),
      result: { content: [{ type: 'text', text: `${made.serial}` }], ...(made.ends === 'error' && { isError: true }) },
    }
  },
})

const isPriced = ({ tool, size }: Plan) => tool !== 'test__by_argument' || size > 0
const isFailing = ({ ends }: Plan) => ends === 'error' || ends === 'billed'
/** Whether the tool reports the cost of its size, also before a failure. */
const isReported = (plan: Plan) => plan.tool === 'test__afterwards' && (plan.ends === 'done' || isFailing(plan))
const isInvalid = (plan: Plan) => isReported(plan) && plan.size === 3
const isBounded = (plan: Plan) => isReported(plan) && plan.size === 4
const idOf = ({ who, tool, key }: Plan) => (key === null ? null : `${who} ${tool} ${key}`)
const argumentsOf = ({ tool, size }: Plan) => (tool === 'test__by_argument' ? { units: size } : {})

/** The possible outcomes of calls here: the database is always available, and no call waits for a dead process. */
const OUTCOMES =
  /^(ok|error|internal_error|org_suspended|payment_required|key_spend_limit_exceeded|insufficient_balance|idempotency_conflict)$/

/** Runs random calls of metered tools on two processes while their organization changes. */
async function runCommands(db: Kysely<Database>, opening: number, commands: readonly Command[]): Promise<void> {
  const organization = await payingOrganization(db, opening)
  const { orgId } = organization
  const clock = testClock()
  const wait = () => new Promise(setImmediate)
  const finished = ({ costMicros }: ToolOutcome) => {
    const made = current.getStore()
    if (made !== undefined) made.costMicros = costMicros
  }
  const start = () => meteredProcess({ db, clock, family, wait, finished, deadlineMs: 600_000 })
  const everStarted = [start(), start()]
  const everMade: Made[] = []
  const answers: { made: Made; outcome: string; text: string }[] = []
  const stalled = new Map<Promise<unknown>, () => void>()
  const busy = new Set<string | null>()
  let serving = [...everStarted]
  let credited = opening
  let suspended = false

  async function make(plan: Plan): Promise<void> {
    const { promise: began, resolve: started } = Promise.withResolvers<void>()
    const { promise: wake, resolve } = Promise.withResolvers<void>()
    const made: Made = { ...plan, serial: everMade.length, executed: false, costMicros: 0, started, wake }
    everMade.push(made)
    const sent = plan.key === null ? {} : { key: plan.key }
    const called = current
      .run(made, async () => serving[plan.process]?.call(organization[plan.who], plan.tool, argumentsOf(plan), sent))
      .then(answer => answers.push({ made, outcome: answer?.outcome ?? '', text: answer?.text ?? '' }))
    if (plan.ends !== 'stall') return void (await called)
    stalled.set(called, resolve)
    await Promise.race([called, began])
    if (made.executed && plan.key !== null) busy.add(idOf(plan))
  }

  /** Calls that share a key never stall, because the others would wait. */
  async function callAll(plans: readonly Plan[]): Promise<void> {
    const free = plans.filter(plan => !busy.has(idOf(plan)) || plan.key === null)
    const sharing = (plan: Plan) => plan.key !== null && free.filter(other => idOf(other) === idOf(plan)).length > 1
    const before = answers.length
    await Promise.all(
      free.map(plan => make(plan.ends === 'stall' && sharing(plan) ? { ...plan, ends: 'error' } : plan)),
    )
    for (const { outcome, made } of answers.slice(before)) {
      ok(OUTCOMES.test(outcome), outcome)
      equal(outcome === 'org_suspended', suspended)
      ok(!(suspended && made.executed), 'nothing runs while suspended')
    }
  }

  /** Abandons the stalled processes, whose calls others take over. */
  function lapse(milliseconds: number): void {
    clock.advance(milliseconds)
    serving = [start(), start()]
    everStarted.push(...serving)
    busy.clear()
  }

  async function wakeAll(): Promise<void> {
    for (const wake of stalled.values()) wake()
    await Promise.all(stalled.keys())
    stalled.clear()
    busy.clear()
  }

  async function step(command: Command): Promise<void> {
    switch (command.kind) {
      case 'calls':
        return callAll(command.plans)
      case 'credit':
        credited += command.amount
        return void (await organization.credit(command.amount))
      case 'cap':
        return setCap(db, orgId, command.who, command.micros)
      case 'suspend':
      case 'resume':
        suspended = command.kind === 'suspend'
        return suspend(db, orgId, suspended)
      case 'lapse':
        return lapse(LEASE_MS)
      case 'wake':
        return wakeAll()
      case 'expire':
        lapse(EXPIRY_MS)
        return expireHolds(db, orgId)
    }
  }

  for (const command of commands) await step(command)
  if (stalled.size > 0) await step({ kind: 'expire' })
  await wakeAll()
  for (const { metering } of everStarted) await metering.close()

  const broken = await brokenInvariants(db, { orgId, suspended })
  deepEqual(
    broken.filter(name => name !== 'exactly the expired holds are reconciled'),
    [],
  )
  const money = await moneyOf(db, orgId)
  const executed = everMade.filter(made => made.executed)
  const { captured, released, expired, pending } = money
  equal(executed.filter(isPriced).length, captured + released + expired + pending, 'each execution has its hold')
  equal(pending, 0)
  const charged = everMade.reduce((sum, { costMicros }) => sum + costMicros, 0)
  equal(charged, credited - money.balance, 'the wallet paid the costs of the usage rows')

  const reconciled = await reconciliationsOf(db, orgId)
  const of = (reason: string) => reconciled.filter(row => row.reason === reason)
  equal(of('invalid_cost').length, executed.filter(isInvalid).length)
  equal(of('overage_bound').length, executed.filter(isBounded).length)
  equal(of('expired').length, expired)
  ok(
    of('expired').every(({ cost }) => cost !== null),
    'a late settlement records the cost',
  )

  const ids = new Set(everMade.map(idOf).filter(id => id !== null))
  for (const id of ids) {
    const alive = everMade.filter(made => idOf(made) === id && made.ends !== 'stall')
    const charged = alive.filter(made => isFailing(made) && made.costMicros > 0)
    const done = alive.filter(({ executed, ends }) => executed && ends === 'done')
    ok(done.length + charged.length <= 1, 'a key is executed once, until it has a result or a charged failure')
    const texts = answers
      .filter(({ made, outcome }) => outcome === 'ok' && alive.includes(made))
      .map(({ text }) => text)
    ok(new Set(texts).size + charged.length <= 1, 'a key has one answer')
    const paid = everMade.filter(made => idOf(made) === id && made.costMicros > 0)
    ok(paid.length <= 1, 'a key is charged once, whichever process died')
  }
}

interface MachineOptions {
  runs: number
  /** The number of concurrent runs, each with its own organization. */
  lanes: number
}

/** Checks random runs in several concurrent lanes, each with its own seed. */
export async function runMachine(db: Kysely<Database>, { runs, lanes }: MachineOptions): Promise<void> {
  const opening = fc.nat({ max: 12_000 })
  const property = fc.asyncProperty(opening, fc.array(command, { minLength: 1, maxLength: 6 }), (opening, commands) =>
    runCommands(db, opening, commands),
  )
  const { seed } = fc.readConfigureGlobal()
  const lane = (_: unknown, index: number) =>
    fc.assert(property, { numRuns: Math.ceil(runs / lanes), ...(seed !== undefined && { seed: seed + index }) })
  await Promise.all(Array.from({ length: lanes }, lane))
}
