import type { Kysely } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs, forOrg } from '../../lib/database/tenant.ts'
import type { PostingKind, ReconciliationsTable } from '../../lib/database/usage-tables.ts'
import { requireOrganization } from '../organizations/requirements.ts'

/** The effect of one posting on a wallet. */
export interface Posting {
  id: string
  at: Date
  kind: PostingKind
  /** In micro-dollars; negative for charges. */
  amountMicros: number
  description: string
  keyId: string | null
  holdId: string | null
  /** The operator's name for it. */
  reference: string | null
}

/** Selects what changed a wallet: its postings, each with the amount of its entry for the wallet. */
export function walletPostings(db: Kysely<Database>, orgId: string) {
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
    ])
}

/** The latest postings of a wallet, newest first. Throws invalid_request if the organization does not exist. */
export async function listPostings(
  db: Kysely<Database>,
  { orgId, limit }: { orgId: string; limit: number },
): Promise<Posting[]> {
  await requireOrganization(db, orgId)
  return walletPostings(db, orgId)
    .select(['ledger_postings.hold_id as holdId', 'ledger_postings.reference'])
    .orderBy('ledger_postings.at', 'desc')
    .orderBy('ledger_postings.id', 'desc')
    .limit(limit)
    .execute()
}

/** What was given up of a call in the customer's favor. */
export interface Reconciliation {
  holdId: string
  orgId: string
  tool: string
  reason: ReconciliationsTable['reason']
  heldMicros: number
  /** What the call cost, in micro-dollars; null if that never became known. */
  costMicros: number | null
  at: Date
}

/** The latest reconciliations of one organization or of all, newest first. Throws invalid_request if the organization does not exist. */
export async function listReconciliations(
  db: Kysely<Database>,
  { orgId, limit }: { orgId: string | undefined; limit: number },
): Promise<Reconciliation[]> {
  if (orgId !== undefined) await requireOrganization(db, orgId)
  return acrossOrgs(db)
    .selectFrom('reconciliations')
    .$if(orgId !== undefined, query => query.where('org_id', '=', orgId ?? ''))
    .select([
      'hold_id as holdId',
      'org_id as orgId',
      'tool',
      'reason',
      'held_micros as heldMicros',
      'cost_micros as costMicros',
      'at',
    ])
    .orderBy('at', 'desc')
    .orderBy('hold_id', 'desc')
    .limit(limit)
    .execute()
}
