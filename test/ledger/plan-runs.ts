import { deepEqual, equal } from 'node:assert/strict'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { createLedger, HoldSettled } from '../../services/billing/ledger.ts'
import { createPlanLedger } from '../../services/payments/plans/plan-ledger.ts'
import { commands } from '../fixtures/operator-commands.ts'
import fc from '../fixtures/property.ts'
import { brokenInvariants } from './invariants.ts'
import { addOrganization } from './ledger-fixture.ts'
import { createPlanModel } from './plan-model.ts'

/** What happens to a wallet with plans. Periods are days; `at` is the current day. */
type PlanCommand =
  | { kind: 'credit' | 'hold' | 'reversal'; amount: number }
  | { kind: 'settle'; back: number; cost: number | null }
  | { kind: 'grant'; subscription: number; start: number; days: number; amount: number; at: number }
  | { kind: 'expire'; at: number }
  | { kind: 'charge'; days: number; fee: number; amount: number; at: number }

const amount = fc.integer({ min: 1, max: 60 })
const at = fc.integer({ min: 0, max: 40 })
const days = fc.integer({ min: 1, max: 12 })
const command: fc.Arbitrary<PlanCommand> = fc.oneof(
  fc.record({ kind: fc.constantFrom('credit', 'hold', 'hold', 'reversal'), amount }),
  fc.record({ kind: fc.constant('settle'), back: fc.nat(4), cost: fc.option(fc.nat(80), { freq: 4, nil: null }) }),
  fc.record({ kind: fc.constant('grant'), subscription: fc.nat(1), start: at, days, amount, at }),
  fc.record({ kind: fc.constant('expire'), at }),
  fc.record({ kind: fc.constant('charge'), days, fee: amount, amount, at }),
)

const day = (number: number) => new Date(Date.UTC(2026, 0, 1 + number))
const dayOf = (date: Date) => Math.round((date.getTime() - day(0).getTime()) / 86_400_000)

/**
 * Runs captures, grants, expiries and charges in any order. After each command, the wallet must match the model, in which
 * each capture uses the open grants at once; at the end also each grant.
 */
export async function runPlans(db: Kysely<Database>, { runs }: { runs: number }): Promise<void> {
  const property = fc.asyncProperty(fc.array(command, { maxLength: 30, size: 'max' }), async given => {
    const { orgId, names, run, rows } = await stage(db)
    const model = createPlanModel()
    let holds = 0
    let charges = 0
    for (const [index, step] of given.entries()) {
      const numbered = { ...step, index, holds, charges }
      equal(await run(numbered), ask(model, names, numbered), `${index} ${step.kind}`)
      if (step.kind === 'hold') holds++
      if (step.kind === 'charge') charges++
      const { balance, held } = await rows.wallet()
      deepEqual({ balance, held }, { balance: model.balance(), held: model.held() }, `${index} ${step.kind}`)
    }
    // Every grant ends, so that the rows have what was spent of it.
    await run({ kind: 'expire', at: 99, index: -1, holds, charges })
    model.expire(99)
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
    deepEqual(
      (await rows.grants()).sort(byName),
      model.grants
        .map(({ subscription, start, unspent, expired }) => ({ name: `${subscription} ${start}`, unspent, expired }))
        .sort(byName),
    )
    const reversed = given.some(({ kind }) => kind === 'reversal')
    const broken = await brokenInvariants(db, { orgId, suspended: false })
    deepEqual(
      broken.filter(name => !(reversed && name.startsWith('neither the balance'))),
      [],
    )
  })
  await fc.assert(property, { numRuns: runs })
}

type Numbered = PlanCommand & { index: number; holds: number; charges: number }
type Names = Record<'granted' | 'charged', readonly string[]>

/** The expected outcome of a command by the model. */
function ask(model: ReturnType<typeof createPlanModel>, names: Names, step: Numbered): string {
  switch (step.kind) {
    case 'credit':
      model.add(step.amount)
      return 'done'
    case 'reversal':
      model.add(-step.amount)
      return 'done'
    case 'hold':
      return model.hold(step.holds, step.amount) ? 'done' : 'refused'
    case 'settle':
      model.settle(step.holds - 1 - step.back, step.cost ?? 0)
      return 'done'
    case 'grant': {
      const { subscription, start, days, amount, at } = step
      return `granted ${model.grant(names.granted[subscription] ?? '', start, start + days, amount, at)}`
    }
    case 'expire':
      model.expire(step.at)
      return 'done'
    case 'charge': {
      const { days, fee, amount: included, charges, at } = step
      const start = charges
      const paid = model.fee(names.charged[0] ?? '', start, start + 40 + days, { fee, included }, at)
      return paid ? 'done' : 'refused'
    }
  }
}

async function stage(db: Kysely<Database>) {
  const orgId = await addOrganization(db)
  const ledger = createLedger({ db, thresholdMicros: 0, commands })
  const plans = createPlanLedger({ thresholdMicros: 0, commands })
  const names = { granted: [`pln_${orgId}_a`, `pln_${orgId}_b`], charged: [`pln_${orgId}_c`] }
  for (const [index, id] of [...names.granted, ...names.charged].entries()) {
    await sql`insert into subscriptions (org_id, id, provider, plan_id, price_micros, included_micros, livemode, status, created_at, checked_at)
      values (${orgId}, ${id}, ${index < 2 ? 'stripe' : 'wallet'}, 'pro', 1, 1, false, 'canceled', now(), now())`.execute(
      db,
    )
  }
  const hold = (number: number) => ({ orgId, id: `hld_${orgId}_${number}` })

  async function act(step: Numbered): Promise<string> {
    switch (step.kind) {
      case 'credit': {
        const id = `txn_${orgId}_${step.index}`
        await ledger.credit(db, { orgId, id, amountMicros: step.amount, description: 'Top-up' })
        return 'done'
      }
      case 'reversal':
        // What a refund or dispute takes, whatever the balance.
        await sql`with posting as (select gateway_post_payment(${orgId}, ${`rev_${orgId}_${step.index}`}, 'reversal',
          ${-step.amount}, null, 'Refund')) select from posting`.execute(db)
        return 'done'
      case 'hold':
        await ledger.hold({
          ...hold(step.holds),
          userId: `usr_${orgId}`,
          keyId: null,
          tool: 'a__b',
          amountMicros: step.amount,
        })
        return 'done'
      case 'settle': {
        const name = hold(step.holds - 1 - step.back)
        if (step.holds - 1 - step.back < 0) return 'done'
        await (step.cost === null ? ledger.release(db, name) : ledger.capture(db, name, step.cost))
        return 'done'
      }
      case 'grant': {
        const { subscription, start, days, amount: includedMicros, at } = step
        const subscriptionId = names.granted[subscription] ?? ''
        const period = {
          orgId,
          subscriptionId,
          start: day(start),
          end: day(start + days),
          includedMicros,
          description: 'Pro',
        }
        return `granted ${await plans.grant(db, period, day(at))}`
      }
      case 'expire':
        await plans.expire(db, orgId, day(step.at))
        return 'done'
      case 'charge': {
        const { days, fee: feeMicros, amount: includedMicros, charges, at } = step
        const [start, end] = [day(charges), day(charges + 40 + days)]
        const subscriptionId = names.charged[0] ?? ''
        await plans.charge(
          db,
          { orgId, subscriptionId, start, end, feeMicros, includedMicros, description: 'Pro' },
          day(at),
        )
        return 'done'
      }
    }
  }

  return {
    orgId,
    names,
    /** Runs a command. A settled or missing hold is no error here. */
    run: (step: Numbered) =>
      act(step).catch(error => {
        if (error instanceof HoldSettled || error?.name === 'HoldUnknown') return 'done'
        if (error instanceof GatewayError) return 'refused'
        throw error
      }),
    rows: {
      async wallet() {
        const { rows } = await sql<{ balance: number; held: number }>`
          select balance_micros as balance, held_micros as held from wallets where org_id = ${orgId}`.execute(db)
        return rows[0] ?? { balance: 0, held: 0 }
      },
      async grants() {
        const { rows } = await sql<{ subscription: string; start: Date; unspent: number; expired: number | null }>`
          select subscription_id as subscription, period_start as start, unspent_micros as unspent, expired_micros as expired
          from plan_grants where org_id = ${orgId}`.execute(db)
        return rows.map(({ subscription, start, ...rest }) => ({ name: `${subscription} ${dayOf(start)}`, ...rest }))
      },
    },
  }
}
