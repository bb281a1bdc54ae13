/** The estimate of a call, in micro-dollars: no cost is above the bound of its overage. */
export const ESTIMATE = 1_001_000_000

/**
 * Returns the cost of a call with an idempotency key, in micro-dollars. Almost every key has its own cost, so a hold's cost
 * tells which key it was for.
 */
export function costOfKey(idempotencyDigest: string): number {
  return 100_000 + (Number.parseInt(idempotencyDigest.slice(0, 10), 16) % 10_000_000_000)
}
