import { type Static, Type } from '@sinclair/typebox'
import { dollars } from '../../schemas/money.ts'
import { StringEnum } from '../../schemas/string-enum.ts'
import { USAGE_BY, type UsageSums } from './usage-groups.ts'
import type { UsageSummary } from './usage-summary.ts'

const sums = {
  calls: Type.Integer(),
  errors: Type.Integer(),
  average_ms: Type.Integer(),
  cost_micros: Type.Integer(),
  cost: Type.String(),
}
const Sums = Type.Object(sums)

/** A summary of usage on the wire. */
export const UsageEntry = Type.Object({
  from: Type.String(),
  to: Type.String(),
  by: StringEnum(USAGE_BY),
  total: Sums,
  groups: Type.Array(Type.Object({ name: Type.Union([Type.String(), Type.Null()]), ...sums })),
  other: Type.Union([Type.Object({ groups: Type.Integer(), ...sums }), Type.Null()], {
    description: 'The groups beyond the first 200, added up.',
  }),
})

export function usageEntry({ from, to, by, groups, other, total }: UsageSummary): Static<typeof UsageEntry> {
  return {
    from,
    to,
    by,
    total: sumsEntry(total),
    groups: groups.map(group => ({ name: group.name, ...sumsEntry(group) })),
    other: other && { groups: other.groups, ...sumsEntry(other) },
  }
}

function sumsEntry({ calls, errors, durationMs, costMicros }: UsageSums): Static<typeof Sums> {
  return {
    calls,
    errors,
    average_ms: calls === 0 ? 0 : Math.round(durationMs / calls),
    cost_micros: costMicros,
    cost: dollars(costMicros),
  }
}
