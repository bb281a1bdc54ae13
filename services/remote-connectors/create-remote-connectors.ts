import type { Kysely } from 'kysely'
import type { Audit } from '../../lib/audit/audit.ts'
import type { Database } from '../../lib/database/tables.ts'
import type { Egress } from '../../lib/egress/egress.ts'
import type { Vault } from '../../lib/vault/vault.ts'
import type { IdSource } from '../../schemas/ids.ts'
import type { Logger } from '../../schemas/log.ts'
import type { Clock } from '../../schemas/time.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { createPendingAuthorizations } from '../connectors/connect/pending-authorizations.ts'
import type { Grants } from '../credentials/grants.ts'
import type { ManagedOauthClients } from '../credentials/oauth-clients.ts'
import type { TokenEndpoint } from '../credentials/token-endpoint.ts'
import type { ServerInfo } from '../mcp/tool-list.ts'
import type { SurfaceVersions } from '../organizations/surface-versions.ts'
import { createRemoteCaller } from './calls/remote-caller.ts'
import { createRemoteTools } from './calls/remote-tools.ts'
import { createRemoteEntries } from './entries/remote-entries.ts'
import { createClientRegistration } from './oauth/client-registration.ts'
import { createDiscovery } from './oauth/discovery.ts'
import { createRemoteAuthorizations } from './oauth/remote-authorizations.ts'
import { createChangeRemotes } from './registrations/change-remotes.ts'
import { createRemoteConnectMethods } from './registrations/connect-methods.ts'
import { createHideRemote } from './registrations/hide-remote.ts'
import { createReadRemotes } from './registrations/read-remotes.ts'
import { createRefreshRemote } from './registrations/refresh-remote.ts'
import { createRegisterRemote } from './registrations/register-remote.ts'
import { createRemoveRemote } from './registrations/remove-remote.ts'
import { createStoreCredential } from './registrations/store-credential.ts'
import { createSurfaceRoom } from './registrations/surface-room.ts'
import { createTryCredential } from './registrations/try-credential.ts'
import { createToUpstreamUrl } from './registrations/upstream-url.ts'
import type { RemoteConnectors } from './remote-connectors.ts'
import { createPinnedValidators } from './snapshots/pinned-validators.ts'
import { createSnapshotRows } from './snapshots/snapshot-rows.ts'
import { createSnapshotService } from './snapshots/snapshot-service.ts'
import { createUpstreams } from './upstream/create-upstreams.ts'
import { createRequests } from './upstream/requests.ts'
import type { Upstreams } from './upstream/upstream.ts'

export interface RemoteConnectorsOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  log: Logger
  audit: Audit
  vault: Vault
  egress: Egress
  accounts: Pick<Accounts, 'insert' | 'reauthorized'>
  grants: Pick<Grants, 'send' | 'store'>
  clients: Pick<ManagedOauthClients, 'ofGrant' | 'storeForRemote'>
  tokenEndpoint: Pick<TokenEndpoint, 'exchangeCode'>
  versions: Pick<SurfaceVersions, 'recheck'>
  /** Replaces the client of all upstreams; closed with the registrations. */
  upstreams?: Upstreams
  /** How upstreams are told who asks. */
  serverInfo: ServerInfo
}

/** Creates the services for registered upstreams: their registrations, their tools, and their entries in the catalog. */
export function createRemoteConnectors(options: RemoteConnectorsOptions) {
  const { db, clock, ids, log, audit, vault, egress, grants, clients, tokenEndpoint, versions, serverInfo } = options
  const { upstreams = createUpstreams({ egress, clock, serverInfo, log }) } = options
  const remoteCaller = createRemoteCaller({ grants, upstreams })
  const ending = new AbortController()
  const { signal } = ending
  const changed = (orgId: string) => versions.recheck(orgId)
  const change = createChangeRemotes(db, changed)
  const snapshots = createSnapshotRows()
  const room = createSurfaceRoom({ snapshots })
  const reads = createReadRemotes({ db, snapshots, room })
  const changes = { db, clock, ids, audit, change, remotes: reads }
  const snapshotService = createSnapshotService({ ...changes, log, snapshots, remoteCaller, room, signal })
  const storeCredential = createStoreCredential(options)
  const pendingAuthorizations = createPendingAuthorizations({ db, clock, vault })

  const remotes: RemoteConnectors = {
    ...reads,
    ...createRemoteConnectMethods({
      ...changes,
      authorizations: createRemoteAuthorizations({ pendingAuthorizations, tokenEndpoint, clients }),
      storeCredential,
      tryCredential: createTryCredential({ upstreams, signal }),
      snapshotService,
    }),
    register: createRegisterRemote({
      ...changes,
      clients,
      toUpstreamUrl: createToUpstreamUrl({ egress }),
      discovery: createDiscovery({ egress, requests: createRequests({ clientInfo: serverInfo }) }),
      clientRegistration: createClientRegistration({ egress }),
      storeCredential,
      snapshotService,
    }),
    refresh: createRefreshRemote({ ...changes, snapshotService }),
    remove: createRemoveRemote({ db, audit, upstreams, changed }),
    setHidden: createHideRemote({ audit, change, room }),
  }

  return {
    remotes,
    entries: createRemoteEntries(reads),
    tools: createRemoteTools({ remotes: reads, remoteCaller, validators: createPinnedValidators(), vault, clock, log }),

    /** Ends the snapshots in progress, and closes the connections to the upstreams. */
    async close() {
      ending.abort()
      await upstreams.close()
    },
  }
}
