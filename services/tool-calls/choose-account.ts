import { GatewayError } from '../../lib/errors/errors.ts'
import type { Account } from '../accounts/account.ts'
import { findByLabel } from '../accounts/aliases.ts'
import type { AnyTool } from '../definitions/define-tool.ts'
import type { CallerAccounts } from './surfaces.ts'

/** The account a call acts with, or why its `account` argument names none. */
export type ChosenAccount = { account: Account | undefined } | { refused: string }

/**
 * Chooses the account of a connector's tool: the one that is named, or the only one, never "the latest" (decisions.md,
 * Connectors and accounts). Throws account_required, with the names, where there are several and none is named.
 */
export function chooseAccount(tool: AnyTool, args: unknown, accounts: CallerAccounts): ChosenAccount {
  if (!tool.needsAccount) return { account: undefined }
  const named = accounts.get(tool.capability) ?? new Map<string, Account>()
  const label = (args as { account?: string }).account
  const names = [...named.keys()].map(name => JSON.stringify(name)).join(', ')
  if (label !== undefined) {
    const account = findByLabel(named, label)
    return account === undefined ? { refused: `/account must be one of ${names}` } : { account }
  }
  const [only, ...others] = named.values()
  if (only !== undefined && others.length === 0) return { account: only }
  throw new GatewayError('account_required', `Say which account acts, as the argument "account": ${names}.`)
}
