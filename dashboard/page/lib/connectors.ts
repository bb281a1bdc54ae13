import type { AccountGrant, AccountGrants } from '../../../schemas/connectors/connect.ts'
import type { ConnectorAccount, ConnectorEntry, CuratedConnectorEntry } from '../../../schemas/connectors/connector.ts'
import type { RemoteConnectorEntry } from '../../../schemas/remotes/remote.ts'
import { shortId } from './people.ts'
import { useGet } from './queries.ts'

/** The URL of the index of connectors. */
export const CONNECTORS_URL = '/api/connectors'

/** The URL of one connector. */
export const connectorUrl = (id: string) => `${CONNECTORS_URL}/${encodeURIComponent(id)}`

/** The page of an entry. Slugs and the IDs of connectors may be the same. */
export const entryPath = (entry: ConnectorEntry) => `/connectors/${isRemote(entry) ? 'org/' : ''}${entry.id}`

/** Whether an entry is a server that the organization registered. */
export function isRemote(entry: ConnectorEntry): entry is RemoteConnectorEntry {
  return 'kind' in entry
}

/**
 * How an account of a connector can be connected now: by signing in at the provider, only with a pasted key, or not
 * before someone adds an OAuth app.
 */
type ConnectWay = 'sign-in' | 'key' | 'app'

/** The first way that works. A server of the organization has its own page for this. */
export function connectWay({ auth }: CuratedConnectorEntry): ConnectWay {
  if (auth.type !== 'api_key' && auth.oauth_configured) return 'sign-in'
  return auth.api_key_connect ? 'key' : 'app'
}

/** Whether an admin of the organization can add an OAuth app for a connector. */
export function takesOwnApp({ credential_source }: CuratedConnectorEntry): boolean {
  return credential_source?.org_clients_enabled === true
}

/** An account with its connector. */
export interface OwnAccount extends ConnectorAccount {
  connector: ConnectorEntry
}

/** All accounts that the user sees, and the name of each. */
export function useAccounts() {
  const query = useGet<{ connectors: ConnectorEntry[] }>(CONNECTORS_URL)
  const accounts = query.data?.connectors.flatMap(connector =>
    connector.accounts.map((account: ConnectorAccount): OwnAccount => ({ ...account, connector })),
  )
  function accountName(id: string): string {
    const account = accounts?.find(account => account.id === id)
    return account === undefined ? shortId(id) : account.alias
  }
  return { query, accounts, accountName }
}

/** What was granted to the accounts of a connector that the user may reauthorize, by the account's ID. */
export function useGrants(connector: string) {
  const { data, error, refetch } = useGet<AccountGrants>(`/api/connect/${encodeURIComponent(connector)}/grants`)
  const grants = data && new Map<string, AccountGrant>(data.grants.map(grant => [grant.account_id, grant]))
  return { grants, error, refetch }
}
