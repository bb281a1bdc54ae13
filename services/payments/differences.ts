import type { OrgDatabase } from '../../lib/database/tenant.ts'

type Value = string | number | boolean | null

/** Something that differs between a paid object at Stripe and our row. Values are amounts, codes and IDs, never secrets. */
export interface Difference {
  reason: string
  expected: Value
  found: Value
}

/** The pairs that differ. */
export function differences(
  pairs: readonly (readonly [reason: string, expected: Value, found: Value])[],
): Difference[] {
  return pairs.flatMap(([reason, expected, found]) => (expected === found ? [] : [{ reason, expected, found }]))
}

/** Stores what differs for the operator, each reason once per payment. */
export async function recordDifferences(
  org: OrgDatabase,
  { paymentId, object, at }: { paymentId: string; object: string | null; at: Date },
  found: readonly Difference[],
): Promise<void> {
  const rows = found.map(({ reason, ...values }) => {
    return { payment_id: paymentId, reason, detail: JSON.stringify({ ...values, object }), at }
  })
  const insert = org.insertInto('payment_reconciliations', rows)
  await insert.onConflict(conflict => conflict.columns(['payment_id', 'reason']).doNothing()).execute()
}
