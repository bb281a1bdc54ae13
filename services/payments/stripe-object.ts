/** The ID of an object of Stripe that may be expanded; null if there is no object. */
export function idOf(object: string | { id: string } | null | undefined): string | null {
  return typeof object === 'string' ? object : (object?.id ?? null)
}
