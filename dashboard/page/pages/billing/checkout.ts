import type { Me } from '../../../../schemas/me.ts'
import { ApiError, request } from '../../lib/api.ts'
import { useGet } from '../../lib/queries.ts'

/** The beginnings of the URLs whose answers a payment changes. */
export const MONEY_URLS = ['/api/customers/me', '/api/me']

/** Goes to a page of the payment provider, in this tab. */
export function openCheckout(url: string): void {
  const { protocol } = new URL(url, location.origin)
  if (protocol === 'https:' || protocol === 'http:') location.assign(url)
}

/** Who takes payments, and whether the organization is their customer; undefined until that is known. */
export function usePayments(): Me['payments'] | undefined {
  return useGet<Me>('/api/me').data?.payments
}

/** Reads settings of a customer. Sends no request before the first payment, which creates the customer. */
export function useCustomerGet<T>(url: string) {
  const me = useGet<Me>('/api/me')
  const payments = me.data?.payments
  const { data, error, refetch } = useGet<T>(url, { enabled: payments?.customer === true })
  return { payments, data, error: me.error ?? error, refetch: me.error ? me.refetch : refetch }
}

/** Makes the organization a customer of the payment provider. It may have become one meanwhile. */
export async function createCustomer(): Promise<void> {
  try {
    await request('POST', '/api/customers', { body: {}, key: crypto.randomUUID() })
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'CUSTOMER_ALREADY_EXISTS')) throw error
  }
}
