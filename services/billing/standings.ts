import type { Kysely } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import type { BillingState } from '../../schemas/money.ts'
import { thisMonthOf } from '../organizations/key-months.ts'
import { type BillingThreshold, billingState, type PayerStanding } from './billable.ts'

/** How things stand with an organization's money, and with what is set aside of it. */
export interface WalletStanding extends PayerStanding {
  heldMicros: number
}

/** Where an organization and a key stand now, read from the database each time: a cache would let calls through. */
export interface Standings {
  /**
   * Of a member's call; `keyId` is the API key it came with, null for a signed-in user. Within a transaction, on its
   * handle.
   */
  of(payer: { orgId: string; keyId: string | null }, on?: Kysely<Database>): Promise<WalletStanding>
  /** Of every organization, by its id. */
  states(): Promise<Map<string, BillingState>>
}

export function createStandings({ db, thresholdMicros }: BillingThreshold & { db: Kysely<Database> }): Standings {
  function standingOf({ suspendedAt, balanceMicros, heldMicros }: OrganizationWallet) {
    return { suspendedAt, balanceMicros: balanceMicros ?? 0, heldMicros: heldMicros ?? 0, thresholdMicros }
  }

  return {
    async of({ orgId, keyId }, on = db) {
      const found = await withWallets(on)
        .where('organizations.id', '=', orgId)
        .leftJoin('api_keys', join => join.on('api_keys.org_id', '=', orgId).on('api_keys.id', '=', keyId ?? ''))
        .leftJoin(thisMonthOf(on, orgId), join => join.onRef('this_month.key_id', '=', 'api_keys.id'))
        .select([
          'api_keys.monthly_cap_micros as capMicros',
          'this_month.spent_micros as spentMicros',
          'this_month.held_micros as keyHeldMicros',
        ])
        .executeTakeFirstOrThrow()
      const { capMicros, spentMicros, keyHeldMicros } = found
      const key =
        capMicros === null ? null : { capMicros, spentMicros: spentMicros ?? 0, heldMicros: keyHeldMicros ?? 0 }
      return { ...standingOf(found), key }
    },

    async states() {
      const all = await withWallets(acrossOrgs(db)).select('organizations.id').execute()
      return new Map(all.map(({ id, ...found }) => [id, billingState(standingOf(found))]))
    },
  }
}

/** What a row says of an organization and its wallet; an older version has made some that get theirs with the first credit. */
interface OrganizationWallet {
  suspendedAt: Date | null
  balanceMicros: number | null
  heldMicros: number | null
}

function withWallets(db: Kysely<Database>) {
  return db
    .selectFrom('organizations')
    .leftJoin('wallets', 'wallets.org_id', 'organizations.id')
    .select([
      'organizations.suspended_at as suspendedAt',
      'wallets.balance_micros as balanceMicros',
      'wallets.held_micros as heldMicros',
    ])
}
