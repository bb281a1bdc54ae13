import { type Static, Type } from '@sinclair/typebox'
import type { Kysely } from 'kysely'
import type { Actor, Audit } from '../../lib/audit/audit.ts'
import type { Database } from '../../lib/database/tables.ts'
import type { OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { hasHidden } from '../../lib/sanitize-text.ts'
import type { GatewayEnvironment } from '../../schemas/config.ts'
import type { IdSource } from '../../schemas/ids.ts'
import { type BillingState, DOLLAR, dollars } from '../../schemas/money.ts'
import { StringEnum } from '../../schemas/string-enum.ts'
import { changeIn } from '../organizations/change.ts'
import type { OpensWallets } from '../organizations/organizations.ts'
import { requireMicros, requireOrganization } from '../organizations/requirements.ts'
import type { Ledger } from './ledger.ts'
import { type BillingThreshold, billingState, type Standings } from './standings.ts'

/** What an organization has, in micro-dollars. */
interface Wallet extends BillingThreshold {
  balanceMicros: number
  /** What is set aside for calls that run. */
  heldMicros: number
  /** What calls may still cost: the balance without what is held. */
  availableMicros: number
  standing: BillingState
}

interface NewCredit {
  orgId: string
  /** Micro-dollars, above zero. */
  amountMicros: number
  /** What stands beside it for good: one to 200 characters, nothing hidden among them. */
  description?: string
  by: Actor
}

/** The wallets of organizations, as their operator and their members see them; calls are paid for by metering. */
export interface Wallets extends OpensWallets {
  /**
   * Adds to a wallet, and answers how it stands with it: a billing hold may be over, a suspension is not. Throws
   * invalid_request for an organization that the actor does not reach, and for an amount or a description that is none.
   */
  credit(credit: NewCredit): Promise<Wallet & { id: string }>
  /** What stands in a wallet now; throws invalid_request when there is no such organization. */
  balance(orgId: string): Promise<Wallet>
}

interface WalletsOptions {
  db: Kysely<Database>
  ids: IdSource
  audit: Audit
  ledger: Pick<Ledger, 'credit'>
  standings: Pick<Standings, 'of'>
  /** What a new organization finds in its wallet. */
  openingMicros: number
}

/** What a new organization finds in its wallet (decisions.md, Money): in development enough to try metered tools with. */
export function openingMicros(environment: GatewayEnvironment): number {
  return environment === 'development' ? 5 * DOLLAR : 0
}

export function createWallets(options: WalletsOptions): Wallets {
  const { db, ids, audit, ledger, standings } = options

  async function add(
    org: OrgDatabase,
    { amountMicros, description, by }: { amountMicros: number; description: string; by: Actor },
  ): Promise<string> {
    const id = ids('txn')
    await ledger.credit(org.db, { orgId: org.orgId, id, amountMicros, description })
    await audit.record(org, { by, action: 'wallet.credit', target: id, detail: { amountMicros, description } })
    return id
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
      if (amountMicros > 0) await add(org, { amountMicros, description: 'Credit to try tools with', by })
    },

    async credit({ orgId, amountMicros, description = 'Credit', by }) {
      requireMicros('amount_micros', amountMicros, { from: 1 })
      if (!/^.{1,200}$/u.test(description) || description.trim() === '' || hasHidden(description))
        throw new GatewayError(
          'invalid_request',
          'description must be 1 to 200 characters on one line, none of them hidden.',
        )
      return changeIn(db, { orgId, by }, async org => {
        const id = await add(org, { amountMicros, description, by })
        return { id, ...(await walletOn(org.db, orgId)) }
      })
    },

    async balance(orgId) {
      await requireOrganization(db, orgId)
      return walletOn(db, orgId)
    },
  }
}

/** A wallet on the wire: amounts in micro-dollars, and as a person reads them. */
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
