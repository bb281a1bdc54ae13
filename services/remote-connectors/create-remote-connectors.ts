import type { Accounts } from '../accounts/accounts.ts'
import { createPendingAuthorizations } from '../connectors/connect/pending-authorizations.ts'
import type { Grants } from '../credentials/grants.ts'
import type { ManagedOauthClients } from '../credentials/oauth-clients.ts'
import type { TokenEndpoint } from '../credentials/token-endpoint.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { ServerInfo } from '../mcp/tool-list.ts'
import type { SurfaceVersions } from '../organizations/surface-versions.ts'
import { createAssertionKeys, createSignAssertion } from './assertions.ts'
import { createRemoteTools } from './calls/remote-tools.ts'
import { createFixedHeaders, type FixedHeaders } from './fixed-headers.ts'
import { createClientRegistration } from './oauth/client-registration.ts'
import { createDiscovery } from './oauth/discovery.ts'
import { type ClientToken, createClientToken, createRemoteAuthorizations } from './oauth/remote-authorizations.ts'
import { createToUpstreamUrl } from './registrations/check-request.ts'
import { createRemoteConnectMethods } from './registrations/connect-methods.ts'
import { createManageRemotes } from './registrations/manage-remote.ts'
import { createRegisterRemote } from './registrations/register-remote.ts'
import { createStoreCredential } from './registrations/store-credential.ts'
import { createListOnce, type ListOnce } from './registrations/try-upstream.ts'
import { createUpdateRemote } from './registrations/update-remote.ts'
import type { RemoteConnectors } from './remote-connectors.ts'
import { createRemoteOffers } from './resources/resources-and-prompts.ts'
import { defineAutomaticRefresh } from './snapshots/automatic-refresh.ts'
import { createPinnedValidators } from './snapshots/pinned-validators.ts'
import { createPinning } from './snapshots/pinning.ts'
import { createSnapshotService } from './snapshots/snapshot-service.ts'
import { createReadRemotes } from './store/read-remotes.ts'
import { createChangeRemotes } from './store/registration-rows.ts'
import { createSnapshotRows } from './store/snapshot-rows.ts'
import { createSurfaceRoom } from './store/surface-room.ts'
import { createRemoteEntries } from './to-remote-entry.ts'
import { createUpstreams } from './upstream/create-upstreams.ts'
import { createRemoteCaller } from './upstream/remote-caller.ts'
import { createRequests } from './upstream/requests.ts'
import type { Upstreams } from './upstream/upstream.ts'

interface RemoteConnectorsOptions
  extends Pick<Infrastructure, 'db' | 'clock' | 'ids' | 'log' | 'audit' | 'vault' | 'egress' | 'commands' | 'jobs'> {
  accounts: Pick<Accounts, 'insert' | 'reauthorized' | 'markConnected' | 'removeRemoteOf' | 'removeMembersOf'>
  grants: Pick<Grants, 'send' | 'store'>
  clients: Pick<ManagedOauthClients, 'ofGrant' | 'storeForRemote'>
  tokenEndpoint: Pick<TokenEndpoint, 'exchangeCode' | 'refresh'>
  versions: Pick<SurfaceVersions, 'recheck'>
  /** Replaces the client of all upstreams. `close` closes it too. */
  upstreams?: Upstreams
  /** How this gateway introduces itself to upstreams. */
  serverInfo: ServerInfo
  /** The time between two automatic snapshots of a registration, in milliseconds. */
  refreshEveryMs: number
  /** The public origin of the gateway, which is part of the issuer of assertions. */
  publicOrigin(): string
  /** The dashboard, where people sign in too; undefined without one. */
  dashboardUrl?: string | undefined
}

/** Composes the remote connectors: the registrations, their catalog entries and their tools. */
export function createRemoteConnectors(options: RemoteConnectorsOptions) {
  const { db, clock, log, vault, egress, grants, versions, serverInfo, commands } = options
  const { upstreams = createUpstreams({ egress, clock, serverInfo, log }) } = options
  const closing = new AbortController()
  const snapshotRows = createSnapshotRows()
  const room = createSurfaceRoom({ snapshots: snapshotRows })
  const reads = createReadRemotes({ db, clock, snapshots: snapshotRows, room })
  const validators = createPinnedValidators()
  const fixedHeaders = createFixedHeaders({ vault })
  const assertionKeys = createAssertionKeys(options)
  const signAssertion = createSignAssertion({ db, clock, keys: assertionKeys, origin: options.publicOrigin })
  const remoteCaller = createRemoteCaller({ grants, upstreams, fixedHeaders, signAssertion, commands })
  const changed = (orgId: string) => versions.recheck(orgId)
  const shared = {
    ...options,
    upstreams,
    remotes: reads,
    room,
    changed,
    change: createChangeRemotes(db, changed),
    storeCredential: createStoreCredential(options),
    fixedHeaders,
    clientToken: createClientToken(options),
    listOnce: createListOnce({ upstreams, signal: closing.signal }),
    signal: closing.signal,
  }
  const pinning = createPinning({ ...shared, snapshots: snapshotRows })
  const snapshotService = createSnapshotService({ ...shared, pinning, remoteCaller })
  defineAutomaticRefresh(options.jobs, { ...shared, snapshotService })

  return {
    remotes: createRemotes({ ...shared, pinning, remoteCaller, snapshotService, validators, snapshots: snapshotRows }),
    entries: createRemoteEntries(reads),
    assertionKeys: assertionKeys.published,
    tools: createRemoteTools({
      remotes: reads,
      remoteCaller,
      validators,
      vault,
      clock,
      commands,
      log,
    }),

    offers: createRemoteOffers({ remotes: reads, remoteCaller, commands, log }),

    /** Aborts the snapshots that are being taken and closes the client of the upstreams. */
    async close() {
      closing.abort()
      await upstreams.close()
    },
  }
}

interface RemotesOptions extends RemoteConnectorsOptions {
  upstreams: Upstreams
  remotes: ReturnType<typeof createReadRemotes>
  room: ReturnType<typeof createSurfaceRoom>
  changed(orgId: string): void
  change: ReturnType<typeof createChangeRemotes>
  storeCredential: ReturnType<typeof createStoreCredential>
  fixedHeaders: FixedHeaders
  clientToken: ClientToken
  listOnce: ListOnce
  snapshotService: ReturnType<typeof createSnapshotService>
  pinning: ReturnType<typeof createPinning>
  validators: ReturnType<typeof createPinnedValidators>
  snapshots: ReturnType<typeof createSnapshotRows>
  remoteCaller: ReturnType<typeof createRemoteCaller>
  signal: AbortSignal
}

function createRemotes(options: RemotesOptions): RemoteConnectors {
  const { db, clock, vault, egress, clients, tokenEndpoint, serverInfo } = options
  const pendingAuthorizations = createPendingAuthorizations({ db, clock, vault })
  const toUpstreamUrl = createToUpstreamUrl({ egress })
  const { register, authenticate } = createRegisterRemote({
    ...options,
    toUpstreamUrl,
    discovery: createDiscovery({ egress, requests: createRequests({ clientInfo: serverInfo }) }),
    clientRegistration: createClientRegistration({ egress, dashboardUrl: options.dashboardUrl }),
  })
  return {
    ...options.remotes,
    ...createRemoteConnectMethods({
      ...options,
      authorizations: createRemoteAuthorizations({ pendingAuthorizations, tokenEndpoint, clients }),
    }),
    ...createManageRemotes(options),
    register,
    update: createUpdateRemote({ ...options, toUpstreamUrl, authenticate }),
  }
}
