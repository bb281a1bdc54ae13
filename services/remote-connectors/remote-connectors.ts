import type { Actor } from '../../lib/audit/audit.ts'
import type { RegisterRemoteRequest, SnapshotChanges } from '../../schemas/remote.ts'
import type { Account } from '../accounts/account.ts'
import type { Caller } from '../identity/caller.ts'
import type { Registration } from './registration.ts'
import type { StoredSnapshot } from './snapshots/snapshot.ts'

/** A registered upstream with all that its entry and its tools are made of, read together. */
export interface RemoteConnector {
  readonly registration: Registration
  /** Holds the credential; undefined for mode `none`, and while the authorization is pending. */
  readonly account: Account | undefined
  /** What is served; undefined before the first one. */
  readonly snapshot: StoredSnapshot | undefined
  /** How many of the snapshot's tools, the last ones, are not listed: the organization's tool list has no room for them. */
  readonly leftOut: number
}

/** An authorization of an upstream that waits for the person. */
export interface StartedAuthorization {
  readonly authorizationUrl: string
  readonly state: string
}

/** A registration that was given another token; `unchecked`: why the upstream did not say whether it accepts it. */
export interface SetTokenResult extends RemoteConnector {
  readonly unchecked?: string
}

/** The upstream MCP servers that organizations have registered (spec.md, Remote MCP connectors; decisions.md). */
export interface RemoteConnectors {
  /** All of an organization, by slug, the hidden ones too. */
  list(orgId: string): Promise<readonly RemoteConnector[]>
  /** The one of a slug. */
  find(orgId: string, slug: string): Promise<RemoteConnector | undefined>
  /**
   * Registers an upstream and takes its first snapshot, unless that waits for an authorization; it stays where that
   * fails. Throws admin_required, invalid_upstream_url, slug_taken, oauth_discovery_failed, oauth_registration_failed,
   * and invalid_request for what a registration cannot be, and for one too many.
   */
  register(caller: Caller, request: RegisterRemoteRequest, origin: string): Promise<RemoteConnector>
  /**
   * Takes another snapshot and serves it. Throws admin_required, UnknownRemote, cooldown
   * within 30 s of the last one, and snapshot_failed, which leaves the one before in place: also where the tools do not fit into the list.
   */
  refresh(caller: Caller, slug: string): Promise<{ remote: RemoteConnector; changes: SnapshotChanges }>
  /** Removes a registration with its snapshots, credentials and cached copies. Throws admin_required and UnknownRemote. */
  remove(caller: Caller, slug: string): Promise<void>
  /** Hides the tools of a registration from the organization, or shows them again. Throws UnknownRemote, and invalid_request where the organization's tool list has no room for them. */
  setHidden(orgId: string, slug: string, hidden: boolean, by: Actor): Promise<void>
  /** Begins the authorization of an upstream of mode `oauth`. Throws invalid_request and what discovery throws. */
  beginAuthorization(request: { caller: Caller; slug: string; redirectUri: string }): Promise<StartedAuthorization>
  /**
   * Ends an authorization with the callback as it came, stores the grant and takes a snapshot where there is none. Throws
   * connect_failed.
   */
  finishAuthorization(answer: {
    caller: Caller
    by?: Actor
    callback: string | URLSearchParams
  }): Promise<RemoteConnector>
  /**
   * Gives an upstream of mode `bearer` or `header` another value, once it was tried there. Throws UnknownRemote, and
   * invalid_request for another mode and for a value that the upstream refuses: what it had before is kept then.
   */
  setToken(orgId: string, slug: string, value: string, by: Actor): Promise<SetTokenResult>
}
