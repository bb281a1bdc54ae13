import { type ErrorCode, GatewayError } from '../error-envelope/errors.ts'

/** What decides whether an organization's calls may cost money, in micro-dollars. */
export interface OrganizationStanding {
  suspendedAt: Date | null
  balanceMicros: number
  /** Below this balance the organization is in billing hold. */
  thresholdMicros: number
  /** The calling key's month (UTC); null for a signed-in user, and for a key without a cap. */
  key: { capMicros: number; spentMicros: number; heldMicros: number } | null
}

/** Why a call that costs money does not run (spec.md, MCP tool errors). */
export type BillableRefusal = Extract<
  ErrorCode,
  'org_suspended' | 'payment_required' | 'key_spend_limit_exceeded' | 'insufficient_balance'
>

/** `active`, `billing_hold` or `suspended`, as spec.md has the standing of an organization. */
export type BillingState = 'active' | 'billing_hold' | 'suspended'

/** The state of an organization: suspension is above a billing hold, and no balance lifts it. */
export function billingState(
  standing: Pick<OrganizationStanding, 'suspendedAt' | 'balanceMicros' | 'thresholdMicros'>,
): BillingState {
  if (standing.suspendedAt !== null) return 'suspended'
  return standing.balanceMicros < standing.thresholdMicros ? 'billing_hold' : 'active'
}

/** What stands against a call that costs money before its amount is known, in the order of decisions.md; undefined when nothing does. */
export function refusedStanding(standing: OrganizationStanding): BillableRefusal | undefined {
  const state = billingState(standing)
  if (state === 'suspended') return 'org_suspended'
  if (state === 'billing_hold') return 'payment_required'
  const { key } = standing
  return key !== null && key.spentMicros + key.heldMicros >= key.capMicros ? 'key_spend_limit_exceeded' : undefined
}

const MESSAGES: Readonly<Record<BillableRefusal, string>> = {
  org_suspended:
    'This organization is suspended: tools that cost money do not run. Adding balance does not lift it; contact support.',
  payment_required:
    'The wallet of this organization is below its billing threshold. An admin tops it up, and the call can be repeated; tools without a price go on working.',
  key_spend_limit_exceeded:
    'This API key has reached its monthly spend cap. An admin can raise the cap; it begins anew with the next month (UTC).',
  insufficient_balance:
    'The wallet of this organization does not cover what this call may cost. An admin tops it up, and the call can be repeated.',
}

/** The error of a refusal. */
export function billableRefusal(code: BillableRefusal): GatewayError {
  return new GatewayError(code, MESSAGES[code])
}
