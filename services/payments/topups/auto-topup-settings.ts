import type { Selectable } from 'kysely'
import type { CustomersTable } from '../../../lib/database/billing-tables.ts'
import { forOrg, type OrgDatabase } from '../../../lib/database/tenant.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import type { OperatorCommands } from '../../operator/operator-commands.ts'
import { changeIn } from '../../organizations/change.ts'
import { customerNotFound } from '../customers/customers.ts'
import { noProvider, type PaymentProvider, type StripeProvider } from '../provider/payment-provider.ts'
import { forPerson } from '../provider/stripe-requests.ts'
import { chargedThisMonth } from './auto-topup-rules.ts'
import { requireAmount, requireBetween, type TopupLimits } from './topups.ts'

/** The automatic top-ups of an organization. Amounts in micro-dollars; null until they are set. */
export interface AutoTopup {
  enabled: boolean
  /** A balance below it starts a top-up. */
  thresholdMicros: number | null
  amountMicros: number | null
  /** The most that is charged in a calendar month (UTC). */
  monthlyMicros: number | null
  /** What is charged, or being charged, in this month. */
  chargedMicros: number
}

interface AutoTopupChange {
  enabled?: boolean
  thresholdMicros?: number
  amountMicros?: number
  monthlyMicros?: number
}

/** The settings of automatic top-ups. They are off until an admin switches them on. */
export interface AutoTopupSettings {
  /** Throws CUSTOMER_NOT_FOUND for an organization without a customer. */
  read(orgId: string): Promise<AutoTopup>
  /**
   * Switched on, they charge the payment method that was saved last; while they are on, it stays. Throws
   * CUSTOMER_NOT_FOUND, not_found if no payment provider is configured, upstream_unavailable, and invalid_request for
   * invalid amounts or to switch them on without all amounts or a saved payment method.
   */
  change(admin: { orgId: string; userId: string }, change: AutoTopupChange): Promise<AutoTopup>
}

interface AutoTopupSettingsOptions extends Pick<Infrastructure, 'db' | 'clock' | 'log' | 'audit'> {
  limits: TopupLimits
  provider: PaymentProvider
  commands: Pick<OperatorCommands, 'creditWallet'>
}

type Customer = Selectable<CustomersTable>

export function createAutoTopupSettings(options: AutoTopupSettingsOptions): AutoTopupSettings {
  const { db, clock, log, audit, limits, provider, commands } = options
  const findMethod = provider.kind === 'stripe' ? createFindMethod(provider) : async () => null

  async function customerOf(org: OrgDatabase): Promise<Customer> {
    const customer = await org.selectFrom('customers').selectAll().executeTakeFirst()
    if (customer === undefined) throw customerNotFound()
    return customer
  }

  /** What is saved in the other mode of Stripe does not exist for this key. */
  const isOurs = ({ livemode }: Customer): boolean => provider.kind !== 'stripe' || livemode === provider.livemode

  /** Looks the method up before the transaction, which must not wait for the provider. */
  async function methodOf(orgId: string): Promise<string | null> {
    const customer = await customerOf(forOrg(db, orgId))
    const { stripe_id: id, auto_topup: isOn, default_payment_method: known } = customer
    if (!isOurs(customer) || id === null) return null
    return forPerson(log, () => findMethod(id, isOn ? known : null))
  }

  function requireComplete(next: Customer): void {
    const { auto_topup_amount_micros: amount, auto_topup_monthly_micros: monthly } = next
    if (next.auto_topup_threshold_micros === null || amount === null || monthly === null)
      throw invalid('Set threshold_micros, amount_micros and monthly_limit_micros to switch automatic top-ups on.')
    if (provider.kind === 'stripe' && next.default_payment_method === null)
      throw invalid('Automatic top-ups need a saved payment method. Add one, or top up once with save_payment_method.')
    if (monthly < amount) throw invalid('monthly_limit_micros must be at least amount_micros.')
  }

  async function entry(org: OrgDatabase, customer: Customer): Promise<AutoTopup> {
    return {
      enabled: customer.auto_topup,
      thresholdMicros: customer.auto_topup_threshold_micros,
      amountMicros: customer.auto_topup_amount_micros,
      monthlyMicros: customer.auto_topup_monthly_micros,
      chargedMicros: await chargedThisMonth(org, clock),
    }
  }

  return {
    async read(orgId) {
      const org = forOrg(db, orgId)
      return entry(org, await customerOf(org))
    },

    async change({ orgId, userId }, change) {
      requireAmounts(change, limits)
      const enabling = change.enabled === true
      if (enabling && provider.kind === 'none') throw noProvider(commands.creditWallet(orgId))
      const method = enabling ? await methodOf(orgId) : null
      return changeIn(db, { orgId, by: { orgId, userId } }, async org => {
        const known = await customerOf(org)
        const { enabled = known.auto_topup, thresholdMicros, amountMicros, monthlyMicros } = change
        const set = {
          auto_topup: enabled,
          auto_topup_threshold_micros: thresholdMicros ?? known.auto_topup_threshold_micros,
          auto_topup_amount_micros: amountMicros ?? known.auto_topup_amount_micros,
          auto_topup_monthly_micros: monthlyMicros ?? known.auto_topup_monthly_micros,
          // Switched on again, earlier failures no longer count.
          auto_topup_since: enabling ? new Date(clock.now()) : known.auto_topup_since,
          default_payment_method: isOurs(known) ? (enabling ? method : known.default_payment_method) : null,
        }
        if (enabled) requireComplete({ ...known, ...set })
        await org.updateTable('customers').set(set).execute()
        const action = known.auto_topup && !enabled ? 'auto_topup.disable' : 'auto_topup.set'
        await audit.record(org, { by: { orgId, userId }, action, target: orgId, detail: { ...change } })
        return entry(org, { ...known, ...set })
      })
    },
  }
}

/**
 * Returns a customer's preferred payment method if Stripe still has it, otherwise the newest one; null if the customer has
 * no payment method.
 */
export function createFindMethod({ client }: Pick<StripeProvider, 'client'>) {
  return async (customerId: string, preferred: string | null): Promise<string | null> => {
    const stripe = await client()
    const { data } = await stripe.customers.listPaymentMethods(customerId, { limit: 100 })
    return data.find(({ id }) => id === preferred)?.id ?? data[0]?.id ?? null
  }
}

function requireAmounts({ thresholdMicros, amountMicros, monthlyMicros }: AutoTopupChange, limits: TopupLimits): void {
  const { minMicros, maxMicros } = limits
  if (thresholdMicros !== undefined) requireBetween('threshold_micros', thresholdMicros, 0, maxMicros)
  if (amountMicros !== undefined) requireAmount(amountMicros, limits)
  if (monthlyMicros !== undefined) requireBetween('monthly_limit_micros', monthlyMicros, minMicros, 100 * maxMicros)
}

function invalid(message: string): GatewayError {
  return new GatewayError('invalid_request', message)
}
