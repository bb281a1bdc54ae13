import { Type } from '@sinclair/typebox'
import { StringEnum } from '../../schemas/string-enum.ts'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'
import { PERIODS } from '../../services/usage/days.ts'
import { USAGE_BY } from '../../services/usage/usage-groups.ts'
import { UsageEntry, type UsageSummaries, usageEntry } from '../../services/usage/usage-summary.ts'

const day = (description: string) => Type.Optional(Type.String({ minLength: 10, maxLength: 10, description }))

/** `manage__usage_summary`: what was called, how it ended and what it cost. */
export function usageSummary({ summarizeFor }: Pick<UsageSummaries, 'summarizeFor'>): AnyTool {
  return defineTool({
    name: 'manage__usage_summary',
    title: 'Summarize usage',
    description:
      'Sums up tool calls: how many there were, how many failed, how long they took on average and what they cost, grouped ' +
      'as you ask. Days are days in UTC, at most 92 of them; the last 30 unless you say otherwise. Members see their own ' +
      'calls, owners and admins those of everybody. Groups come with the most expensive first; a group named null holds ' +
      'calls without a key, an agent or an account. `cost` is `cost_micros`, millionths of a dollar, in dollars. Needs a ' +
      'user sign-in; API keys are refused.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    gate: 'session',
    input: Type.Object(
      {
        period: Type.Optional(StringEnum(PERIODS, { description: 'Which days, in place of from and to.' })),
        from: day('The first day, such as 2026-11-01.'),
        to: day('The last day; today when absent.'),
        by: Type.Optional(StringEnum(USAGE_BY, { description: 'What to group by: the tool when absent.' })),
        member: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 64,
            description: 'The user id of a member, whose calls alone are wanted. Of others, for owners and admins.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    output: UsageEntry,

    async run({ by = 'tool', ...question }, { caller }) {
      return structured(usageEntry(await summarizeFor(caller, { ...question, by })))
    },
  })
}
