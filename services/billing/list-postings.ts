import type { Kysely } from 'kysely'
import type { PostingKind } from '../../lib/database/billing-tables.ts'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg } from '../../lib/database/tenant.ts'
import { requireOrganization } from '../organizations/require-organization.ts'

/** What one posting did to a wallet. */
export interface Posting {
  id: string
  at: Date
  kind: PostingKind
  /** Micro-dollars; below zero where they were taken. */
  amountMicros: number
  description: string
  keyId: string | null
  holdId: string | null
}

/** The last postings of a wallet, the newest first; throws invalid_request when there is no such organization. */
export async function listPostings(
  db: Kysely<Database>,
  { orgId, limit }: { orgId: string; limit: number },
): Promise<Posting[]> {
  await requireOrganization(db, orgId)
  return forOrg(db, orgId)
    .selectFrom('ledger_postings')
    .innerJoin('ledger_entries', join =>
      join
        .onRef('ledger_entries.org_id', '=', 'ledger_postings.org_id')
        .onRef('ledger_entries.posting_id', '=', 'ledger_postings.id')
        .on('ledger_entries.account', '=', 'wallet'),
    )
    .select([
      'ledger_postings.id',
      'ledger_postings.at',
      'ledger_postings.kind',
      'ledger_entries.amount_micros as amountMicros',
      'ledger_postings.description',
      'ledger_postings.key_id as keyId',
      'ledger_postings.hold_id as holdId',
    ])
    .orderBy('ledger_postings.at', 'desc')
    .orderBy('ledger_postings.id', 'desc')
    .limit(limit)
    .execute()
}
