import type { ConnectorAccount, ConnectorStatus } from '../../../schemas/connector.ts'
import { type Account, canRemove } from '../../accounts/account.ts'
import { labelled } from '../../accounts/labels.ts'
import { type ConnectorDefinition, keyDoorOf } from '../../definitions/define-connector.ts'
import type { Caller } from '../../identity/caller.ts'

/** The `accounts` of an entry: those of one connector that a caller sees, under what he calls them (spec.md, Account). */
export function accountEntries(
  connector: Pick<ConnectorDefinition, 'auth'>,
  caller: Caller,
  accounts: readonly Account[],
): ConnectorAccount[] {
  const hasKeyDoor = keyDoorOf(connector) !== undefined
  return [...labelled(accounts)].map(([label, account]) => {
    const { id, identity, scope, status, authKind, keyVerified } = account
    return {
      id,
      alias: label,
      identity,
      scope,
      status,
      can_remove: canRemove(caller, account),
      ...(hasKeyDoor && authKind !== 'oauth1a' && { auth_kind: authKind }),
      ...(authKind === 'api_key' && { key_verified: keyVerified === true }),
    }
  })
}

/** What a connector is to a caller with these accounts (decisions.md, Connectors and accounts, status). */
export function statusOf(accounts: readonly Pick<Account, 'status'>[]): ConnectorStatus {
  if (accounts.length === 0) return 'disconnected'
  return accounts.some(({ status }) => status === 'connected') ? 'connected' : 'needs_reauth'
}
