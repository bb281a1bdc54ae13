import { type Kysely, sql } from 'kysely'
import type { Database } from '../database/tables.ts'
import type { OrganizationStanding } from '../standing/billable.ts'

/** How things stand with an organization's money, and with what is set aside of it. */
export interface WalletStanding extends OrganizationStanding {
  heldMicros: number
}

/** Where an organization and a key stand now, read from the database each time: a cache would let calls through. */
export interface Standings {
  /** Of a member's call; `keyId` is the API key it came with, null for a signed-in user. */
  of(payer: { orgId: string; keyId: string | null }): Promise<WalletStanding>
}

export function createStandings(options: { db: Kysely<Database>; thresholdMicros: number }): Standings {
  const { db, thresholdMicros } = options
  return {
    async of({ orgId, keyId }) {
      // An organization that an older version has made gets its wallet with the first credit.
      const wallet = await db
        .selectFrom('organizations')
        .where('organizations.id', '=', orgId)
        .leftJoin('wallets', join => join.on('wallets.org_id', '=', orgId))
        .leftJoin('api_keys', join => join.on('api_keys.org_id', '=', orgId).on('api_keys.id', '=', keyId ?? ''))
        .leftJoin('key_months', join =>
          join
            .on('key_months.org_id', '=', orgId)
            .onRef('key_months.key_id', '=', 'api_keys.id')
            .on('key_months.month', '=', sql<string>`gateway_month()`),
        )
        .select([
          'organizations.suspended_at as suspendedAt',
          'wallets.balance_micros as balanceMicros',
          'wallets.held_micros as heldMicros',
          'api_keys.monthly_cap_micros as capMicros',
          'key_months.spent_micros as spentMicros',
          'key_months.held_micros as keyHeldMicros',
        ])
        .executeTakeFirstOrThrow()
      const { suspendedAt, balanceMicros, heldMicros, capMicros, spentMicros, keyHeldMicros } = wallet
      const key =
        capMicros === null ? null : { capMicros, spentMicros: spentMicros ?? 0, heldMicros: keyHeldMicros ?? 0 }
      return { suspendedAt, balanceMicros: balanceMicros ?? 0, heldMicros: heldMicros ?? 0, thresholdMicros, key }
    },
  }
}
