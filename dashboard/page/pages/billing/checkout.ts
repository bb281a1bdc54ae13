import { ApiError, request } from '../../lib/api.ts'

/** The beginnings of the URLs whose answers a payment changes. */
export const MONEY_URLS = ['/api/customers/me', '/api/me']

/** Goes to a page of the payment provider, in this tab. */
export function openCheckout(url: string): void {
  const { protocol } = new URL(url, location.origin)
  if (protocol === 'https:' || protocol === 'http:') location.assign(url)
}

/** Whether the organization has never paid, so that it has no payment settings yet. */
export function isNoCustomer(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'CUSTOMER_NOT_FOUND'
}

/** Does something that needs a customer of the payment provider, which is created first if there is none. */
export async function asCustomer<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof Error) || !isNoCustomer(error)) throw error
    await request('POST', '/api/customers', { body: {}, key: crypto.randomUUID() })
    return run()
  }
}
