import { Type } from '@sinclair/typebox'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Account } from '../../services/accounts/account.ts'
import { findByLabel, groupByConnector, labelAccounts } from '../../services/accounts/aliases.ts'
import type { Caller } from '../../services/identity/caller.ts'

/** Where the account tools learn what a caller has. */
export interface VisibleAccounts {
  visibleTo(caller: Caller): Promise<readonly Account[]>
}

/** The arguments that name an account of the caller's. */
export const AccountChoice = {
  alias: Type.String({
    minLength: 1,
    maxLength: 80,
    description: 'What manage__accounts_list calls the account: its alias, or shared:<alias>.',
  }),
  connector: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The connector’s id, needed where accounts of several connectors have this alias.',
    }),
  ),
}

/** The one account that the caller means. Throws account_not_found, and multiple_accounts with the connectors to choose from. */
export async function chosenAccount(
  { visibleTo }: VisibleAccounts,
  caller: Caller,
  { alias, connector }: { alias: string; connector?: string },
): Promise<Account> {
  const visible = await visibleTo(caller)
  const groups = [...groupByConnector(visible)].filter(([id]) => connector === undefined || id === connector)
  const [account, ...others] = groups.flatMap(([, ofOne]) => findByLabel(labelAccounts(ofOne), alias) ?? [])
  const where = connector === undefined ? '' : ` of ${connector}`
  if (account === undefined)
    throw new GatewayError('account_not_found', `You have no account${where} named ${alias}. ${listed(visible)}`)
  if (others.length === 0) return account
  const connectors = [account, ...others].map(each => `${each.connector} (${each.identity})`).join(', ')
  throw new GatewayError(
    'multiple_accounts',
    `Accounts of several connectors are named ${alias}: ${connectors}. Say which one, as the argument "connector".`,
  )
}

function listed(visible: readonly Account[]): string {
  if (visible.length === 0) return 'No account is connected.'
  const names = [...groupByConnector(visible)].map(
    ([id, ofOne]) => `${id}: ${[...labelAccounts(ofOne).keys()].join(', ')}`,
  )
  return `There are: ${names.join('; ')}.`
}
