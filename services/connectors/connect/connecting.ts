import type { Account } from '../../accounts/account.ts'
import { locateAccount } from '../../accounts/account-rows.ts'
import type { Accounts } from '../../accounts/accounts.ts'
import type { Grants } from '../../credentials/grants.ts'
import type { OauthClients } from '../../credentials/oauth-clients.ts'
import type { TokenEndpoint } from '../../credentials/token-endpoint.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import type { ProviderCaller } from '../engine/provider-caller.ts'
import { createCheckRequest } from './check-request.ts'
import { type CredentialConnectMethods, createCredentialConnectMethods } from './connect-methods.ts'
import { createIdentifyAccount } from './identify-account.ts'
import { createOauthConnectMethod, type OauthConnectMethod } from './oauth-connect-method.ts'
import { createOauth1Tokens } from './oauth1-tokens.ts'
import { createPendingAuthorizations } from './pending-authorizations.ts'
import { type OfferedConnectors, requireConnector } from './require-connectors.ts'
import { createStoreConnection } from './store-connection.ts'

/**
 * Connects accounts, for the dashboard and the operator's commands. If the provider rejects the request or does not
 * answer, it throws connect_failed with advice for the person and stores nothing. It also throws invalid_request and
 * alias_taken, and for reauthorizing account_not_found, not_account_owner and identity_mismatch. After
 * identity_mismatch the new grant is dropped but not revoked: some providers revoke all grants of the same person.
 */
export interface Connecting extends OauthConnectMethod, CredentialConnectMethods {
  /** The owner of an account, for the operator, who names it only by its ID. Throws account_not_found. */
  accountOwner(accountId: string): Promise<Pick<Account, 'orgId' | 'userId' | 'connector' | 'scope'>>
}

interface ConnectingOptions extends Pick<Infrastructure, 'db' | 'clock' | 'vault' | 'egress' | 'commands'> {
  accounts: Pick<Accounts, 'changeable' | 'insert' | 'reauthorized'>
  grants: Pick<Grants, 'store'>
  clients: Pick<OauthClients, 'of' | 'ofGrant'>
  tokenEndpoint: Pick<TokenEndpoint, 'exchangeCode'>
  providerCaller: Pick<ProviderCaller, 'call' | 'identify' | 'discover'>
  connectors: OfferedConnectors
  /** The IDs that CONNECTORS excludes; none if absent. */
  leftOut?: ReadonlySet<string>
  /** Called with the organization after an account is committed, so that the member sees it immediately. */
  changed?(orgId: string): void
}

export function createConnecting(options: ConnectingOptions): Connecting {
  const { db, clock, vault, egress, clients, tokenEndpoint, providerCaller, connectors, accounts, commands } = options
  const find = (id: string) => requireConnector(connectors, id, options.leftOut)
  const checkRequest = createCheckRequest({ db, accounts, find })
  const identifyAccount = createIdentifyAccount(providerCaller)
  const storeConnection = createStoreConnection(options)

  return {
    accountOwner: accountId => locateAccount(db, commands, accountId),
    ...createOauthConnectMethod({
      pendingAuthorizations: createPendingAuthorizations({ db, clock, vault }),
      oauth1: createOauth1Tokens({ egress, clock }),
      accounts,
      clients,
      tokenEndpoint,
      checkRequest,
      find,
      identifyAccount,
      storeConnection,
      commands,
    }),
    ...createCredentialConnectMethods({ clock, clients, checkRequest, identifyAccount, storeConnection, commands }),
  }
}
