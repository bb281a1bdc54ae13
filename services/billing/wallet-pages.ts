import type { Kysely } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { forOrg } from '../../lib/database/tenant.ts'
import type { PostingKind } from '../../lib/database/usage-tables.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { readPage } from '../../lib/pages/pages.ts'
import type { PageRequest } from '../../schemas/page.ts'
import { walletPostings } from './ledger-history.ts'
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
      const query = walletPostings(db, orgId).select('ledger_postings.payment_id as paymentId')
      return readPage(query, { list: 'transactions', at: 'ledger_postings.at', id: 'ledger_postings.id' }, page)
    },
  }
}
