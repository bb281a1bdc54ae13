import type { ColumnType, Generated } from 'kysely'
import type { MemoryScope } from '../../schemas/limits.ts'
import type { Role } from '../../schemas/role.ts'
import type { Json, OptionalTime, Time } from './column-types.ts'
import type {
  AccountCredentialsTable,
  AccountsTable,
  ArtifactsTable,
  ConnectAttemptsTable,
  OauthClientsTable,
  RemoteConnectorsTable,
  RemoteSnapshotsTable,
} from './connector-tables.ts'
import type {
  HoldsTable,
  KeyMonthsTable,
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

export type AgentStatus = 'active' | 'suspended' | 'retired'

interface OrganizationsTable {
  id: string
  name: string
  created_at: Time
  /** Since when the operator has suspended everything that costs money. A top-up does not lift it. */
  suspended_at: OptionalTime
}

interface UsersTable {
  id: string
  email: string | null
  created_at: Time
}

/** The (issuer, subject) pairs of a user's tokens. */
interface UserSubjectsTable {
  issuer: string
  subject: string
  user_id: string
  created_at: Time
}

/** The organization a user works in, per OAuth client; the row with an empty client ID is the default. */
interface ActiveOrganizationsTable {
  user_id: string
  client_id: string
  org_id: string
  chosen_at: Time
}

/** A revoked membership keeps its row, because agents, keys and audit rows refer to it. */
interface MembershipsTable {
  org_id: string
  user_id: string
  role: Role
  created_at: Time
  revoked_at: OptionalTime
}

interface AgentsTable {
  org_id: string
  id: string
  owner_id: string
  name: string
  status: AgentStatus
  /** Whether it is suspended because its owner left. A new owner reactivates it. */
  orphaned: Generated<boolean>
  created_at: Time
}

interface ApiKeysTable {
  org_id: string
  id: string
  user_id: string
  agent_id: string | null
  name: string
  /** HMAC-SHA-256 of the key under the named pepper, in hexadecimal. */
  hash: string
  pepper_id: string
  prefix: string
  last4: string
  created_at: Time
  expires_at: OptionalTime
  revoked_at: OptionalTime
  /** The monthly spending cap (UTC) in micro-dollars; null means no cap. */
  monthly_cap_micros: ColumnType<number | null, number | null | undefined>
}

/**
 * A capability that is switched off or on: a family, a connector ID, `org__<slug>` or one tool; for a member, or for
 * everyone (user_id null).
 */
interface CapabilitySettingsTable {
  org_id: string
  user_id: string | null
  capability: string
  enabled: boolean
  updated_at: Time
}

/**
 * One row per organization. Triggers increment the version when anything changes that the organization's tool surface
 * depends on.
 */
interface OrgSurfaceTable {
  org_id: string
  version: number
}

interface MemoriesTable {
  org_id: string
  id: string
  user_id: string
  scope: MemoryScope
  memory: string
  /**
   * Words and trigrams computed in Node (tools/memory/search-text.ts), so that search depends on no locale and no
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
  /** The credential: a key ID, or a user ID for sessions. */
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
  agents: AgentsTable
  api_keys: ApiKeysTable
  capability_settings: CapabilitySettingsTable
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
  remote_connectors: RemoteConnectorsTable
  remote_snapshots: RemoteSnapshotsTable
  wallets: WalletsTable
  holds: HoldsTable
  key_months: KeyMonthsTable
  ledger_postings: LedgerPostingsTable
  ledger_entries: LedgerEntriesTable
  reconciliations: ReconciliationsTable
}

/** The tables whose rows belong to one organization. Each query on them names its org_id. */
export const TENANT_TABLES = [
  'memberships',
  'agents',
  'api_keys',
  'capability_settings',
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
  'remote_connectors',
  'remote_snapshots',
  'wallets',
  'holds',
  'key_months',
  'ledger_postings',
  'ledger_entries',
  'reconciliations',
] as const satisfies readonly (keyof Database)[]

export type TenantTable = (typeof TENANT_TABLES)[number]
