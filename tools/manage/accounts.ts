import { Type } from '@sinclair/typebox'
import { AccountScope, AccountStatus, AuthKind } from '../../schemas/account.ts'
import { type Account, canRemove } from '../../services/accounts/account.ts'
import { groupByConnector, labelAccounts } from '../../services/accounts/aliases.ts'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'
import type { Caller } from '../../services/identity/caller.ts'
import { AccountChoice, chosenAccount, type VisibleAccounts } from './account-choice.ts'

/** `manage__accounts_list`: lists the accounts that tools can use. */
export function accountsList(accounts: VisibleAccounts): AnyTool {
  return defineTool({
    name: 'manage__accounts_list',
    title: 'List accounts',
    description:
      'List the connected accounts that you can use: your own and the shared ones of the organization. Pass `alias` as the ' +
      '`account` argument of a connector’s tools. An account in `needs_reauth` fails until it is reauthorized. ' +
      'Requires a user sign-in; API keys are rejected.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    gate: 'session',
    input: Type.Object(
      { connector: Type.Optional(Type.String({ description: 'Only accounts of the connector with this ID.' })) },
      { additionalProperties: false },
    ),
    output: Type.Object({
      accounts: Type.Array(
        Type.Object({
          id: Type.String(),
          connector: Type.String(),
          alias: Type.String(),
          identity: Type.String(),
          scope: AccountScope,
          status: AccountStatus,
          can_remove: Type.Boolean(),
          auth_kind: AuthKind,
          key_verified: Type.Optional(Type.Boolean()),
        }),
      ),
    }),

    async run({ connector }, { caller }) {
      const groups = groupByConnector(await accounts.visibleTo(caller))
      const chosen = connector === undefined ? [...groups.values()] : [groups.get(connector) ?? []]
      const entries = chosen.flatMap(ofConnector =>
        [...labelAccounts(ofConnector)].map(([alias, account]) => ({
          id: account.id,
          connector: account.connector,
          alias,
          identity: account.identity,
          scope: account.scope,
          status: account.status,
          can_remove: canRemove(caller, account),
          auth_kind: account.authKind,
          ...(account.keyVerified !== null && { key_verified: account.keyVerified }),
        })),
      )
      return structured({ accounts: entries })
    },
  })
}

interface RemovableAccounts extends VisibleAccounts {
  remove(caller: Caller, id: string): Promise<Account>
}

/** `manage__accounts_remove`: disconnects an account. */
export function accountsRemove(accounts: RemovableAccounts): AnyTool {
  return defineTool({
    name: 'manage__accounts_remove',
    title: 'Remove an account',
    description:
      'Disconnect an account permanently: delete its stored credential and revoke its grant at the provider. A shared ' +
      'account is removed for the whole organization; only the member who connected it, an owner or an admin can ' +
      'remove it. Requires a user sign-in; API keys are rejected.',
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
