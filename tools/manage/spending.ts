import { Type } from '@sinclair/typebox'
import { StringEnum } from '../../schemas/primitives/string-enum.ts'
import { stateMessage } from '../../services/billing/standings.ts'
import { WalletEntry, type Wallets, walletEntry } from '../../services/billing/wallets.ts'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'
import type { OperatorCommands } from '../../services/operator/operator-commands.ts'
import { PERIODS } from '../../services/usage/days.ts'
import { USAGE_BY } from '../../services/usage/usage-groups.ts'
import { UsageEntry, type UsageSummaries, usageEntry } from '../../services/usage/usage-summary.ts'

const day = (description: string) => Type.Optional(Type.String({ minLength: 10, maxLength: 10, description }))

/** `manage__usage_summary`: sums up calls, failures and cost. */
export function usageSummary({ summarizeFor }: Pick<UsageSummaries, 'summarizeFor'>): AnyTool {
  return defineTool({
    name: 'manage__usage_summary',
    title: 'Summarize usage',
    description:
      'Summarize tool calls by group: calls, failures, average duration and cost, the most expensive group first. ' +
      'Days are in UTC: at most 92, by default the last 30. Members see their own calls; owners and admins see all ' +
      'calls. The group null contains the calls without a key, an agent or an account. `cost` is `cost_micros` ' +
      '(millionths of a dollar) in dollars. Requires a user sign-in; API keys are rejected.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    gate: 'session',
    input: Type.Object(
      {
        period: Type.Optional(StringEnum(PERIODS, { description: 'The period. Use it instead of from and to.' })),
        from: day('The first day: 2026-11-01.'),
        to: day('The last day. Default: today.'),
        by: Type.Optional(StringEnum(USAGE_BY, { description: 'The grouping. Default: tool.' })),
        member: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 64,
            description: 'The user ID of a member: only their calls. Only owners and admins can name other members.',
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

/** `manage__wallet_balance`: shows the balance for tools that cost money. */
export function walletBalance(wallets: Pick<Wallets, 'balance'>, commands: OperatorCommands): AnyTool {
  return defineTool({
    name: 'manage__wallet_balance',
    title: 'Wallet balance',
    description:
      'Show the organization’s wallet in micro-dollars and as text: the balance, the amount held for running calls ' +
      'and the available amount. `standing` says whether paid tools run; `next_step` says what to do if they do not. ' +
      'Requires a user sign-in; API keys are rejected.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    gate: 'session',
    input: Type.Object({}, { additionalProperties: false }),
    output: Type.Object({ ...WalletEntry.properties, next_step: Type.Optional(Type.String()) }),

    async run(_nothing, { caller }) {
      const wallet = await wallets.balance(caller.orgId)
      const step = stateMessage(wallet.standing, caller.orgId, commands)
      return structured({ ...walletEntry(wallet), ...(step !== undefined && { next_step: step }) })
    },
  })
}
