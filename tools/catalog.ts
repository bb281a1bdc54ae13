import type { Kysely } from 'kysely'
import type { Settings } from '../lib/configuration/settings.ts'
import type { Database } from '../lib/database/tables.ts'
import type { IdSource } from '../schemas/ids.ts'
import type { Clock } from '../schemas/time.ts'
import type { Wallets } from '../services/billing/wallets.ts'
import type { Connectors } from '../services/connectors/create-connectors.ts'
import { connectorTools } from '../services/definitions/connector-tool.ts'
import type { AnyTool } from '../services/definitions/define-tool.ts'
import type { ActiveOrganizations } from '../services/identity/active-organization.ts'
import type { UsageSummaries } from '../services/usage/usage-summary.ts'
import { accountsList } from './manage/accounts-list.ts'
import { accountsRemove } from './manage/accounts-remove.ts'
import { accountsRename } from './manage/accounts-rename.ts'
import type { ToolLookups } from './manage/explain.ts'
import { explainTool } from './manage/explain-tool.ts'
import type { ManagedRemotes } from './manage/managed-remote.ts'
import { remoteAdd } from './manage/remote-add.ts'
import { remoteList } from './manage/remote-list.ts'
import { remoteRefresh } from './manage/remote-refresh.ts'
import { remoteRemove } from './manage/remote-remove.ts'
import { switchOrg } from './manage/switch-org.ts'
import { usageSummary } from './manage/usage-summary.ts'
import { walletBalance } from './manage/wallet-balance.ts'
import { whoami } from './manage/whoami.ts'
import { memoryTools } from './memory/memory-tools.ts'

export interface CatalogOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  settings: Pick<Settings, 'memoryLimits'>
  activeOrganizations: ActiveOrganizations
  connectors: Pick<Connectors, 'offered' | 'accounts' | 'runner'>
  remotes: ManagedRemotes
  usageSummaries: Pick<UsageSummaries, 'summarizeFor'>
  wallets: Pick<Wallets, 'balance'>
  /** What `manage__explain_tool` needs to know of the tools, this catalogue's among them. */
  facts: Pick<ToolLookups, 'toolNamed' | 'switchedOff' | 'standingOf'>
}

/** Every tool: the built-in ones, and those of the connectors that are offered. */
export function catalog({
  db,
  clock,
  ids,
  settings,
  activeOrganizations,
  connectors,
  remotes,
  usageSummaries,
  wallets,
  facts,
}: CatalogOptions): AnyTool[] {
  const { offered, accounts, runner } = connectors
  return [
    ...memoryTools({ db, clock, ids, limits: settings.memoryLimits }),
    whoami(activeOrganizations),
    switchOrg(activeOrganizations),
    accountsList(accounts),
    accountsRename(accounts),
    accountsRemove(accounts),
    remoteAdd(remotes),
    remoteList(remotes),
    remoteRefresh(remotes),
    remoteRemove(remotes),
    usageSummary(usageSummaries),
    walletBalance(wallets),
    explainTool({ ...facts, visibleTo: accounts.visibleTo, connectorOf: id => offered.get(id) }),
    ...[...offered.values()].flatMap(connector => connectorTools(connector, runner)),
  ]
}
