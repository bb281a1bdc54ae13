import { dollars } from '../../schemas/money.ts'
import type { UsageSummary, UsageSums } from './usage-summary.ts'

/** A summary as the tool and the command answer it. */
export function usageOnWire({ from, to, by, groups, other, total }: UsageSummary) {
  return {
    from,
    to,
    by,
    total: sums(total),
    groups: groups.map(({ name, ...group }) => ({ name, ...sums(group) })),
    other: other === null ? null : { groups: other.groups, ...sums(other) },
  }
}

function sums({ calls, errors, durationMs, costMicros }: UsageSums) {
  return {
    calls,
    errors,
    average_ms: calls === 0 ? 0 : Math.round(durationMs / calls),
    cost_micros: costMicros,
    cost: dollars(costMicros),
  }
}
