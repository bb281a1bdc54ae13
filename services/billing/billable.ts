import { type ErrorCode, GatewayError } from '../../lib/errors/errors.ts'
import type { BillingState } from '../../schemas/money.ts'

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
export type BillableRefusal = Extract<
  ErrorCode,
  'org_suspended' | 'payment_required' | 'key_spend_limit_exceeded' | 'insufficient_balance'
>

/** What stands against every such call, before its amount is known. */
export type StandingRefusal = Exclude<BillableRefusal, 'insufficient_balance'>

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
