import type { Billing } from '../billing/create-billing.ts'
import type { Wallets } from '../billing/wallets.ts'
import type { Accounts } from '../connectors/accounts/accounts.ts'
import type { Connecting } from '../connectors/connect/connecting.ts'
import type { ManagedOauthClients } from '../connectors/oauth-clients.ts'
import type { OfferedConnectors } from '../connectors/require-connector.ts'
import type { Agents } from '../organizations/agents.ts'
import type { KeyStore } from '../organizations/key-store.ts'
import type { Members } from '../organizations/members.ts'
import type { Organizations } from '../organizations/organizations.ts'
import type { RemoteConnectors } from '../remote-connectors/remote-connectors.ts'
import type { Capabilities } from '../tool-registry/capabilities.ts'
import type { UsageSummaries } from '../usage/usage-summary.ts'
import type { VaultRotation } from '../vault/rotate.ts'

/** The services that the operator's commands stand on. */
export interface OperatorServices {
  database: { migrate(): Promise<void> }
  organizations: Organizations
  members: Members
  keys: KeyStore
  agents: Agents
  capabilities: Capabilities
  connectors: OfferedConnectors
  /** The ids of those that CONNECTORS leaves out; none when absent. */
  leftOutConnectors?: ReadonlySet<string>
  accounts: Accounts
  connecting: Connecting
  oauthClients: ManagedOauthClients
  remotes: Pick<
    RemoteConnectors,
    'list' | 'find' | 'setHidden' | 'beginAuthorization' | 'finishAuthorization' | 'setToken'
  >
  usageSummaries: Pick<UsageSummaries, 'summarize'>
  vaultRotation: VaultRotation
  wallets: Pick<Wallets, 'credit' | 'balance'>
  auditLedger: Billing['auditLedger']
  listPostings: Billing['listPostings']
  listReconciliations: Billing['listReconciliations']
}
