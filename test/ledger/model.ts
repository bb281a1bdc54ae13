import type { HoldState } from '../../lib/database/usage-tables.ts'
import type { Beginning, Step } from './commands.ts'
import { type KeyName, monthName } from './ledger-fixture.ts'

interface ModelHold {
  key: KeyName | null
  month: string
  amount: number
  state: HoldState
  cost: number | null
}

/** A model of the ledger with plain numbers, for sequential commands. */
export function createModel({ thresholdMicros }: Pick<Beginning, 'thresholdMicros'>) {
  const holds = new Map<number, ModelHold>()
  const caps = new Map<KeyName, number | null>()
  let balance = 0
  let suspended = false
  let month = monthName(0)

  const sum = (amounts: Iterable<number>) => Iterator.from(amounts).reduce((total, amount) => total + amount, 0)
  const pending = (of: Iterable<ModelHold>) => Iterator.from(of).filter(({ state }) => state === 'pending')
  const held = () => sum(pending(holds.values()).map(({ amount }) => amount))

  /** What counts against the cap of a key: its spent and held amounts of this month. */
  function counted(key: KeyName): number {
    const own = [...holds.values()].filter(hold => hold.key === key && hold.month === month)
    return sum(own.map(({ cost }) => cost ?? 0)) + sum(pending(own).map(({ amount }) => amount))
  }

  function hold({ key, amount, made }: Extract<Step, { kind: 'hold' }>): string {
    const cap = key === null ? null : (caps.get(key) ?? null)
    if (suspended) return 'org_suspended'
    if (balance < thresholdMicros) return 'payment_required'
    if (key !== null && cap !== null && counted(key) >= cap) return 'key_spend_limit_exceeded'
    if (balance - held() < amount) return 'insufficient_balance'
    holds.set(made, { key, month, amount, state: 'pending', cost: null })
    return 'done'
  }

  function settle(number: number, state: HoldState, cost: number | null): string {
    const hold = holds.get(number)
    if (hold === undefined) return 'unknown'
    if (hold.state !== 'pending') return `settled: ${hold.state}`
    Object.assign(hold, { state, cost })
    balance -= cost ?? 0
    return 'done'
  }

  /** Runs a command and returns the expected outcome. */
  function run(step: Step): string {
    switch (step.kind) {
      case 'credit':
        balance += step.amount
        return `balance ${balance}`
      case 'hold':
        return hold(step)
      case 'capture':
        return settle(step.made - step.back, 'captured', step.cost)
      case 'release':
        return settle(step.made - step.back, 'released', null)
      case 'expire': {
        const expired = [...new Set(step.back)].map(back => settle(step.made - back, 'expired', null))
        return `expired ${expired.filter(answer => answer === 'done').length}`
      }
      case 'cap':
        caps.set(step.key, step.micros)
        return 'done'
      case 'month':
        month = monthName(step.month)
        return 'done'
      case 'suspend':
      case 'resume':
        suspended = step.kind === 'suspend'
        return 'done'
    }
  }

  return {
    run,
    suspended: () => suspended,
    rows: () => ({
      balance,
      held: held(),
      holds: [...holds].map(([number, { month, state, cost }]) => ({ number, month, state, cost })),
    }),
  }
}
