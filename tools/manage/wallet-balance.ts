import { Type } from '@sinclair/typebox'
import { stateMessage } from '../../services/billing/standings.ts'
import { WalletEntry, type Wallets, walletEntry } from '../../services/billing/wallets.ts'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'

/** `manage__wallet_balance`: what tools that cost money may still take. */
export function walletBalance(wallets: Pick<Wallets, 'balance'>): AnyTool {
  return defineTool({
    name: 'manage__wallet_balance',
    title: 'Wallet balance',
    description:
      'Tells the balance of the organization’s wallet, how much of it is held for calls that run, and how much is available, ' +
      'in micro-dollars and as text; and whether tools that cost money run (`standing`), with what to do where they do not. ' +
      'Needs a user sign-in; API keys are refused.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    gate: 'session',
    input: Type.Object({}, { additionalProperties: false }),
    output: Type.Object({ ...WalletEntry.properties, next_step: Type.Optional(Type.String()) }),

    async run(_nothing, { caller }) {
      const wallet = await wallets.balance(caller.orgId)
      const step = stateMessage(wallet.standing)
      return structured({ ...walletEntry(wallet), ...(step !== undefined && { next_step: step }) })
    },
  })
}
