import type { Kysely } from 'kysely'
import type { Audit } from '../../lib/audit/audit.ts'
import type { Settings } from '../../lib/configuration/settings.ts'
import type { Database } from '../../lib/database/tables.ts'
import type { Egress } from '../../lib/egress/egress.ts'
import { createEnsureCustomer } from './ensure-customer.ts'
import type { PaymentProvider } from './payment-provider.ts'
import { createStripeProvider } from './stripe-client.ts'

interface Machinery {
  db: Kysely<Database>
  audit: Audit
  egress: Egress
}

/** The payment provider and limits of the settings. */
export function paymentSettings(settings: Settings, machinery: Machinery) {
  const { environment, dashboardUrl, stripe, topupLimits } = settings
  if (stripe !== undefined) {
    if (dashboardUrl === undefined)
      throw new TypeError('Stripe requires DASHBOARD_URL, to which payment pages lead back')
    const provider = createStripeProvider(stripe, { ...machinery, dashboardUrl })
    const ensureCustomer = createEnsureCustomer({ ...machinery, provider })
    return { provider, webhookSecrets: stripe.webhookSecrets, topupLimits, ensureCustomer }
  }
  const provider: PaymentProvider = { kind: environment === 'production' ? 'none' : 'built_in' }
  const ensureCustomer = () => Promise.reject(new TypeError('Only Stripe has customers'))
  return { provider, webhookSecrets: [], topupLimits, ensureCustomer }
}
