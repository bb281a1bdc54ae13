import type { Selectable } from 'kysely'
import type { CustomersTable } from '../../../lib/database/billing-tables.ts'
import type { OrgDatabase } from '../../../lib/database/tenant.ts'
import type { Clock } from '../../../schemas/primitives/time.ts'
import { type Payment, PENDING_STATES, toPayment } from './payment-rows.ts'

const HOUR_MS = 3_600_000
const MAX_PER_DAY = 3
/** Refusals in a row after which automatic top-ups are switched off. */
const MAX_REFUSALS = 2
/** Refusals that only the buyer can solve. */
const NEEDS_BUYER: readonly (string | null)[] = [
  'authentication_required',
  'authentication_not_handled',
  'payment_intent_authentication_failure',
]

type Customer = Selectable<CustomersTable>

/** The customer of an organization with automatic top-ups; undefined if they are off. */
export async function autoTopupCustomer(org: OrgDatabase): Promise<Customer | undefined> {
  return org.selectFrom('customers').where('auto_topup', '=', true).selectAll().executeTakeFirst()
}

/** Whether the organization is suspended. */
export async function isSuspended(org: OrgDatabase): Promise<boolean> {
  const organization = org.db.selectFrom('organizations').where('id', '=', org.orgId).select('suspended_at')
  return (await organization.executeTakeFirstOrThrow()).suspended_at !== null
}

/** Whether the balance is below a threshold, in an organization that is not suspended. */
export async function isLow(org: OrgDatabase, thresholdMicros: number): Promise<boolean> {
  const wallet = await org.selectFrom('wallets').select('balance_micros as balance').executeTakeFirst()
  return !(await isSuspended(org)) && (wallet?.balance ?? 0) < thresholdMicros
}

/** Whether the limits allow another top-up: one at a time, three in 24 hours, an hour after a refusal, the monthly limit. */
export async function mayCharge(
  org: OrgDatabase,
  clock: Clock,
  { amountMicros, monthlyMicros }: { amountMicros: number; monthlyMicros: number },
): Promise<boolean> {
  const since = (ms: number) => new Date(clock.now() - ms)
  const recent = await org
    .selectFrom('payments')
    .where('kind', '=', 'auto_topup')
    .where(eb => eb.or([eb('created_at', '>', since(24 * HOUR_MS)), eb('state', 'in', [...PENDING_STATES])]))
    .select(['state', 'updated_at as at'])
    .execute()
  if (recent.some(({ state }) => PENDING_STATES.some(pending => pending === state))) return false
  if (recent.some(({ state, at }) => state === 'failed' && at > since(HOUR_MS))) return false
  if (recent.length >= MAX_PER_DAY) return false
  return (await chargedThisMonth(org, clock)) + amountMicros <= monthlyMicros
}

/** The total of the automatic top-ups of this calendar month (UTC) in micro-dollars, including those not paid yet. */
export async function chargedThisMonth(org: OrgDatabase, clock: Clock): Promise<number> {
  const now = new Date(clock.now())
  const { charged } = await org
    .selectFrom('payments')
    .where('kind', '=', 'auto_topup')
    .where('state', 'not in', ['failed', 'expired'])
    .where('created_at', '>=', new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)))
    .select(eb => eb.fn.coalesce(eb.fn.sum<number>('amount_micros'), eb.lit(0)).as('charged'))
    .executeTakeFirstOrThrow()
  return Number(charged)
}

/** Why automatic top-ups must be switched off: the bank wants the buyer to authenticate, or refused twice in a row. */
export async function reasonToStop(
  org: OrgDatabase,
  since: Date,
): Promise<{ reason: string | null; payment: string | undefined } | undefined> {
  const refused = (await unpaidSince(org, since)).filter(({ state }) => state === 'failed')
  const reason = refused.find(({ failure }) => NEEDS_BUYER.includes(failure))?.failure
  if (reason == null && refused.length < MAX_REFUSALS) return undefined
  return { reason: reason ?? refused[0]?.failure ?? null, payment: refused[0]?.id }
}

/** The automatic top-ups since they were switched on and since the last one that was paid, newest first. */
async function unpaidSince(org: OrgDatabase, since: Date): Promise<Payment[]> {
  const query = org.selectFrom('payments').where('kind', '=', 'auto_topup').where('created_at', '>', since)
  const found = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(20).selectAll().execute()
  const paid = found.findIndex(({ state }) => state === 'paid')
  return found.slice(0, paid === -1 ? undefined : paid).map(toPayment)
}
