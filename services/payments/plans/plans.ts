import { dollars } from '../../../schemas/billing/money.ts'
import type { MoneySettings } from '../money-settings.ts'

type PlanId = 'free' | 'pro'

/** A plan that an organization can be on. Amounts in micro-dollars. */
export interface Plan {
  id: PlanId
  name: string
  priceMicros: number
  interval: 'month'
  /** Credits that are added at the start of each period. What is unused at its end expires. */
  includedMicros: number
  /** Short lines for a page of prices. */
  features: readonly string[]
}

/** The plans of this gateway. */
export interface Plans {
  list(): readonly Plan[]
  /** Undefined for an unknown ID. */
  find(id: string): Plan | undefined
  /** The plan that organizations pay for. */
  readonly pro: Plan
}

export function createPlans({ proPriceMicros, proIncludedMicros }: MoneySettings['plans']): Plans {
  const free: Plan = {
    id: 'free',
    name: 'Free',
    priceMicros: 0,
    interval: 'month',
    includedMicros: 0,
    features: ['All connectors and tools', 'Paid tools are charged to the wallet'],
  }
  const credits = `${dollars(proIncludedMicros)} of credits each month; unused credits expire`
  const pro: Plan = {
    id: 'pro',
    name: 'Pro',
    priceMicros: proPriceMicros,
    interval: 'month',
    includedMicros: proIncludedMicros,
    features: [...free.features, ...(proIncludedMicros > 0 ? [credits] : [])],
  }
  const plans = [free, pro]
  return { list: () => plans, find: id => plans.find(plan => plan.id === id), pro }
}
