import type { Kysely } from 'kysely'
import type { Audit } from '../../lib/audit/audit.ts'
import type { Settings } from '../../lib/configuration/settings.ts'
import type { DatabaseEvents } from '../../lib/database/events.ts'
import type { Database } from '../../lib/database/tables.ts'
import type { Egress } from '../../lib/egress/egress.ts'
import type { Jobs } from '../../lib/jobs/jobs.ts'
import type { Vault } from '../../lib/vault/vault.ts'
import type { IdSource } from '../../schemas/ids.ts'
import type { Logger } from '../../schemas/log.ts'
import type { Clock } from '../../schemas/time.ts'
import { createAccounts } from '../accounts/accounts.ts'
import type { Artifacts } from '../artifacts/artifacts.ts'
import { createGrants } from '../credentials/grants.ts'
import { createOauthClients } from '../credentials/oauth-clients.ts'
import { createTokenEndpoint } from '../credentials/token-endpoint.ts'
import type { ConnectorDefinition } from '../definitions/define-connector.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import type { SurfaceVersions } from '../organizations/surface-versions.ts'
import { createConnecting } from './connect/connecting.ts'
import { requireKnownConnectors } from './connect/require-connectors.ts'
import { createRevocation } from './connect/revocation.ts'
import { createToolRunner } from './engine/create-tool-runner.ts'
import { createProviderCaller } from './engine/provider-caller.ts'
import { createIcons } from './icons.ts'
import { applyOverrides } from './overrides.ts'

interface ConnectorsOptions {
  /** All connectors of the catalog. */
  catalog: readonly ConnectorDefinition[]
  settings: Pick<Settings, 'connectors' | 'connectorOverrides' | 'oauthClients'>
  db: Kysely<Database>
  events: DatabaseEvents
  clock: Clock
  ids: IdSource
  log: Logger
  audit: Audit
  jobs: Jobs
  vault: Vault
  egress: Egress
  artifacts: Artifacts
  versions: SurfaceVersions
  /** The holder of a lease as operators see it: host and process. */
  owner: string
  commands: OperatorCommands
}

/** The composed services of connectors: the catalog, the accounts and the engine. */
export type Connectors = ReturnType<typeof createConnectors>

/** Throws InvalidConfiguration if the settings name a connector that is not in the catalog. */
export function createConnectors(options: ConnectorsOptions) {
  const { settings, db, events, clock, ids, log, audit, jobs, vault, egress, artifacts, versions, owner, commands } =
    options
  const { known, offered, leftOut } = selectConnectors(options)
  const changed = (orgId: string) => versions.recheck(orgId)

  const clients = createOauthClients({ db, events, clock, vault, audit, commands, platform: settings.oauthClients })
  const tokenEndpoint = createTokenEndpoint({ egress, clock })
  const { enqueue: enqueueRevocation } = createRevocation({
    jobs,
    vault,
    egress,
    clients,
    connectorOf: id => known.get(id),
    clock,
    log,
  })
  const accounts = createAccounts({ db, clock, ids, audit, commands, enqueueRevocation, changed })
  const { markNeedsReauth, markConnected } = accounts
  const renewal = { tokenEndpoint, markNeedsReauth, markConnected, enqueueRevocation, owner, commands }
  const grants = createGrants({ db, events, clock, log, vault, clients, ...renewal })
  const providerCaller = createProviderCaller({ egress, clock, log })
  const connect = { accounts, grants, clients, tokenEndpoint, providerCaller, connectors: offered, leftOut, changed }

  return {
    known,
    offered,
    leftOut,
    icons: createIcons([...known.values()]),
    accounts,
    oauthClients: clients,
    grants,
    tokenEndpoint,
    connecting: createConnecting({ db, clock, vault, egress, commands, ...connect }),
    runner: createToolRunner({ egress, grants, artifacts, clients, commands, clock, log }),
    close: () => grants.close(),
  }
}

/** The connectors of the catalog with the operator's overrides, by ID: all of them, and which of them are offered. */
function selectConnectors({ catalog, settings }: Pick<ConnectorsOptions, 'catalog' | 'settings'>) {
  requireKnownConnectors(settings, catalog)
  const { connectorOverrides, connectors } = settings
  const known = new Map(
    catalog.map(connector => [connector.id, applyOverrides(connector, connectorOverrides.get(connector.id) ?? {})]),
  )
  const offered = new Map([...known].filter(([id]) => connectors?.includes(id) ?? true))
  return { known, offered, leftOut: new Set([...known.keys()].filter(id => !offered.has(id))) }
}
