import type { Accounts } from '../../services/accounts/accounts.ts'
import type { Billing } from '../../services/billing/create-billing.ts'
import type { Wallets } from '../../services/billing/wallets.ts'
import type { Connecting } from '../../services/connectors/connect/connecting.ts'
import type { OfferedConnectors } from '../../services/connectors/connect/require-connectors.ts'
import type { ManagedOauthClients } from '../../services/credentials/oauth-clients.ts'
import type { SignInLinks } from '../../services/dashboard/sign-in-links.ts'
import type { OperatorCommands } from '../../services/operator/operator-commands.ts'
import type { AgentSignIns } from '../../services/organizations/agent-sign-ins.ts'
import type { Agents } from '../../services/organizations/agents.ts'
import type { KeyClaims } from '../../services/organizations/key-claims.ts'
import type { KeyStore } from '../../services/organizations/key-store.ts'
import type { Members } from '../../services/organizations/members.ts'
import type { Organizations } from '../../services/organizations/organizations.ts'
import type { SharedPolicies } from '../../services/organizations/shared-policies.ts'
import type { SignIns } from '../../services/organizations/sign-ins.ts'
import type { UserEmails, UserLookup } from '../../services/organizations/user-emails.ts'
import type { TopupServices } from '../../services/payments/create-payments.ts'
import type { CheckPolicy } from '../../services/policies/check-policy.ts'
import type { RemoteConnectors } from '../../services/remote-connectors/remote-connectors.ts'
import type { Capabilities } from '../../services/tool-calls/capabilities.ts'
import type { UsageSummaries } from '../../services/usage/usage-summary.ts'
import type { VaultRotation } from '../../services/vault-rotation.ts'

/** The services that the operator's commands use. */
export interface OperatorServices {
  /** The commands that messages name. */
  commands: OperatorCommands
  database: { migrate(): Promise<void> }
  organizations: Organizations
  members: Members
  signIns: SignIns
  userEmails: UserEmails
  userLookup: UserLookup
  keys: KeyStore
  keyClaims: Pick<KeyClaims, 'redeem'>
  signInLinks: Pick<SignInLinks, 'create'>
  agents: Agents
  agentSignIns: AgentSignIns
  capabilities: Capabilities
  sharedPolicies: SharedPolicies
  checkPolicy: CheckPolicy
  connectors: OfferedConnectors
  /** The IDs of the connectors that the setting CONNECTORS excludes; none if absent. */
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
  reverseCredit: Billing['reverseCredit']
  listPostings: Billing['listPostings']
  listReconciliations: Billing['listReconciliations']
  paymentHistory: TopupServices['paymentHistory']
  syncPayment: TopupServices['syncPayment']
}
