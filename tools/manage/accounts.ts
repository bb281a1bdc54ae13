import { Type } from '@sinclair/typebox'
import { GatewayError } from '../../lib/errors/errors.ts'
import { AccountScope, AccountStatus, AuthKind } from '../../schemas/organizations/account.ts'
import { StringEnum } from '../../schemas/primitives/string-enum.ts'
import { type Account, canRemove } from '../../services/accounts/account.ts'
import { ALIAS_RULE, findByLabel, groupByConnector, labelAccounts, MAX_ALIAS } from '../../services/accounts/aliases.ts'
import type { AccountChange } from '../../services/accounts/update-account.ts'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'
import type { Caller } from '../../services/identity/caller.ts'

/** The accounts that a caller can see. */
export interface VisibleAccounts {
  visibleTo(caller: Caller): Promise<readonly Account[]>
}

/** The arguments that select one of the caller's accounts. */
const AccountChoice = {
  alias: Type.String({
    minLength: 1,
    maxLength: 80,
    description: 'The alias of the account, from manage__accounts_list: <alias> or shared:<alias>.',
  }),
  connector: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The ID of the connector. Required if accounts of several connectors have this alias.',
    }),
  ),
}

/** The account that the arguments select. Throws account_not_found, and multiple_accounts with the connectors to choose from. */
async function chosenAccount(
  { visibleTo }: VisibleAccounts,
  caller: Caller,
  { alias, connector }: { alias: string; connector?: string },
): Promise<Account> {
  const visible = await visibleTo(caller)
  const groups = [...groupByConnector(visible)].filter(([id]) => connector === undefined || id === connector)
  const [account, ...others] = groups.flatMap(([, ofConnector]) => findByLabel(labelAccounts(ofConnector), alias) ?? [])
  const where = connector === undefined ? '' : ` of ${connector}`
  if (account === undefined)
    throw new GatewayError('account_not_found', `You have no account${where} named ${alias}. ${namesOf(visible)}`)
  if (others.length === 0) return account
  const connectors = [account, ...others].map(each => `${each.connector} (${each.identity})`).join(', ')
  throw new GatewayError(
    'multiple_accounts',
    `Accounts of several connectors are named ${alias}: ${connectors}. Select one with the argument "connector".`,
  )
}

function namesOf(visible: readonly Account[]): string {
  if (visible.length === 0) return 'No account is connected. Connect one first.'
  const names = [...groupByConnector(visible)].map(
    ([id, ofConnector]) => `${id}: ${[...labelAccounts(ofConnector).keys()].join(', ')}`,
  )
  return `Your accounts: ${names.join('; ')}.`
}

/** `manage__accounts_list`: lists the accounts that tools can use. */
export function accountsList(accounts: VisibleAccounts): AnyTool {
  return defineTool({
    name: 'manage__accounts_list',
    title: 'List accounts',
    description:
      'List the connected accounts that you can use: your own and the organization’s shared accounts. Pass `alias` ' +
      'as the `account` argument of a connector’s tools. An account in `needs_reauth` fails until it is ' +
      'reauthorized. Requires a user sign-in; API keys are rejected.',
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
      'Change the alias of a connected account, by which tools select it. Only the member who connected a shared ' +
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
      'Share one of your private accounts with every member of the organization and their agents, or make a shared ' +
      'account private to the member who connected it. Only that member, an owner or an admin can make a shared ' +
      'account private. Requires a user sign-in; API keys are rejected.',
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
