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
  WalletsTable,
} from './usage-tables.ts'

export type AgentStatus = 'active' | 'suspended' | 'retired'

export interface OrganizationsTable {
  id: string
  name: string
  created_at: Time
  /** Since when support has stopped what costs money; no top-up lifts it. */
  suspended_at: OptionalTime
}

export interface UsersTable {
  id: string
  email: string | null
  created_at: Time
}

/** The (issuer, subject) pairs that point at a user. */
export interface UserSubjectsTable {
  issuer: string
  subject: string
  user_id: string
  created_at: Time
}

/** The organization a user works in: by OAuth client, or under the empty client id as the default. */
export interface ActiveOrganizationsTable {
  user_id: string
  client_id: string
  org_id: string
  chosen_at: Time
}

/** A revoked membership stays, so that agents, keys and audit rows keep the member they name. */
export interface MembershipsTable {
  org_id: string
  user_id: string
  role: Role
  created_at: Time
  revoked_at: OptionalTime
}

export interface AgentsTable {
  org_id: string
  id: string
  owner_id: string
  name: string
  status: AgentStatus
  /** Suspended because its owner left: given to a new owner it works again. */
  orphaned: Generated<boolean>
  created_at: Time
}

export interface ApiKeysTable {
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
  /** What it may spend in a month (UTC), in micro-dollars; without an end when null. */
  monthly_cap_micros: ColumnType<number | null, number | null | undefined>
}

/** What is switched off or on: a family, a connector id, `org__<slug>` or one tool; of a member, or of all (user_id null). */
export interface CapabilitySettingsTable {
  org_id: string
  user_id: string | null
  capability: string
  enabled: boolean
  updated_at: Time
}

/** One row an organization: bumped by triggers whenever something changes that a tool surface is made of. */
export interface OrgSurfaceTable {
  org_id: string
  version: number
}

export interface MemoriesTable {
  org_id: string
  id: string
  user_id: string
  scope: MemoryScope
  memory: string
  /** Words and trigrams made in Node (tools/memory/search-text.ts), so that search depends on no locale and no extension. */
  search: string
  created_at: Time
  updated_at: Time
}

export interface UsageTable {
  org_id: string
  id: string
  at: Time
  user_id: string
  key_id: string | null
  agent_id: string | null
  tool: string
  account_id: string | null
  /** `ok`, `error` for a tool's own refusal, or a code of the error table. */
  outcome: string
  duration_ms: number
  cost_micros: number
}

export interface AuditTable {
  org_id: string
  id: string
  at: Time
  /** The user who did it; null for the operator at the command line and for jobs. */
  user_id: string | null
  /** `key.create`, `member.add`, … */
  action: string
  /** The id of what was changed. */
  target: string
  detail: Json
}

export interface IdempotencyTable {
  org_id: string
  /** Who holds the credential: a key id, or a user id for sessions. */
  holder: string
  tool: string
  key: string
  arguments_hash: string
  state: 'running' | 'done'
  /** Of a running call: until when its process answers for it. */
  lease_until: OptionalTime
  /** Of a finished call: `{v: 1, result}`, or without the result: `{v: 1, tooLarge}`, `{v: 1, dropped}`, `{v: 1, unsettled}`. */
  result: ColumnType<unknown, string | null | undefined, string | null>
  /** What the result counts as in the quotas; 0 where none is stored. */
  result_bytes: Generated<number>
  created_at: Time
}

export interface JobsTable {
  id: string
  kind: string
  payload: Json
  run_at: Time
  attempts: Generated<number>
  lease_owner: string | null
  lease_until: OptionalTime
  last_error: string | null
  /** At most one waiting job has this text: what a schedule is known by. */
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

/** The tables whose rows belong to one organization: each query on them names its org_id. */
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
