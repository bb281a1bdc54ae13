import { Type } from '@sinclair/typebox'
import { WalletEntry, walletEntry } from '../../plugins/billing/wallet-entry.ts'
import type { Wallet, Wallets } from '../../plugins/billing/wallets.ts'
import { dollars } from '../../schemas/money.ts'
import { type AnyTool, defineTool } from '../define-tool.ts'
import { structured } from '../structured.ts'

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
      const step = nextStep(wallet)
      return structured({ ...walletEntry(wallet), ...(step !== undefined && { next_step: step }) })
    },
  })
}

/** What is to be done before tools that cost money run again; undefined where they do. */
function nextStep({ standing, balanceMicros, thresholdMicros }: Wallet): string | undefined {
  switch (standing) {
    case 'active':
      return undefined
    case 'billing_hold':
      return `Tools that cost money do not run while the balance is below ${dollars(thresholdMicros)}. An admin tops the wallet up by ${dollars(thresholdMicros - balanceMicros)} or more.`
    case 'suspended':
      return 'The organization is suspended: tools that cost money do not run, and adding balance does not change that. Contact support.'
  }
}
