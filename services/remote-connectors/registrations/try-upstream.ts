import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../../../lib/database/tables.ts'
import { forOrg } from '../../../lib/database/tenant.ts'
import type { Accounts } from '../../accounts/accounts.ts'
import type { Credential } from '../../credentials/credential.ts'
import type { Caller } from '../../identity/caller.ts'
import type { FixedHeaders } from '../fixed-headers.ts'
import { grantConnectorOf, upstreamHeaders } from '../grant-connector.ts'
import { hasCredential, type Registration } from '../registration.ts'
import type { RemoteConnector } from '../remote-connectors.ts'
import { askForTools } from '../snapshots/snapshot-service.ts'
import { unknownRegistration } from '../store/registration-rows.ts'
import { credentialProblem } from '../unavailable-reason.ts'
import { withCredentialRedacted } from '../upstream/redact.ts'
import { redirectedUrl } from '../upstream/refusals.ts'
import type { RemoteCaller } from '../upstream/remote-caller.ts'
import type { Upstreams } from '../upstream/upstream.ts'
import type { Authentication } from './register-remote.ts'

interface Provided {
  /** Absent for mode `none`. */
  credential: Credential | undefined
  /** The fixed headers by name. */
  fixed: Readonly<Record<string, string>>
}

/**
 * Lists the tools of an upstream with a credential that is not stored, to try it. Neither an open breaker nor a session of
 * the registration affects the result. Throws UpstreamErrors, without the credential.
 */
export type ListOnce = (registration: Registration, provided: Provided) => Promise<unknown>

/** Short, because a snapshot follows in the same request, or an operator waits at a terminal. */
const TRY_DEADLINE_MS = 20_000

export function createListOnce({
  upstreams,
  signal,
}: {
  upstreams: Pick<Upstreams, 'listTools' | 'forget'>
  /** Aborts when the process stops. */
  signal: AbortSignal
}): ListOnce {
  return async function listOnce(registration, { credential, fixed }) {
    const { id, orgId, upstreamUrl: url, auth } = registration
    const key = randomUUID()
    const target = { orgId, id: `${id} ${key}`, url }
    const list = (headers: Readonly<Record<string, string>>) =>
      upstreams.listTools(target, { headers, key }, { signal, deadlineMs: TRY_DEADLINE_MS })
    try {
      if (credential === undefined || !hasCredential(auth)) return await list({})
      const headers = { ...fixed, ...upstreamHeaders(grantConnectorOf(registration, auth), credential) }
      return await withCredentialRedacted(credential, () => list(headers), fixed)
    } finally {
      upstreams.forget(target)
    }
  }
}

/** The new server of a registration, or the new way to authenticate to it. */
export interface Moved extends Authentication {
  upstreamUrl: string
  /** Whether the request has the credential. Otherwise the stored one stays, at the same origin. */
  isGiven: boolean
}

export interface TryUpstreamOptions {
  db: Kysely<Database>
  accounts: Pick<Accounts, 'markConnected'>
  remoteCaller: Pick<RemoteCaller, 'listTools'>
  listOnce: ListOnce
  fixedHeaders: Pick<FixedHeaders, 'seal'>
  /** Aborts when the process stops. */
  signal: AbortSignal
}

/**
 * Lists the tools of a registration as they would be listed after a change, unless that needs a sign-in first. Returns the
 * change with the URL that listed them, after at most one redirect that only adds or removes a trailing slash. Throws
 * snapshot_failed, so that a wrong URL or key replaces none that works.
 */
export function createTryUpstream({ db, accounts, remoteCaller, listOnce, fixedHeaders, signal }: TryUpstreamOptions) {
  const bounds = { signal, deadlineMs: TRY_DEADLINE_MS }

  /** With the stored credential, or with an assertion, which needs none. */
  async function tryStored(remote: RemoteConnector): Promise<void> {
    const { registration, account } = remote
    const { orgId, slug } = registration
    if (credentialProblem(remote) !== undefined) return
    const list = () => remoteCaller.listTools(remote, bounds)
    try {
      await askForTools(registration, list, () => unknownRegistration(forOrg(db, orgId), slug))
    } catch (error) {
      // Another path rejecting the credential says nothing about the present one.
      if (account !== undefined) await accounts.markConnected(forOrg(db, orgId), account.id)
      throw error
    }
  }

  async function tryGiven(
    registration: RemoteConnector['registration'],
    { issued, headers: fixed = {} }: Pick<Authentication, 'issued' | 'headers'>,
  ): Promise<void> {
    const { orgId, slug } = registration
    const list = () => listOnce(registration, { credential: issued?.credential, fixed })
    await askForTools(registration, list, () => unknownRegistration(forOrg(db, orgId), slug))
  }

  async function tryAt(before: RemoteConnector, moved: Moved, { userId }: Caller): Promise<void> {
    const { upstreamUrl, auth, isGiven, headers } = moved
    const registration = { ...before.registration, upstreamUrl, auth }
    if (auth.mode === 'assertion') {
      const { headers: stored, ...rest } = registration
      const sealed = isGiven ? headers && fixedHeaders.seal(rest, headers) : stored
      const asserted = { ...rest, ...(sealed !== undefined && { headers: sealed }) }
      // A registration that had a credential was read without the member whom the assertion names.
      return tryStored({ ...before, registration: asserted, account: undefined, userId })
    }
    if (!isGiven && auth.mode !== 'none') return tryStored({ ...before, registration })
    if (auth.mode === 'none' || moved.issued !== undefined) return tryGiven(registration, moved)
  }

  return async function tryUpstream(before: RemoteConnector, moved: Moved, caller: Caller): Promise<Moved> {
    try {
      await tryAt(before, moved, caller)
      return moved
    } catch (error) {
      const upstreamUrl = redirectedUrl(moved.upstreamUrl, error)
      if (upstreamUrl === undefined) throw error
      const redirected = { ...moved, upstreamUrl }
      await tryAt(before, redirected, caller)
      return redirected
    }
  }
}
