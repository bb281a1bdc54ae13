import type { ToolServices } from '../services/create-services.ts'
import { connectorTools } from '../services/definitions/connector-tool.ts'
import type { AnyTool } from '../services/definitions/define-tool.ts'
import { defineMemoryIndex } from '../services/memory/search-index.ts'
import { CONNECTORS } from './connectors/catalog.ts'
import { filesUpload } from './files.ts'
import { accountsList, accountsRemove, accountsRename, accountsShare } from './manage/accounts.ts'
import { agentTools } from './manage/agents.ts'
import { explainTool } from './manage/explain-tool.ts'
import { keyTools } from './manage/keys.ts'
import { remoteRefresh } from './manage/remote-refresh.ts'
import { remoteAdd, remoteUpdate } from './manage/remote-registration.ts'
import { remoteList, remoteRemove } from './manage/remotes.ts'
import { switchOrg, whoami } from './manage/session.ts'
import { usageSummary, walletBalance } from './manage/spending.ts'
import { mediaTools } from './media/media-tools.ts'
import { memoryTools } from './memory.ts'
import { socialTools } from './social/social-tools.ts'
import { webTools } from './web/web-tools.ts'

/** Creates every tool, the built-in ones and those of the connectors that are offered, and defines their jobs. */
function createTools(services: ToolServices): AnyTool[] {
  const { db, clock, ids, memoryLimits, activeOrganizations, connectors, remotes, usageSummaries, wallets } = services
  const { commands } = services
  const { checkPolicy } = services.lookups
  const { offered, accounts, runner } = connectors
  defineMemoryIndex(services.jobs, services.database)
  return [
    ...memoryTools({ db, clock, ids, limits: memoryLimits }),
    filesUpload(services.uploads),
    whoami(activeOrganizations),
    switchOrg(activeOrganizations),
    accountsList(accounts),
    accountsRename(accounts),
    accountsShare(accounts),
    accountsRemove(accounts),
    ...agentTools(services.memberAgents, checkPolicy),
    ...keyTools({ ...services, checkPolicy }),
    remoteAdd(remotes, commands),
    remoteList(remotes, commands),
    remoteRefresh(remotes, commands),
    remoteRemove(remotes),
    remoteUpdate(remotes, commands),
    usageSummary(usageSummaries),
    walletBalance(wallets, commands),
    ...mediaTools(services.media),
    ...socialTools(services.social),
    ...webTools(services.web),
    explainTool({
      ...services.lookups,
      commands,
      visibleTo: accounts.visibleTo,
      connectorOf: id => offered.get(id),
      notConfigured: services.notConfigured,
    }),
    ...[...offered.values()].flatMap(connector => connectorTools(connector, runner)),
  ]
}

/** What this gateway offers: the options that `createServices` takes. */
export const CATALOG = { tools: createTools, connectors: CONNECTORS }
