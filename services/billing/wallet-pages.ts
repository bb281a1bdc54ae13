import type { Kysely } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg } from '../../lib/database/tenant.ts'
import type { PostingKind } from '../../lib/database/usage-tables.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { readPage } from '../../lib/pages/pages.ts'
import type { PageRequest } from '../../schemas/page.ts'
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

interface WalletPagesOptions {
  db: Kysely<Database>
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
      const query = forOrg(db, orgId)
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
          'ledger_postings.payment_id as paymentId',
        ])
      return readPage(query, { list: 'transactions', at: 'ledger_postings.at', id: 'ledger_postings.id' }, page)
    },
  }
}
