import type { Settings } from '../../lib/configuration/settings.ts'
import type { Billing } from '../billing/create-billing.ts'
import type { Machinery } from '../open-machinery.ts'
import { createCustomerServices } from './create-customers.ts'
import { createPayments } from './create-payments.ts'
import { createPlanServices } from './create-plans.ts'
import { paymentSettings } from './payment-settings.ts'
import { createPlanProvider } from './plan-provider.ts'
import { createPlans } from './plans.ts'

/** Creates the services of payments, of plans, and of organizations as customers. */
export function createPaymentServices(
  settings: Settings,
  machinery: Machinery & Pick<Billing, 'standings' | 'wallets'>,
) {
  const { billingThresholdMicros: thresholdMicros } = settings
  const shared = { ...machinery, ...paymentSettings(settings, machinery), plans: createPlans(settings.plans) }
  const plans = createPlanServices({ ...machinery, thresholdMicros, ...createPlanProvider(shared) })
  return { ...createPayments({ ...shared, ...plans }), ...plans, ...createCustomerServices(shared) }
}
