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
import type { SurfaceVersions } from '../organizations/surface-versions.ts'
import { createConnecting } from './connect/connecting.ts'
import { createRevocation } from './connect/revocation.ts'
import { createToolRunner } from './engine/create-tool-runner.ts'
import { createProviderCaller } from './engine/provider-caller.ts'
import { createIcons } from './icons.ts'
import { applyOverrides } from './overrides.ts'
import { requireKnownConnectors } from './require-connectors.ts'

export interface ConnectorsOptions {
  /** Every connector there is. */
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
  /** What operators see as the holder of a lease. */
  owner: string
}

/** Everything about connectors: what is offered, the accounts of it, and how a tool acts with one. */
export type Connectors = ReturnType<typeof createConnectors>

/** Throws a ConfigurationError where the settings name a connector that is not in the catalogue. */
export function createConnectors(options: ConnectorsOptions) {
  const { catalog, settings, db, events, clock, ids, log, audit, jobs, vault, egress, artifacts, versions } = options
  requireKnownConnectors(settings, catalog)
  const known = new Map(
    catalog.map(connector => [
      connector.id,
      applyOverrides(connector, settings.connectorOverrides.get(connector.id) ?? {}),
    ]),
  )
  const offered = new Map([...known].filter(([id]) => settings.connectors?.includes(id) ?? true))
  const leftOut = new Set([...known.keys()].filter(id => !offered.has(id)))
  const changed = (orgId: string) => versions.recheck(orgId)

  const oauthClients = createOauthClients({ db, events, clock, vault, audit, platform: settings.oauthClients })
  const tokenEndpoint = createTokenEndpoint({ egress, clock })
  const { enqueue } = createRevocation({
    jobs,
    vault,
    egress,
    clients: oauthClients,
    connectorOf: id => known.get(id),
    clock,
    log,
  })
  const accounts = createAccounts({ db, clock, ids, audit, enqueueRevocation: enqueue, changed })
  const grants = createGrants({
    db,
    events,
    clock,
    log,
    vault,
    clients: oauthClients,
    tokenEndpoint,
    markNeedsReauth: accounts.markNeedsReauth,
    markConnected: accounts.markConnected,
    enqueueRevocation: enqueue,
    owner: options.owner,
  })
  const icons = createIcons([...known.values()])

  return {
    known,
    offered,
    leftOut,
    icons,
    accounts,
    oauthClients,
    grants,
    tokenEndpoint,
    connecting: createConnecting({
      db,
      clock,
      vault,
      egress,
      accounts,
      grants,
      clients: oauthClients,
      tokenEndpoint,
      providerCaller: createProviderCaller({ egress, clock, log }),
      connectors: offered,
      leftOut,
      changed,
    }),
    runner: createToolRunner({ egress, grants, artifacts, clients: oauthClients, clock, log }),
    close: () => grants.close(),
  }
}
