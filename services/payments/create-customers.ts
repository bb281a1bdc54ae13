import type { Counters } from '../../lib/rate-counters/counters.ts'
import type { Clock } from '../../schemas/time.ts'
import { createWalletPages, type WalletPages } from '../billing/wallet-pages.ts'
import type { Wallets } from '../billing/wallets.ts'
import { type BillingProfiles, createBillingProfiles } from './billing-profile.ts'
import { type Customers, type CustomersOptions, createCustomers } from './customers.ts'
import { createPaymentMethods, type PaymentMethods } from './payment-methods.ts'

interface CustomerServicesOptions extends CustomersOptions {
  clock: Clock
  counters: Counters
  wallets: Pick<Wallets, 'balance'>
}

/** The services of organizations as customers. */
interface CustomerServices {
  customers: Customers
  billingProfiles: BillingProfiles
  paymentMethods: PaymentMethods
  walletPages: WalletPages
}

export function createCustomerServices(options: CustomerServicesOptions): CustomerServices {
  const customers = createCustomers(options)
  return {
    customers,
    billingProfiles: createBillingProfiles({ ...options, customers }),
    paymentMethods: createPaymentMethods({ ...options, customers }),
    walletPages: createWalletPages(options),
  }
}
