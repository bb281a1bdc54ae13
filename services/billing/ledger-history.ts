import type { Kysely } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs, forOrg } from '../../lib/database/tenant.ts'
import type { PostingKind, ReconciliationsTable } from '../../lib/database/usage-tables.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { readPage } from '../../lib/pages/pages.ts'
import type { PageRequest } from '../../schemas/primitives/page.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { requireOrganization } from '../organizations/requirements.ts'
import type { Wallet, Wallets } from './wallets.ts'

/** A posting that changed a wallet. */
interface WalletTransaction {
  id: string
  at: Date
  kind: PostingKind
  /** In micro-dollars; negative for charges. */
  amountMicros: number
  description: string
  keyId: string | null
  paymentId: string | null
}

/** The wallet of an organization, as its admins see it. Throws WALLET_NOT_FOUND if it has none. */
export interface WalletPages {
  wallet(orgId: string): Promise<Wallet>
  /** The newest first. Throws invalid_request for a cursor of another list. */
  transactions(orgId: string, page: PageRequest): Promise<{ rows: WalletTransaction[]; nextCursor: string | null }>
}

interface WalletPagesOptions extends Pick<Infrastructure, 'db'> {
  wallets: Pick<Wallets, 'balance'>
}

export function createWalletPages({ db, wallets }: WalletPagesOptions): WalletPages {
  async function requireWallet(orgId: string): Promise<void> {
    const row = await forOrg(db, orgId).selectFrom('wallets').select('org_id').executeTakeFirst()
    if (row === undefined)
      throw new GatewayError('WALLET_NOT_FOUND', 'This organization has no wallet. Ask the operator to create one.')
  }

  return {
    async wallet(orgId) {
      await requireWallet(orgId)
      return wallets.balance(orgId)
    },

    async transactions(orgId, page) {
      await requireWallet(orgId)
      const query = walletPostings(db, orgId).select('ledger_postings.payment_id as paymentId')
      return readPage(query, { list: 'transactions', at: 'ledger_postings.at', id: 'ledger_postings.id' }, page)
    },
  }
}

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
function walletPostings(db: Kysely<Database>, orgId: string) {
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
