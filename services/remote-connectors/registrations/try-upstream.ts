import type { Kysely } from 'kysely'
import type { Database } from '../../../lib/database/tables.ts'
import { forOrg } from '../../../lib/database/tenant.ts'
import type { Accounts } from '../../accounts/accounts.ts'
import type { Caller } from '../../identity/caller.ts'
import type { FixedHeaders } from '../fixed-headers.ts'
import type { RemoteConnector } from '../remote-connectors.ts'
import { askForTools } from '../snapshots/snapshot-service.ts'
import { unknownRegistration } from '../store/registration-rows.ts'
import { credentialProblem } from '../unavailable-reason.ts'
import type { RemoteCaller } from '../upstream/remote-caller.ts'
import { type ListOnce, TRY_DEADLINE_MS } from './list-once.ts'
import type { Authentication } from './register-remote.ts'

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
 * Lists the tools of a registration as they would be listed after a change, unless that needs a sign-in first. Throws
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

  return async function tryUpstream(before: RemoteConnector, moved: Moved, { userId }: Caller) {
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
}
