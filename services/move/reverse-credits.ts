import { sql, type Transaction } from 'kysely'
import type { Audit } from '../../lib/audit/audit.ts'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs, forOrg } from '../../lib/database/tenant.ts'
import type { IdSource } from '../../schemas/ids.ts'
import type { Ledger } from '../billing/ledger.ts'
import { OPENING_DESCRIPTION, openingMicros } from '../billing/wallets.ts'

/** An opening credit of development that was taken back. */
export interface ReversedCredit {
  orgId: string
  /** The posting of the reversal; null if nothing was left to take back. */
  id: string | null
  amountMicros: number
}

interface ReverseCreditsOptions {
  ledger: Pick<Ledger, 'reverse'>
  audit: Audit
  ids: IdSource
}

/**
 * Takes back the credit that development gives each new organization, at most what its wallet has available: what was
 * spent stays spent, and no balance becomes negative.
 */
export async function reverseOpeningCredits(
  db: Transaction<Database>,
  { ledger, audit, ids }: ReverseCreditsOptions,
): Promise<ReversedCredit[]> {
  const { rows: credits } = await sql<{ orgId: string; posting: string; amountMicros: number }>`
    select distinct on (p.org_id) p.org_id as "orgId", p.id as posting, e.amount_micros as "amountMicros"
    from ledger_postings as p
    join ledger_entries as e on e.org_id = p.org_id and e.posting_id = p.id and e.account = 'wallet'
    where p.kind = 'credit' and p.description = ${OPENING_DESCRIPTION} and e.amount_micros = ${openingMicros('development')}
    order by p.org_id, p.at, p.id
  `.execute(acrossOrgs(db))
  const reversed: ReversedCredit[] = []
  for (const { orgId, posting, amountMicros } of credits) {
    const id = ids('txn')
    const description = `Reversal of the development credit ${posting}`
    const taken = await ledger.reverse(db, { orgId, id, amountMicros, description })
    if (taken > 0) {
      const detail = { amountMicros: taken, description }
      await audit.record(forOrg(db, orgId), { by: 'operator', action: 'wallet.reverse', target: id, detail })
    }
    reversed.push({ orgId, id: taken > 0 ? id : null, amountMicros: taken })
  }
  return reversed
}
