import type { Kysely } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs } from '../../lib/database/tenant.ts'
import { type ErrorCode, GatewayError } from '../../lib/errors/errors.ts'
import type { BillingState } from '../../schemas/billing/money.ts'
import { askOperator, type OperatorCommands } from '../operator/operator-commands.ts'
import { thisMonthOf } from '../organizations/key-queries.ts'

/** The balance below which an organization's metered calls stop. */
export interface BillingThreshold {
  /** Below this balance, in micro-dollars, an organization is in billing hold. */
  thresholdMicros: number
}

/** The state of an organization and a key that decides whether a metered call may run. Amounts in micro-dollars. */
export interface PayerStanding extends BillingThreshold {
  suspendedAt: Date | null
  balanceMicros: number
  /** The current month (UTC) of the calling key; null for a signed-in user and for a key without a cap. */
  key: { capMicros: number; spentMicros: number; heldMicros: number } | null
}

/** Why a metered call does not run. */
type BillableRefusal = Extract<
  ErrorCode,
  'org_suspended' | 'payment_required' | 'key_spend_limit_exceeded' | 'insufficient_balance'
>

/** Why no metered call runs, whatever its amount. */
type StandingRefusal = Exclude<BillableRefusal, 'insufficient_balance'>

/** The billing state of an organization. A suspension takes precedence over a billing hold, and no balance ends it. */
export function billingState(
  standing: Pick<PayerStanding, 'suspendedAt' | 'balanceMicros' | 'thresholdMicros'>,
): BillingState {
  if (standing.suspendedAt !== null) return 'suspended'
  return standing.balanceMicros < standing.thresholdMicros ? 'billing_hold' : 'active'
}

/** Why a metered call does not run, by billing state. */
const REFUSALS = {
  active: undefined,
  billing_hold: 'payment_required',
  suspended: 'org_suspended',
} as const satisfies Record<BillingState, StandingRefusal | undefined>

/** Why a metered call does not run before its amount is known; undefined if it may run. */
export function standingRefusal(standing: PayerStanding): StandingRefusal | undefined {
  const refused = REFUSALS[billingState(standing)]
  if (refused !== undefined) return refused
  const { key } = standing
  return key !== null && key.spentMicros + key.heldMicros >= key.capMicros ? 'key_spend_limit_exceeded' : undefined
}

/** Who pays, and how the operator changes what keeps them from it. */
interface Refused {
  readonly payer: { readonly orgId: string; readonly keyId: string | null }
  readonly commands: OperatorCommands
}

const MESSAGES: Readonly<Record<BillableRefusal, (refused: Refused) => string>> = {
  org_suspended: ({ payer, commands }) =>
    'This organization is suspended: paid tools do not run, free tools do. Adding balance does not end the ' +
    `suspension. ${askOperator(commands.resumeOrganization(payer.orgId))}`,
  payment_required: ({ payer, commands }) =>
    'The wallet of this organization is below its billing threshold: paid tools do not run, free tools do. Add ' +
    `balance. ${commands.advise.addBalance(payer.orgId)}`,
  key_spend_limit_exceeded: ({ payer, commands }) =>
    'This API key has reached its monthly spending cap. Wait for the next month (UTC), or raise the cap. ' +
    commands.advise.raiseCap(payer.keyId ?? 'KEY'),
  insufficient_balance: ({ payer, commands }) =>
    'The wallet of this organization does not cover what this call may cost. Add balance, then repeat the call. ' +
    commands.advise.addBalance(payer.orgId),
}

/** The error for a refusal. */
export function billableRefusal(code: BillableRefusal, refused: Refused): GatewayError {
  const needsBalance = code === 'payment_required' || code === 'insufficient_balance'
  return new GatewayError(code, MESSAGES[code](refused), {
    details: needsBalance ? refused.commands.errorFields.addBalance() : {},
  })
}

/** Why metered tools do not run in a billing state, and what to do about it; undefined if they run. */
export function stateMessage(state: BillingState, orgId: string, commands: OperatorCommands): string | undefined {
  const refused = REFUSALS[state]
  return refused && MESSAGES[refused]({ payer: { orgId, keyId: null }, commands })
}

/** The state of an organization and its wallet, with the held amount in micro-dollars. */
interface WalletStanding extends PayerStanding {
  heldMicros: number
}

/** Reads the current state of organizations and keys from the database. A cache would let calls through. */
export interface Standings {
  /**
   * The state for a member's call. `keyId` is the API key of the call; null for a signed-in user. In a transaction, pass
   * its handle.
   */
  of(payer: { orgId: string; keyId: string | null }, on?: Kysely<Database>): Promise<WalletStanding>
  /** The billing state of an organization. */
  state(orgId: string): Promise<BillingState>
  /** The billing states of all organizations, by id. */
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

    async state(orgId) {
      const found = await withWallets(db).where('organizations.id', '=', orgId).executeTakeFirstOrThrow()
      return billingState(standingOf(found))
    },

    async states() {
      const all = await withWallets(acrossOrgs(db)).select('organizations.id').execute()
      return new Map(all.map(({ id, ...found }) => [id, billingState(standingOf(found))]))
    },
  }
}

/** An organization with its wallet. Organizations from older versions have no wallet until their first credit. */
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
