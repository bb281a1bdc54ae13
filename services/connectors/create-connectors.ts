import { forOrg } from '../../lib/database/tenant.ts'
import { createAccounts } from '../accounts/accounts.ts'
import type { Artifacts } from '../artifacts/artifacts.ts'
import { createGrants } from '../credentials/grants.ts'
import { createOauthClients } from '../credentials/oauth-clients.ts'
import { createTokenEndpoint } from '../credentials/token-endpoint.ts'
import type { ConnectorDefinition } from '../definitions/connector-types.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { SurfaceVersions } from '../organizations/surface-versions.ts'
import type { Converter } from '../web/converter.ts'
import { createConnecting } from './connect/connecting.ts'
import { recordRefusedResource } from './connect/refused-resource.ts'
import { requireKnownConnectors } from './connect/require-connectors.ts'
import { createRevocation } from './connect/revocation.ts'
import type { ConnectorSettings } from './connector-settings.ts'
import { createToolRunner } from './engine/create-tool-runner.ts'
import { createProviderCaller } from './engine/provider-caller.ts'
import { createIcons } from './icons.ts'
import { applyOverrides } from './overrides.ts'

interface ConnectorsOptions
  extends Pick<
    Infrastructure,
    'db' | 'events' | 'clock' | 'ids' | 'log' | 'audit' | 'jobs' | 'vault' | 'egress' | 'commands' | 'owner'
  > {
  /** All connectors of the catalog. */
  catalog: readonly ConnectorDefinition[]
  settings: ConnectorSettings
  artifacts: Artifacts
  converter: Converter
  versions: SurfaceVersions
}

/** The composed services of connectors: the catalog, the accounts and the engine. */
export type Connectors = ReturnType<typeof createConnectors>

/** Throws InvalidConfiguration if the settings name a connector that is not in the catalog. */
export function createConnectors(options: ConnectorsOptions) {
  const { settings, db, events, clock, ids, log, audit, jobs, vault } = options
  const { egress, artifacts, converter, versions, owner, commands } = options
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
  const grants = createGrants({
    db,
    events,
    clock,
    log,
    vault,
    clients,
    tokenEndpoint,
    owner,
    commands,
    markNeedsReauth,
    markConnected,
    enqueueRevocation,
    async recordRefusedResource(orgId, connector, tokenUrl) {
      await forOrg(db, orgId).transaction(org => recordRefusedResource(org, connector, tokenUrl))
      changed(orgId)
    },
  })
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
    runner: createToolRunner({ egress, grants, artifacts, converter, clients, commands, clock, log }),
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
