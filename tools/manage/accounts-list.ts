import { Type } from '@sinclair/typebox'
import { AccountScope, AccountStatus, AuthKind } from '../../schemas/account.ts'
import { canRemove } from '../../services/accounts/account.ts'
import { groupByConnector, labelAccounts } from '../../services/accounts/aliases.ts'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'
import type { VisibleAccounts } from './account-choice.ts'

/** `manage__accounts_list`: the accounts that tools can act with. */
export function accountsList(accounts: VisibleAccounts): AnyTool {
  return defineTool({
    name: 'manage__accounts_list',
    title: 'List accounts',
    description:
      'Lists the connected accounts you can act with: your own and the organization’s shared ones. `alias` is what the ' +
      '`account` argument of a connector’s tools takes. An account in `needs_reauth` fails until it is reauthorized. ' +
      'Needs a user sign-in; API keys are refused.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    gate: 'session',
    input: Type.Object(
      { connector: Type.Optional(Type.String({ description: 'Only those of the connector with this id.' })) },
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
      const entries = chosen.flatMap(ofOne =>
        [...labelAccounts(ofOne)].map(([alias, account]) => ({
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
