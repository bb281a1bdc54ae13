import { Type } from '@sinclair/typebox'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Account } from '../../services/accounts/account.ts'
import { findByLabel, groupByConnector, labelAccounts } from '../../services/accounts/aliases.ts'
import type { Caller } from '../../services/identity/caller.ts'

/** The accounts that a caller can see. */
export interface VisibleAccounts {
  visibleTo(caller: Caller): Promise<readonly Account[]>
}

/** The arguments that select one of the caller's accounts. */
export const AccountChoice = {
  alias: Type.String({
    minLength: 1,
    maxLength: 80,
    description: 'The alias of the account in manage__accounts_list: <alias> or shared:<alias>.',
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
export async function chosenAccount(
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
