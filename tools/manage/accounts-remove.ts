import { Type } from '@sinclair/typebox'
import type { Account } from '../../services/accounts/account.ts'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'
import type { Caller } from '../../services/identity/caller.ts'
import { AccountChoice, chosenAccount, type VisibleAccounts } from './account-choice.ts'

/** Where the tool removes. */
export interface RemovableAccounts extends VisibleAccounts {
  remove(caller: Caller, id: string): Promise<Account>
}

/** `manage__accounts_remove`: disconnects an account (spec.md, Known tools). */
export function accountsRemove(accounts: RemovableAccounts): AnyTool {
  return defineTool({
    name: 'manage__accounts_remove',
    title: 'Remove an account',
    description:
      'Disconnects an account for good: its stored credential is deleted, and its grant is given back to the provider. ' +
      'A shared account is gone for the whole organization; the member who connected it, an owner or an admin may ' +
      'remove it. Needs a user sign-in; API keys are refused.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    gate: 'session',
    input: Type.Object(AccountChoice, { additionalProperties: false }),
    output: Type.Object({ id: Type.String(), connector: Type.String(), alias: Type.String() }),

    async run(choice, { caller }) {
      const { id } = await chosenAccount(accounts, caller, choice)
      const { connector, alias, identity } = await accounts.remove(caller, id)
      return structured({ id, connector, alias }, `Removed ${alias} (${identity}) of ${connector}.`)
    },
  })
}
