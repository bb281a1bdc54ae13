import { remoteConnectCommand, remoteShowCommand } from '../credentials/operator-advice.ts'
import type { UnavailableReason } from '../tool-calls/registry.ts'
import type { Registration } from './registration.ts'
import type { RemoteConnector } from './remote-connectors.ts'
import { SURFACE_BOUND } from './surface-bound.ts'

/** Why all tools of a registration are unavailable, and what to do. */
interface RemoteUnavailableReason extends UnavailableReason {
  readonly reason: 'hidden' | 'authorization_pending' | 'needs_reauth' | 'no_snapshot' | 'surface_full'
}

/** Why the tools of a registration cannot be called, for every caller alike; undefined if they can. */
export function unavailableReason(remote: RemoteConnector): RemoteUnavailableReason | undefined {
  const { registration, snapshot } = remote
  const { name, hidden, snapshotRefusal } = registration
  if (hidden)
    return {
      reason: 'hidden',
      explanation: `The tools of ${name} are hidden from your organization. The operator can show them: ${remoteShowCommand(registration)}`,
    }
  const credential = credentialReason(remote)
  if (credential !== undefined) return credential
  if (snapshot === undefined && snapshotRefusal) return { reason: 'surface_full', explanation: snapshotRefusal }
  if (snapshot === undefined)
    return {
      reason: 'no_snapshot',
      explanation: `The tools of ${name} are not known yet. An admin calls manage__remote_refresh, which reports why.`,
    }
  return undefined
}

/**
 * Why the tools of a registration are not listed; undefined if they are. Tools whose credential was rejected stay listed,
 * and their calls say what to do.
 */
export function unlistedReason(remote: RemoteConnector): RemoteUnavailableReason | undefined {
  const unavailable = unavailableReason(remote)
  return unavailable?.reason === 'needs_reauth' && remote.snapshot !== undefined ? undefined : unavailable
}

/** Why the last tools of a registration are not listed; undefined if all are. */
export function leftOutReason({ registration, leftOut }: RemoteConnector): RemoteUnavailableReason | undefined {
  if (leftOut === 0) return undefined
  const { name } = registration
  return {
    reason: 'surface_full',
    explanation: `The last ${leftOut === 1 ? 'tool' : `${leftOut} tools`} of ${name} ${leftOut === 1 ? 'is' : 'are'} not listed: your organization's tool list is limited to ${SURFACE_BOUND}. Remove or hide a registered server to make room.`,
  }
}

/** Why the credential of a registration does not work, as far as is known; undefined if it does or none is needed. */
export function credentialReason({
  registration,
  account,
}: Pick<RemoteConnector, 'registration' | 'account'>): RemoteUnavailableReason | undefined {
  if (registration.auth.mode === 'none') return undefined
  if (account === undefined) return pendingReason(registration)
  if (account.status !== 'needs_reauth') return undefined
  return {
    reason: 'needs_reauth',
    explanation: `${registration.name} no longer accepts its credential. The operator renews it: ${remoteConnectCommand(registration)}`,
  }
}

/** The reason of a registration that has no credential yet. */
export function pendingReason(registration: Registration): RemoteUnavailableReason {
  const { name, auth } = registration
  const waits =
    auth.mode === 'oauth'
      ? 'waits for its authorization. The operator completes it'
      : 'waits for a token. The operator provides it'
  return { reason: 'authorization_pending', explanation: `${name} ${waits}: ${remoteConnectCommand(registration)}` }
}
