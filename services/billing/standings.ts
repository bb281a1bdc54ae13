import type { Kysely } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import { type ErrorCode, GatewayError } from '../../lib/errors/errors.ts'
import type { BillingState } from '../../schemas/money.ts'
import { thisMonthOf } from '../organizations/key-queries.ts'

/** What decides when the calls of an organization stop for want of money. */
export interface BillingThreshold {
  /** Micro-dollars; below this balance an organization is in billing hold. */
  thresholdMicros: number
}

/** What decides whether an organization's calls may cost money, in micro-dollars. */
export interface PayerStanding extends BillingThreshold {
  suspendedAt: Date | null
  balanceMicros: number
  /** The calling key's month (UTC); null for a signed-in user, and for a key without a cap. */
  key: { capMicros: number; spentMicros: number; heldMicros: number } | null
}

/** Why a call that costs money does not run (spec.md, MCP tool errors). */
type BillableRefusal = Extract<
  ErrorCode,
  'org_suspended' | 'payment_required' | 'key_spend_limit_exceeded' | 'insufficient_balance'
>

/** What stands against every such call, before its amount is known. */
type StandingRefusal = Exclude<BillableRefusal, 'insufficient_balance'>

/** The state of an organization: suspension is above a billing hold, and no balance lifts it. */
export function billingState(
  standing: Pick<PayerStanding, 'suspendedAt' | 'balanceMicros' | 'thresholdMicros'>,
): BillingState {
  if (standing.suspendedAt !== null) return 'suspended'
  return standing.balanceMicros < standing.thresholdMicros ? 'billing_hold' : 'active'
}

/** What stands against a call that costs money in each state; nothing does in that which is active. */
const REFUSALS = {
  active: undefined,
  billing_hold: 'payment_required',
  suspended: 'org_suspended',
} as const satisfies Record<BillingState, StandingRefusal | undefined>

/** What stands against a call that costs money before its amount is known, in the order of decisions.md; undefined when nothing does. */
export function standingRefusal(standing: PayerStanding): StandingRefusal | undefined {
  const refused = REFUSALS[billingState(standing)]
  if (refused !== undefined) return refused
  const { key } = standing
  return key !== null && key.spentMicros + key.heldMicros >= key.capMicros ? 'key_spend_limit_exceeded' : undefined
}

const MESSAGES: Readonly<Record<BillableRefusal, string>> = {
  org_suspended:
    'This organization is suspended: tools that cost money do not run, others do. Adding balance does not lift it: contact support, which is whoever runs this gateway (org resume).',
  payment_required:
    'The wallet of this organization is below its billing threshold: tools that cost money do not run, others do. Ask whoever runs this gateway to add balance (wallet credit).',
  key_spend_limit_exceeded:
    'This API key has reached its monthly spend cap. Ask whoever runs this gateway to raise the cap (key cap); it begins anew with the next month (UTC).',
  insufficient_balance:
    'The wallet of this organization does not cover what this call may cost. Ask whoever runs this gateway to add balance (wallet credit), and repeat the call.',
}

/** The error of a refusal. */
export function billableRefusal(code: BillableRefusal): GatewayError {
  return new GatewayError(code, MESSAGES[code])
}

/** What keeps the tools that cost money from running in a state, and what is to be done; undefined where nothing does. */
export function stateMessage(state: BillingState): string | undefined {
  const refused = REFUSALS[state]
  return refused && MESSAGES[refused]
}

/** How things stand with an organization's money, and with what is set aside of it. */
interface WalletStanding extends PayerStanding {
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
