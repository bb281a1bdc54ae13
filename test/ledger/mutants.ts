import { type Kysely, sql } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'

/** A mistake in a function of the ledger, as a change of its text, and how tests must detect it. */
export interface Mutant {
  does: string
  of: string
  change: readonly [from: string | RegExp, to: string]
  /** The kind of run that reveals the mistake. */
  detectedBy: 'sequential' | 'concurrent' | 'under contention' | 'lock order'
  /** The expected failure. Another failure does not count as detecting the mistake. */
  by: RegExp
}

const KEY = /the monthly amounts of a key match its holds|key_months_held_micros_check|'key_spend_limit_exceeded'/
const TWICE = /'settled: \w+'|held_micros_check|ledger_postings_pkey|'a captured hold is charged once/

/** Plausible mistakes, each of which the random commands must detect. */
export const MUTANTS: readonly Mutant[] = [
  {
    does: 'forgets the overage of a key',
    of: 'gateway_capture',
    change: ['spent_micros = spent_micros + p_cost', 'spent_micros = spent_micros + v_captured'],
    detectedBy: 'sequential',
    by: KEY,
  },
  {
    does: 'captures in the month of the capture',
    of: 'gateway_capture',
    change: ['key_id = v_hold.key_id and month = v_hold.month', 'key_id = v_hold.key_id and month = gateway_month()'],
    detectedBy: 'sequential',
    by: KEY,
  },
  {
    does: 'posts an overage at the whole cost',
    of: 'gateway_capture',
    change: [`'overage', v_captured - p_cost`, `'overage', -p_cost`],
    detectedBy: 'sequential',
    by: /'the balance is the sum of its entries'/,
  },
  {
    does: 'settles a settled hold',
    of: 'gateway_resolve',
    change: [`and state = 'pending' returning`, 'returning'],
    detectedBy: 'sequential',
    by: TWICE,
  },
  {
    does: 'keeps the held amount after a release',
    of: 'gateway_release',
    change: [
      'update wallets set held_micros = held_micros - v_hold.amount_micros',
      'update wallets set held_micros = held_micros',
    ],
    detectedBy: 'sequential',
    by: /^\+ +held: \d+|'insufficient_balance'/m,
  },
  {
    does: 'lets a call through at its cap',
    of: 'gateway_hold',
    change: ['m.spent_micros + m.held_micros < v_cap', 'm.spent_micros + m.held_micros <= v_cap'],
    detectedBy: 'sequential',
    by: /^- 'key_spend_limit_exceeded'/m,
  },
  {
    does: 'lets a call through at a cap of zero',
    of: 'gateway_hold',
    change: ['v_cap is null or v_cap > 0', 'true'],
    detectedBy: 'sequential',
    by: /^- 'key_spend_limit_exceeded'/m,
  },
  {
    does: 'holds an amount that is already held',
    of: 'gateway_hold',
    change: ['balance_micros - held_micros >= p_amount', 'balance_micros >= p_amount'],
    detectedBy: 'sequential',
    by: /^- 'insufficient_balance'/m,
  },
  {
    does: 'ignores a suspension',
    of: 'gateway_refuse_suspended',
    change: ['suspended_at is not null', 'false'],
    detectedBy: 'sequential',
    by: /^- 'org_suspended'/m,
  },
  {
    does: 'expires holds without a reconciliation',
    of: 'gateway_expire_holds',
    change: [
      /amount_micros from holds\s+where org_id = p_org and id = any\(v_ids\);/,
      'amount_micros from holds where false;',
    ],
    detectedBy: 'sequential',
    by: /'exactly the expired holds are reconciled'/,
  },
  {
    does: 'loses a credit to a concurrent credit',
    of: 'gateway_credit',
    change: [
      'balance_micros = balance_micros + p_amount',
      'balance_micros = (select balance_micros from wallets where org_id = p_org) + p_amount',
    ],
    detectedBy: 'concurrent',
    by: /'the balance is the sum of its entries'/,
  },
  {
    does: 'settles a hold that was settled after the check',
    of: 'gateway_resolve',
    change: [
      `where org_id = p_org and id = p_id and state = 'pending' returning`,
      `where org_id = p_org and id = (select id from holds where id = p_id and state = 'pending') returning`,
    ],
    detectedBy: 'concurrent',
    by: TWICE,
  },
  {
    does: 'reports a hold as settled that was created during the check',
    of: 'gateway_resolve',
    change: [`if v_hold.state <> 'pending' then`, 'if true then'],
    detectedBy: 'under contention',
    by: /settled: pending/,
  },
  {
    does: 'locks the wallet before the month of the key',
    of: 'gateway_capture',
    change: ['  update key_months', '  perform from wallets where org_id = p_org for update; update key_months'],
    detectedBy: 'lock order',
    by: /could not obtain lock on row in relation "wallets"/,
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
