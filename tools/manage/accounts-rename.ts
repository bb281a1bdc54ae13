import { Type } from '@sinclair/typebox'
import type { Account } from '../../services/accounts/account.ts'
import { ALIAS_RULE, MAX_ALIAS } from '../../services/accounts/aliases.ts'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'
import type { Caller } from '../../services/identity/caller.ts'
import { AccountChoice, chosenAccount, type VisibleAccounts } from './account-choice.ts'

/** Where the tool renames. */
export interface RenamableAccounts extends VisibleAccounts {
  rename(caller: Caller, id: string, alias: string): Promise<Account>
}

/** `manage__accounts_rename`: another alias for an account. */
export function accountsRename(accounts: RenamableAccounts): AnyTool {
  return defineTool({
    name: 'manage__accounts_rename',
    title: 'Rename an account',
    description:
      'Gives a connected account another alias, the name that tools select it by. A shared account can be renamed by ' +
      'the member who connected it, an owner or an admin. Needs a user sign-in; API keys are refused.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    gate: 'session',
    input: Type.Object(
      {
        ...AccountChoice,
        new_alias: Type.String({
          minLength: 1,
          maxLength: MAX_ALIAS,
          description: ALIAS_RULE,
        }),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({ id: Type.String(), connector: Type.String(), alias: Type.String() }),

    async run({ new_alias, ...choice }, { caller }) {
      const { id } = await chosenAccount(accounts, caller, choice)
      const { connector, alias } = await accounts.rename(caller, id, new_alias)
      return structured({ id, connector, alias }, `The account of ${connector} is named ${alias} now.`)
    },
  })
}
