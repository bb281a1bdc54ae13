import { type Static, Type } from '@sinclair/typebox'
import type { Kysely } from 'kysely'
import type { Actor } from '../../lib/audit/audit.ts'
import type { Database } from '../../lib/database/tables.ts'
import type { OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { hasHidden } from '../../lib/sanitize-text.ts'
import { type BillingState, DOLLAR, dollars } from '../../schemas/billing/money.ts'
import type { GatewayEnvironment } from '../../schemas/gateway/environment.ts'
import { StringEnum } from '../../schemas/primitives/string-enum.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { changeIn } from '../organizations/change.ts'
import type { OpensWallets } from '../organizations/organizations.ts'
import { requireMicros, requireOrganization } from '../organizations/requirements.ts'
import type { Ledger } from './ledger.ts'
import { type BillingThreshold, billingState, type Standings } from './standings.ts'
import { requireReference } from './wallet-reversals.ts'

/** The wallet of an organization. Amounts in micro-dollars. */
export interface Wallet extends BillingThreshold {
  balanceMicros: number
  /** Reserved for running calls. */
  heldMicros: number
  /** The balance minus the held amount. */
  availableMicros: number
  standing: BillingState
}

interface NewCredit {
  orgId: string
  /** In micro-dollars, above zero. */
  amountMicros: number
  /** The permanent description of the posting: 1 to 200 visible characters on one line. */
  description?: string
  /** The operator's name for the credit: 1 to 200 visible characters. Repeating it with the same amount changes nothing. */
  reference?: string
  by: Actor
}

/** The wallets of organizations, for the operator and members. Charges for calls belong to metering. */
export interface Wallets extends OpensWallets {
  /**
   * Adds to a wallet and returns its new state; `repeated` says that a credit with this reference existed. A credit may
   * end a billing hold, but not a suspension. Throws invalid_request if the actor has no access to the organization, for
   * an invalid amount, description or reference, and for a reference of another posting.
   */
  credit(credit: NewCredit): Promise<Wallet & { id: string; repeated: boolean }>
  /** The current state of a wallet. Throws invalid_request if the organization does not exist. */
  balance(orgId: string): Promise<Wallet>
}

interface WalletsOptions extends Pick<Infrastructure, 'db' | 'ids' | 'audit'> {
  ledger: Pick<Ledger, 'credit' | 'creditOnce'>
  standings: Pick<Standings, 'of'>
  /** The opening balance of new organizations, in micro-dollars. */
  openingMicros: number
}

/** The opening balance of new organizations, in micro-dollars: in development, enough to try metered tools. */
export function openingMicros(environment: GatewayEnvironment): number {
  return environment === 'development' ? 5 * DOLLAR : 0
}

/** The description of the opening balance in the ledger. */
export const OPENING_DESCRIPTION = 'Credit to try tools with'

export function createWallets(options: WalletsOptions): Wallets {
  const { db, ids, audit, ledger, standings } = options

  async function add(
    org: OrgDatabase,
    { amountMicros, description, reference, by }: Omit<NewCredit, 'orgId' | 'description'> & { description: string },
  ): Promise<{ id: string; repeated: boolean }> {
    const id = ids('txn')
    const credit = { orgId: org.orgId, id, amountMicros, description }
    if (reference === undefined) await ledger.credit(org.db, credit)
    else {
      const posting = await ledger.creditOnce(org.db, { ...credit, reference })
      if (posting !== id) return { id: posting, repeated: true }
    }
    const detail = { amountMicros, description, ...(reference !== undefined && { reference }) }
    await audit.record(org, { by, action: 'wallet.credit', target: id, detail })
    return { id, repeated: false }
  }

  async function walletOn(on: Kysely<Database>, orgId: string): Promise<Wallet> {
    const standing = await standings.of({ orgId, keyId: null }, on)
    const { balanceMicros, heldMicros, thresholdMicros } = standing
    return {
      balanceMicros,
      heldMicros,
      availableMicros: balanceMicros - heldMicros,
      thresholdMicros,
      standing: billingState(standing),
    }
  }

  return {
    async open(org, { by }) {
      await org.insertInto('wallets', {}).execute()
      const { openingMicros: amountMicros } = options
      if (amountMicros > 0) await add(org, { amountMicros, description: OPENING_DESCRIPTION, by })
    },

    async credit({ orgId, amountMicros, description = 'Credit', reference, by }) {
      requireMicros('amount_micros', amountMicros, { from: 1 })
      if (!/^.{1,200}$/u.test(description) || description.trim() === '' || hasHidden(description))
        throw new GatewayError('invalid_request', 'description must be 1 to 200 visible characters on one line.')
      if (reference !== undefined) requireReference(reference)
      return changeIn(db, { orgId, by }, async org => {
        const added = await add(org, { amountMicros, description, ...(reference !== undefined && { reference }), by })
        return { ...added, ...(await walletOn(org.db, orgId)) }
      })
    },

    async balance(orgId) {
      await requireOrganization(db, orgId)
      return walletOn(db, orgId)
    },
  }
}

/** A wallet on the wire: amounts in micro-dollars and as readable dollars. */
export const WalletEntry = Type.Object({
  standing: StringEnum(['active', 'billing_hold', 'suspended']),
  balance_micros: Type.Integer(),
  held_micros: Type.Integer(),
  available_micros: Type.Integer(),
  threshold_micros: Type.Integer(),
  balance: Type.String(),
  held: Type.String(),
  available: Type.String(),
})

export function walletEntry(wallet: Wallet): Static<typeof WalletEntry> {
  const { standing, balanceMicros, heldMicros, availableMicros, thresholdMicros } = wallet
  return {
    standing,
    balance_micros: balanceMicros,
    held_micros: heldMicros,
    available_micros: availableMicros,
    threshold_micros: thresholdMicros,
    balance: dollars(balanceMicros),
    held: dollars(heldMicros),
    available: dollars(availableMicros),
  }
}
