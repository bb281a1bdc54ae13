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
  /** The client of all upstreams; closed with the registrations. */
  upstreams: Upstreams
  /** How upstreams are told who asks. */
  serverInfo: ServerInfo
}

/** The registered upstreams of all organizations, wired: they themselves, their tools and their entries in the index. */
export function createRemoteConnectors(options: RemoteConnectorsOptions) {
  const { db, clock, ids, log, audit, vault, egress, grants, clients, tokenEndpoint, versions } = options
  const { upstreams, serverInfo } = options
  const remoteCaller = createRemoteCaller({ grants, upstreams })
  const ending = new AbortController()
  const changed = (orgId: string) => versions.recheck(orgId)
  const change = createChangeRemotes(db, changed)
  const snapshots = createSnapshotRows()
  const room = createSurfaceRoom({ snapshots })
  const reads = createReadRemotes({ db, snapshots, room })
  const storeCredential = createStoreCredential(options)
  const snapshotService = createSnapshotService({
    db,
    clock,
    ids,
    log,
    audit,
    snapshots,
    remotes: reads,
    remoteCaller,
    room,
    change,
    signal: ending.signal,
  })
  const pendingAuthorizations = createPendingAuthorizations({ db, clock, vault })

  const remotes: RemoteConnectors = {
    ...reads,
    ...createRemoteConnectMethods({
      authorizations: createRemoteAuthorizations({ pendingAuthorizations, tokenEndpoint, clients }),
      storeCredential,
      tryCredential: createTryCredential({ upstreams, signal: ending.signal }),
      remotes: reads,
      snapshotService,
      change,
    }),
    register: createRegisterRemote({
      db,
      clock,
      ids,
      audit,
      clients,
      toUpstreamUrl: createToUpstreamUrl({ egress }),
      discovery: createDiscovery({ egress, requests: createRequests({ clientInfo: serverInfo }) }),
      clientRegistration: createClientRegistration({ egress }),
      storeCredential,
      snapshotService,
      change,
    }),
    refresh: createRefreshRemote({ db, clock, remotes: reads, snapshotService }),
    remove: createRemoveRemote({ db, audit, upstreams, changed }),
    setHidden: createHideRemote({ audit, change, room }),
  }

  return {
    remotes,
    entries: createRemoteEntries(reads),
    tools: createRemoteTools({ remotes: reads, remoteCaller, validators: createPinnedValidators(), vault, clock, log }),

    /** Ends the snapshots that are being taken, and lets go of the upstreams. */
    async close() {
      ending.abort()
      await upstreams.close()
    },
  }
}
