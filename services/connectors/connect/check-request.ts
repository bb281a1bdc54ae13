import { forOrg } from '../../../lib/database/tenant.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { requireAccountCapacity } from '../../accounts/account-rows.ts'
import type { Accounts } from '../../accounts/accounts.ts'
import { aliasKey, aliasTaken, toAlias } from '../../accounts/aliases.ts'
import type { ConnectorDefinition } from '../../definitions/connector-types.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import { requireMember, requireOrganization } from '../../organizations/requirements.ts'
import { mergeSettings } from './check-settings.ts'
import type { ConnectRequest, ConnectTarget } from './connect-request.ts'
import { takenAliases } from './store-connection.ts'

/**
 * Validates a connect request before the provider is involved: the owner, the connector, the alias and the settings.
 */
export type CheckRequest = (
  request: ConnectRequest,
) => Promise<{ connector: ConnectorDefinition; target: ConnectTarget }>

interface CheckRequestOptions extends Pick<Infrastructure, 'db'> {
  accounts: Pick<Accounts, 'changeable'>
  /** Returns an offered connector. Throws invalid_request for any other ID. */
  find(id: string): ConnectorDefinition
}

export function createCheckRequest({ db, accounts, find }: CheckRequestOptions): CheckRequest {
  return async function checkRequest({ caller, connector: id, scope, alias: text, settings: given = {}, accountId }) {
    const connector = find(id)
    if (accountId !== undefined) {
      const account = await accounts.changeable(caller, accountId)
      if (account.connector !== id)
        throw new GatewayError('invalid_request', `${accountId} is an account of ${account.connector}, not of ${id}.`)
      const settings = mergeSettings(connector, given, account.settings)
      return { connector, target: { scope: account.scope, settings, accountId } }
    }
    await requireOrganization(db, caller.orgId)
    const org = forOrg(db, caller.orgId)
    await requireMember(org, caller.userId)
    const settings = mergeSettings(connector, given)
    await requireAccountCapacity(org, { connector: id, scope, userId: caller.userId })
    if (text === undefined) return { connector, target: { scope, settings } }
    const target = { scope, settings, alias: toAlias(text) }
    // Checked before the person goes to the provider. Storing the account checks again.
    if ((await takenAliases(org, { member: caller, connector, target })).has(aliasKey(target.alias)))
      throw aliasTaken({ connector: id, scope, alias: target.alias, userId: caller.userId }, caller)
    return { connector, target }
  }
}
