import { Type } from '@sinclair/typebox'
import { AccountScope } from '../../schemas/account.ts'
import { StringEnum } from '../../schemas/string-enum.ts'
import type { Account } from '../../services/accounts/account.ts'
import { ALIAS_RULE, MAX_ALIAS } from '../../services/accounts/aliases.ts'
import type { AccountChange } from '../../services/accounts/update-account.ts'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'
import type { Caller } from '../../services/identity/caller.ts'
import { AccountChoice, chosenAccount, type VisibleAccounts } from './account-choice.ts'

/** The accounts that a caller can change. */
interface ChangeableAccounts extends VisibleAccounts {
  update(caller: Caller, id: string, change: AccountChange): Promise<Account>
}

/** `manage__accounts_rename`: changes the alias of an account. */
export function accountsRename(accounts: ChangeableAccounts): AnyTool {
  return defineTool({
    name: 'manage__accounts_rename',
    title: 'Rename an account',
    description:
      'Change the alias of a connected account, the name that tools select it by. Only the member who connected a shared ' +
      'account, an owner or an admin can rename it. Requires a user sign-in; API keys are rejected.',
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
      const { connector, alias } = await accounts.update(caller, id, { alias: new_alias })
      return structured({ id, connector, alias }, `The account of ${connector} is now named ${alias}.`)
    },
  })
}

/** `manage__accounts_share`: gives an account to the organization, or back to the member who connected it. */
export function accountsShare(accounts: ChangeableAccounts): AnyTool {
  return defineTool({
    name: 'manage__accounts_share',
    title: 'Share an account',
    description:
      'Share one of your private accounts, so that every member of the organization and their agents can use it, or make ' +
      'a shared account private again to the member who connected it. Only that member, an owner or an admin can make a ' +
      'shared account private. Requires a user sign-in; API keys are rejected.',
    // Sharing lets others act as this account, and the opposite takes it from them, so clients ask the user first.
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    gate: 'session',
    input: Type.Object(
      {
        ...AccountChoice,
        scope: StringEnum(AccountScope.enum, {
          description: 'shared: for every member of the organization. private: only for the member who connected it.',
        }),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({ id: Type.String(), connector: Type.String(), alias: Type.String(), scope: AccountScope }),

    async run({ scope, ...choice }, { caller }) {
      const { id } = await chosenAccount(accounts, caller, choice)
      const { connector, alias, userId } = await accounts.update(caller, id, { scope })
      const owner = userId === caller.userId ? 'you' : 'the member who connected it'
      const users = scope === 'shared' ? 'Every member of the organization' : `Only ${owner}`
      return structured({ id, connector, alias, scope }, `${users} can now use ${alias} of ${connector}.`)
    },
  })
}
