/**
 * What a call with an idempotency key costs, by what the key makes of it: as good as each key has a cost of its own, so
 * that a hold tells whose it was.
 */
export function costOfKey(idempotencyDigest: string): number {
  return 100_000 + (Number.parseInt(idempotencyDigest.slice(0, 10), 16) % 10_000_000_000)
}
