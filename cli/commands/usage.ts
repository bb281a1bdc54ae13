import type { Static } from '@sinclair/typebox'
import { GatewayError } from '../../lib/errors/errors.ts'
import { dayFault } from '../../services/usage/days.ts'
import { USAGE_BY, type UsageBy } from '../../services/usage/usage-groups.ts'
import { type UsageEntry, usageEntry } from '../../services/usage/usage-summary.ts'
import { type Command, command, optional, required } from './command.ts'
import type { OperatorServices } from './operator-services.ts'

function grouping(text: string): UsageBy {
  const found = USAGE_BY.find(name => name === text)
  if (found === undefined) throw new GatewayError('invalid_request', `--by must be one of ${USAGE_BY.join(', ')}.`)
  return found
}

/** Throws invalid_request with the option's name if a text is not a day. */
function requireDay(option: string, text: string | undefined): void {
  const fault = text === undefined ? undefined : dayFault(option, text)
  if (fault !== undefined) throw new GatewayError('invalid_request', fault)
}

/** The sum of the remaining groups, as a row of the table. No tool, member or key has such a name. */
function asGroup({ groups, ...sums }: NonNullable<Static<typeof UsageEntry>['other']>) {
  return { name: `other (${groups})`, ...sums }
}

export const USAGE_COMMANDS: readonly Command<OperatorServices>[] = [
  command('usage', {
    about: 'summarize the calls of an organization and their cost (default: the last 30 days in UTC, by tool)',
    options: {
      org: required('ORG'),
      from: optional('YYYY-MM-DD'),
      to: optional('YYYY-MM-DD'),
      by: optional(USAGE_BY.join('|')),
    },
    async run({ usageSummaries }, { org, from, to, by = 'tool' }) {
      requireDay('--from', from)
      requireDay('--to', to)
      const summary = await usageSummaries.summarize({ orgId: org, from, to, by: grouping(by) })
      const { total, groups, other, ...asked } = usageEntry(summary)
      return { ...asked, ...total, groups: other === null ? groups : [...groups, asGroup(other)] }
    },
  }),
]
