import { type Kysely, sql } from 'kysely'
import { errorCode } from '../../../lib/database/database-errors.ts'
import type { Database } from '../../../lib/database/tables.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { dollars } from '../../../schemas/billing/money.ts'
import type { BillingThreshold } from '../../billing/standings.ts'
import { askOperator, type OperatorCommands } from '../../operator/operator-commands.ts'

/** A period of a subscription. Amounts in micro-dollars. */
interface PlanPeriod {
  orgId: string
  subscriptionId: string
  start: Date
  end: Date
  /** The credits of the period, 0 or above. */
  includedMicros: number
  /** The description of its postings: the name of the plan. */
  description: string
}

/**
 * The database functions of migration 0016. Each one changes everything or throws, in the transaction of the given handle
 * if it has one.
 */
export interface PlanLedger {
  /** Grants the credits of a period once. Returns false if they were granted before, or the period is over. */
  grant(db: Kysely<Database>, period: PlanPeriod, now: Date): Promise<boolean>
  /** Takes back what is unused of the grants that are over. Returns the amount in micro-dollars. */
  expire(db: Kysely<Database>, orgId: string, now: Date): Promise<number>
  /**
   * Charges a period to the wallet and grants its credits. Throws WALLET_BLOCKED for a suspended organization, and
   * INSUFFICIENT_BALANCE in a billing hold or if the wallet does not cover the fee without its granted credits.
   */
  charge(db: Kysely<Database>, period: PlanPeriod & { feeMicros: number }, now: Date): Promise<void>
}

export function createPlanLedger({
  thresholdMicros,
  commands,
}: BillingThreshold & { commands: OperatorCommands }): PlanLedger {
  return {
    async grant(db, { orgId, subscriptionId, start, end, includedMicros, description }, now) {
      if (includedMicros === 0) return false
      const { rows } = await sql<{ granted: boolean }>`
        select gateway_grant(
          ${orgId}, ${subscriptionId}, ${start}, ${end}, ${includedMicros}, ${description}, ${now}
        ) as granted`.execute(db)
      return rows[0]?.granted === true
    },

    async expire(db, orgId, now) {
      const { rows } = await sql<{ expired: number }>`
        select gateway_expire_grants(${orgId}, ${now}, null, null) as expired`.execute(db)
      return rows[0]?.expired ?? 0
    },

    async charge(db, { orgId, subscriptionId, start, end, feeMicros, includedMicros, description }, now) {
      const charge = sql`select gateway_plan_fee(
        ${orgId}, ${subscriptionId}, ${start}, ${end}, ${feeMicros}, ${includedMicros}, ${thresholdMicros},
        ${description}, ${now}
      )`
      await charge.execute(db).catch(error => {
        throw chargeRefusal(error, { orgId, feeMicros, commands })
      })
    },
  }
}

/** The refusal of a charge by the error code of the function; the error itself if it is not a refusal. */
function chargeRefusal(
  error: unknown,
  { orgId, feeMicros, commands }: { orgId: string; feeMicros: number; commands: OperatorCommands },
): unknown {
  const refusals: Readonly<Record<string, () => GatewayError>> = {
    GW001: () => walletBlocked(orgId, commands, error),
    GW002: () =>
      new GatewayError(
        'INSUFFICIENT_BALANCE',
        'The wallet of this organization is below its billing threshold. Add balance, then subscribe again, or pay by card.',
        { cause: error },
      ),
    GW004: () =>
      new GatewayError(
        'INSUFFICIENT_BALANCE',
        `The wallet does not cover the ${dollars(feeMicros)} of the plan; held amounts and credits of a plan do not count. ` +
          'Add balance, then subscribe again, or pay by card.',
        { cause: error },
      ),
  }
  return refusals[errorCode(error) ?? '']?.() ?? error
}

/** The error for a suspended organization. */
export function walletBlocked(
  orgId: string,
  commands: Pick<OperatorCommands, 'resumeOrganization'>,
  cause?: unknown,
): GatewayError {
  const message = `This organization is suspended and cannot subscribe. ${askOperator(commands.resumeOrganization(orgId))}`
  return new GatewayError('WALLET_BLOCKED', message, { cause })
}
