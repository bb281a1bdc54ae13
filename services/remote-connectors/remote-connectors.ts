import type { Actor } from '../../lib/audit/audit.ts'
import type { RegisterRemoteRequest, SnapshotChanges, UpdateRemoteRequest } from '../../schemas/remotes/remote.ts'
import type { Account } from '../accounts/account.ts'
import type { Caller } from '../identity/caller.ts'
import type { Registration } from './registration.ts'
import type { StoredSnapshot } from './snapshot.ts'

/** A registered upstream with the data behind its catalog entry and its tools, from one read. */
export interface RemoteConnector {
  readonly registration: Registration
  /**
   * The account that holds the credential: the organization's or, per member, that of the member who asks. Undefined for
   * the modes `none` and `assertion`, while the authorization is pending, and per member if no member asks.
   */
  readonly account: Account | undefined
  /** The member who asks, whose own credential `account` is; only if the upstream sees who calls. */
  readonly userId?: string
  /** The agent that calls for the member. */
  readonly agentId?: string
  /** The snapshot that is served; undefined before the first. */
  readonly snapshot: StoredSnapshot | undefined
  /** How many of the snapshot's last tools are not listed because the organization's tool list is full. */
  readonly leftOut: number
  /** Why the first snapshot failed; only in the answer of the operation that took it. */
  readonly snapshotFailure?: string
}

/** A pending authorization: open the URL in a browser to continue. */
export interface StartedAuthorization {
  readonly authorizationUrl: string
  readonly state: string
}

/** What a refresh brought. */
interface RefreshResult extends TakenSnapshot {
  readonly remote: RemoteConnector
}

/** A snapshot that was taken. */
export interface TakenSnapshot {
  /** What changed from the snapshot that was served before. */
  readonly changes: SnapshotChanges
  /** Whether it is served. */
  readonly applied: boolean
  readonly hash: string
}

/** The snapshot that waits for an admin, and what it changes of the served one. */
export interface WaitingSnapshot {
  readonly changes: SnapshotChanges
  readonly snapshot: StoredSnapshot
}

/** A registration with its new token. `unchecked` is why the gateway could not check the token at the upstream. */
interface SetTokenResult extends RemoteConnector {
  readonly unchecked?: string
}

/** The upstream MCP servers that organizations have registered (docs/remote-connectors.md). */
export interface RemoteConnectors {
  /** All registrations of an organization, by slug, including hidden ones, as a member sees their credentials. */
  list(orgId: string, userId?: string): Promise<readonly RemoteConnector[]>
  /** The registration of a slug, as a member sees its credential. */
  find(orgId: string, slug: string, userId?: string): Promise<RemoteConnector | undefined>
  /**
   * Registers an upstream and takes its first snapshot, unless an authorization is pending. A failed snapshot does not
   * undo the registration. Throws admin_required, invalid_upstream_url, slug_taken, oauth_discovery_failed,
   * oauth_registration_failed, and invalid_request for an invalid request and above the maximum number of registrations.
   */
  register(caller: Caller, request: RegisterRemoteRequest, origin: string): Promise<RemoteConnector>
  /**
   * Changes a registration. A new URL or credential is tried first, then a new snapshot is taken by the rules of
   * `refresh`. A new origin requires its own credential. Throws admin_required, UnknownRemote, invalid_request,
   * invalid_upstream_url, snapshot_failed, oauth_discovery_failed and oauth_registration_failed, and then changes nothing.
   */
  update(caller: Caller, slug: string, request: UpdateRemoteRequest, origin: string): Promise<RemoteConnector>
  /**
   * Takes a new snapshot and serves it if none of its changes is risky; otherwise it waits for an admin. A preview serves
   * nothing. `accept` serves the waiting snapshot of this hash, without a request to the upstream. Throws admin_required,
   * UnknownRemote, cooldown within 30 s of the last refresh, preview_expired for a hash that does not wait (any more),
   * and snapshot_failed, also if the tools do not fit into the organization's list. The previous snapshot then stays.
   */
  refresh(caller: Caller, slug: string, how?: { preview?: boolean } | { accept: string }): Promise<RefreshResult>
  /** The snapshot that waits for an admin; undefined if none waits. */
  pending(remote: RemoteConnector): Promise<WaitingSnapshot | undefined>
  /**
   * Confirms the hints of the pinned tools: `readOnlyHint` and `destructiveHint` then say what a tool does. Throws
   * admin_required, UnknownRemote, and preview_expired if the pinned tools have another hash.
   */
  confirm(caller: Caller, slug: string, hash: string): Promise<RemoteConnector>
  /** Removes a registration with its snapshots, credentials and cached data. Throws admin_required and UnknownRemote. */
  remove(caller: Caller, slug: string): Promise<void>
  /**
   * Hides the tools of a registration from the organization, or shows them again. Throws UnknownRemote, and
   * invalid_request if the organization's tool list has no room for them.
   */
  setHidden(orgId: string, slug: string, hidden: boolean, by: Actor): Promise<void>
  /**
   * Starts the authorization of an upstream of mode `oauth`: by an admin for the organization, or by any member for
   * themselves. Throws admin_required, UnknownRemote, and invalid_request for another mode.
   */
  beginAuthorization(request: { caller: Caller; slug: string; redirectUri: string }): Promise<StartedAuthorization>
  /** Completes an authorization: stores the grant and takes a first snapshot if there is none. Throws connect_failed. */
  finishAuthorization(answer: {
    caller: Caller
    by?: Actor
    callback: string | URLSearchParams
  }): Promise<RemoteConnector>
  /**
   * Replaces the credential of an upstream of mode `bearer` or `header` after trying it there: the organization's or, per
   * member, that of `userId` (of `by` if absent). Throws UnknownRemote, and invalid_request for another mode, without a
   * member and for a rejected credential. The previous credential then stays.
   */
  setToken(orgId: string, slug: string, value: string, by: Actor, userId?: string): Promise<SetTokenResult>
  /** The same for the caller: per member their own credential, otherwise the organization's as an admin. */
  connectWithKey(caller: Caller, slug: string, key: string): Promise<SetTokenResult>
  /**
   * Removes the caller's own credential, if there is one, and enqueues the revocation of its grant. Throws UnknownRemote,
   * and invalid_request for a credential of the organization.
   */
  disconnect(caller: Caller, slug: string): Promise<void>
}
