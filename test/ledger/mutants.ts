import { type Kysely, sql } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'

/** A mistake in a function of the ledger, as a change of its text, and how tests must find it. */
export interface Mutant {
  does: string
  of: string
  change: readonly [from: string, to: string]
  /** True if only concurrent commands reveal the mistake. */
  detectedBy: 'in turn' | 'at once' | 'under strain'
  /** The expected failure. Another failure does not count as finding the mistake. */
  by: RegExp
}

const KEY = /what a key has spent and held in a month|key_months_held_micros_check|'key_spend_limit_exceeded'/
const TWICE = /'settled: \w+'|held_micros_check|ledger_postings_pkey|'a captured hold was taken once/

/** Plausible mistakes, each of which the random commands must find. */
export const MUTANTS: readonly Mutant[] = [
  {
    does: 'forgets the overage of a key',
    of: 'gateway_capture',
    change: ['spent_micros = spent_micros + p_cost', 'spent_micros = spent_micros + v_captured'],
    detectedBy: 'in turn',
    by: KEY,
  },
  {
    does: 'captures in the month of the capture',
    of: 'gateway_capture',
    change: ['key_id = v_hold.key_id and month = v_hold.month', 'key_id = v_hold.key_id and month = gateway_month()'],
    detectedBy: 'in turn',
    by: KEY,
  },
  {
    does: 'posts an overage at its whole cost',
    of: 'gateway_capture',
    change: [`'overage', v_captured - p_cost`, `'overage', -p_cost`],
    detectedBy: 'in turn',
    by: /'the balance is the sum of its entries'/,
  },
  {
    does: 'settles what is settled',
    of: 'gateway_resolve',
    change: [`and state = 'pending' returning`, 'returning'],
    detectedBy: 'in turn',
    by: TWICE,
  },
  {
    does: 'keeps a wallet held after a release',
    of: 'gateway_release',
    change: [
      'update wallets set held_micros = held_micros - v_hold.amount_micros',
      'update wallets set held_micros = held_micros',
    ],
    detectedBy: 'in turn',
    by: /^\+ +held: \d+|'insufficient_balance'/m,
  },
  {
    does: 'lets a call through at its cap',
    of: 'gateway_hold',
    change: ['m.spent_micros + m.held_micros < v_cap', 'm.spent_micros + m.held_micros <= v_cap'],
    detectedBy: 'in turn',
    by: /^- 'key_spend_limit_exceeded'/m,
  },
  {
    does: 'lets a call through at a cap of zero',
    of: 'gateway_hold',
    change: ['v_cap is null or v_cap > 0', 'true'],
    detectedBy: 'in turn',
    by: /^- 'key_spend_limit_exceeded'/m,
  },
  {
    does: 'holds what is held',
    of: 'gateway_hold',
    change: ['balance_micros - held_micros >= p_amount', 'balance_micros >= p_amount'],
    detectedBy: 'in turn',
    by: /^- 'insufficient_balance'/m,
  },
  {
    does: 'does not look at suspension',
    of: 'gateway_refuse_suspended',
    change: ['suspended_at is not null', 'false'],
    detectedBy: 'in turn',
    by: /^- 'org_suspended'/m,
  },
  {
    does: 'expires without a row to look at',
    of: 'gateway_expire_holds',
    change: ['amount_micros from holds where id = any(v_ids);', 'amount_micros from holds where false;'],
    detectedBy: 'in turn',
    by: /'every expired hold is reconciled, and no other'/,
  },
  {
    does: 'loses a credit to another at the same time',
    of: 'gateway_credit',
    change: [
      'balance_micros = balance_micros + p_amount',
      'balance_micros = (select balance_micros from wallets where org_id = p_org) + p_amount',
    ],
    detectedBy: 'at once',
    by: /'the balance is the sum of its entries'/,
  },
  {
    does: 'settles what another has settled since it looked',
    of: 'gateway_resolve',
    change: [
      `where org_id = p_org and id = p_id and state = 'pending' returning`,
      `where org_id = p_org and id = (select id from holds where id = p_id and state = 'pending') returning`,
    ],
    detectedBy: 'at once',
    by: TWICE,
  },
  {
    does: 'calls a hold settled that was made while it looked',
    of: 'gateway_resolve',
    change: [`if v_hold.state <> 'pending' then`, 'if true then'],
    detectedBy: 'under strain',
    by: /settled: pending/,
  },
  {
    does: 'locks the wallet before the month of the key',
    of: 'gateway_capture',
    change: ['  update key_months', '  perform from wallets where org_id = p_org for update; update key_months'],
    detectedBy: 'under strain',
    by: /deadlock detected/,
  },
]

/** Runs work while a mistake is in place. */
export async function withMutant(
  db: Kysely<Database>,
  { of, change }: Mutant,
  work: () => Promise<unknown>,
): Promise<void> {
  const { rows } = await sql<{ text: string }>`select pg_get_functiondef(${of}::regproc) as text`.execute(db)
  const text = rows[0]?.text ?? ''
  const changed = text.replace(...change)
  if (changed === text) throw new Error(`${of} has no ${change[0]}`)
  await sql.raw(changed).execute(db)
  try {
    await work()
  } finally {
    await sql.raw(text).execute(db)
  }
}
