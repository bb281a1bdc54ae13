/** The beginnings of the URLs whose answers a payment changes. */
export const MONEY_URLS = ['/api/customers/me', '/api/me']

/** Goes to a page of the payment provider, in this tab. */
export function openCheckout(url: string): void {
  const { protocol } = new URL(url, location.origin)
  if (protocol === 'https:' || protocol === 'http:') location.assign(url)
}
