import type { ColumnType, Generated } from 'kysely'
import type { Role } from '../../schemas/organizations/member.ts'
import type { MemoryScope } from '../../schemas/tools/memory.ts'
import type { CustomersTable, PaymentReconciliationsTable, PaymentsTable, StripeEventsTable } from './billing-tables.ts'
import type { Json, OptionalTime, Time } from './column-types.ts'
import type {
  AccountCredentialsTable,
  AccountsTable,
  ArtifactsTable,
  AssertionKeysTable,
  ConnectAttemptsTable,
  OauthClientsTable,
  RemoteConnectorsTable,
  RemoteSnapshotsTable,
  WebPagesTable,
} from './connector-tables.ts'
import type { GenerationsTable } from './media-tables.ts'
import type {
  ActiveOrganizationsTable,
  AgentSignInsTable,
  AgentsTable,
  ApiKeysTable,
  CapabilitySettingsTable,
  DashboardSessionsTable,
  IssuerRecordsTable,
  KeyClaimsTable,
  MembershipsTable,
  OrganizationsTable,
  OrgSurfaceTable,
  PendingSignInsTable,
  PoliciesTable,
  SignInLinksTable,
  UserSubjectsTable,
  UsersTable,
} from './organization-tables.ts'
import type { PlanGrantsTable, SubscriptionsTable } from './subscription-tables.ts'
import type {
  HoldsTable,
  KeyMonthsTable,
  LedgerCheckpointKeysTable,
  LedgerCheckpointsTable,
  LedgerEntriesTable,
  LedgerPostingsTable,
  MemoryTotalsTable,
  ReconciliationsTable,
  ResultTotalsTable,
  UsageDaysTable,
  UsageRolledTable,
  UsageTable,
  WalletsTable,
} from './usage-tables.ts'

interface MemoriesTable {
  org_id: string
  id: string
  user_id: string
  scope: MemoryScope
  memory: string
  /**
   * Words and trigrams computed in Node (services/memory/search-text.ts), so that search depends on no locale and no
   * extension.
   */
  search: string
  created_at: Time
  updated_at: Time
}

interface AuditTable {
  org_id: string
  id: string
  at: Time
  /** The user who made the change; null for the operator at the command line and for jobs. */
  user_id: string | null
  /** `key.create`, `member.add`, … */
  action: string
  /** The ID of the changed object. */
  target: string
  detail: Json
}

interface IdempotencyTable {
  org_id: string
  /** The credential: a key ID, an agent ID for its own tokens, or a user ID for sessions. */
  holder: string
  tool: string
  key: string
  arguments_hash: string
  state: 'running' | 'done'
  /** For a running call: until when its process holds the lease. */
  lease_until: OptionalTime
  /**
   * For a finished call: `{v: 1, result}`; without the result: `{v: 1, tooLarge}`, `{v: 1, dropped}`, `{v: 1,
   * unsettled}`.
   */
  result: ColumnType<unknown, string | null | undefined, string | null>
  /** The result's size in the quotas; 0 if no result is stored. */
  result_bytes: Generated<number>
  created_at: Time
}

interface JobsTable {
  id: string
  kind: string
  payload: Json
  run_at: Time
  attempts: Generated<number>
  lease_owner: string | null
  lease_until: OptionalTime
  last_error: string | null
  /** At most one waiting job has this text; it identifies a schedule. */
  dedupe: string | null
  created_at: Time
}

export interface Database {
  organizations: OrganizationsTable
  users: UsersTable
  user_subjects: UserSubjectsTable
  active_organizations: ActiveOrganizationsTable
  memberships: MembershipsTable
  invitations: InvitationsTable
  agents: AgentsTable
  agent_sign_ins: AgentSignInsTable
  api_keys: ApiKeysTable
  key_claims: KeyClaimsTable
  dashboard_sessions: DashboardSessionsTable
  sign_in_links: SignInLinksTable
  pending_sign_ins: PendingSignInsTable
  issuer_records: IssuerRecordsTable
  capability_settings: CapabilitySettingsTable
  policies: PoliciesTable
  org_surface: OrgSurfaceTable
  memories: MemoriesTable
  memory_totals: MemoryTotalsTable
  usage: UsageTable
  usage_days: UsageDaysTable
  usage_rolled: UsageRolledTable
  audit: AuditTable
  idempotency: IdempotencyTable
  result_totals: ResultTotalsTable
  jobs: JobsTable
  accounts: AccountsTable
  account_credentials: AccountCredentialsTable
  oauth_clients: OauthClientsTable
  connect_attempts: ConnectAttemptsTable
  artifacts: ArtifactsTable
  generations: GenerationsTable
  web_pages: WebPagesTable
  assertion_keys: AssertionKeysTable
  remote_connectors: RemoteConnectorsTable
  remote_snapshots: RemoteSnapshotsTable
  wallets: WalletsTable
  holds: HoldsTable
  key_months: KeyMonthsTable
  ledger_postings: LedgerPostingsTable
  ledger_entries: LedgerEntriesTable
  reconciliations: ReconciliationsTable
  customers: CustomersTable
  payments: PaymentsTable
  subscriptions: SubscriptionsTable
  plan_grants: PlanGrantsTable
  payment_reconciliations: PaymentReconciliationsTable
  stripe_events: StripeEventsTable
  ledger_checkpoints: LedgerCheckpointsTable
  ledger_checkpoint_keys: LedgerCheckpointKeysTable
}

/** The tables whose rows belong to one organization. Each query on them names its org_id. */
export const TENANT_TABLES = [
  'memberships',
  'invitations',
  'agents',
  'agent_sign_ins',
  'api_keys',
  'key_claims',
  'capability_settings',
  'policies',
  'org_surface',
  'memories',
  'memory_totals',
  'usage',
  'usage_days',
  'usage_rolled',
  'audit',
  'idempotency',
  'result_totals',
  'accounts',
  'account_credentials',
  'oauth_clients',
  'connect_attempts',
  'artifacts',
  'generations',
  'web_pages',
  'remote_connectors',
  'remote_snapshots',
  'wallets',
  'holds',
  'key_months',
  'ledger_postings',
  'ledger_entries',
  'reconciliations',
  'customers',
  'payments',
  'subscriptions',
  'plan_grants',
  'payment_reconciliations',
  'ledger_checkpoints',
  'ledger_checkpoint_keys',
] as const satisfies readonly (keyof Database)[]

export type TenantTable = (typeof TENANT_TABLES)[number]

/** Invitations to join an organization. A link works once, for the invited address. */
interface InvitationsTable {
  org_id: string
  id: string
  email: string
  /** The form in which addresses are compared. */
  email_key: string
  role: Role
  /** SHA-256 of the token, which has 256 random bits. */
  token_hash: string
  /** The user who invited; null for the operator. */
  invited_by: string | null
  created_at: Time
  expires_at: Time
  accepted_at: OptionalTime
  accepted_by: string | null
  revoked_at: OptionalTime
}
