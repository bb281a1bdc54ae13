import type { GatewayError } from '../../lib/errors/errors.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import type { CardPlans } from './card-plans.ts'
import { noProvider, type PaymentProvider } from './payment-provider.ts'
import type { Plans } from './plans.ts'
import { createStripePlans } from './stripe-plans.ts'

/** Who takes subscriptions by card. */
export interface PlanProvider {
  plans: Plans
  /** Subscriptions at the payment provider; null without one. */
  card: CardPlans | null
  /** Without a payment provider: whether the built-in one of development settles at once. */
  builtIn: boolean
  /** The error of a request by card without a payment provider. */
  noProvider(orgId: string): GatewayError
}

interface PlanProviderOptions {
  plans: Plans
  provider: PaymentProvider
  ensureCustomer(orgId: string): Promise<string>
  commands: Pick<OperatorCommands, 'creditWallet'>
}

export function createPlanProvider({ provider, commands, ...options }: PlanProviderOptions): PlanProvider {
  return {
    plans: options.plans,
    card: provider.kind === 'stripe' ? createStripePlans({ ...options, provider }) : null,
    builtIn: provider.kind === 'built_in',
    noProvider: orgId => noProvider(commands.creditWallet(orgId)),
  }
}
