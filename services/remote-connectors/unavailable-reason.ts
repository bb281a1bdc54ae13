import { remoteConnectCommand, remoteShowCommand } from '../credentials/operator-advice.ts'
import type { UnavailableReason } from '../tool-calls/registry.ts'
import type { Registration } from './registration.ts'
import type { RemoteConnector } from './remote-connectors.ts'
import { SURFACE_BOUND } from './snapshots/surface-bound.ts'

/** What stands between a registration and all of its tools, and who does what about it. */
export interface RemoteUnavailableReason extends UnavailableReason {
  readonly reason: 'hidden' | 'authorization_pending' | 'needs_reauth' | 'no_snapshot' | 'surface_full'
}

/** What stands between a registration and its tools, whoever asks; undefined where nothing does. */
export function unavailableReason(remote: RemoteConnector): RemoteUnavailableReason | undefined {
  const { registration, snapshot } = remote
  const { name, hidden } = registration
  if (hidden)
    return {
      reason: 'hidden',
      explanation: `The tools of ${name} are hidden from your organization. The operator shows them again: ${remoteShowCommand(registration)}`,
    }
  const credential = credentialReason(remote)
  if (credential !== undefined) return credential
  const { snapshotRefusal } = registration
  if (snapshot === undefined && snapshotRefusal) return { reason: 'surface_full', explanation: snapshotRefusal }
  if (snapshot === undefined)
    return {
      reason: 'no_snapshot',
      explanation: `${name} has not told its tools yet. An admin calls manage__remote_refresh, which says why.`,
    }
  return undefined
}

/** The same of its tools' being listed: where a credential has ended they stay, and their calls say what is to be done. */
export function unlistedReason(remote: RemoteConnector): RemoteUnavailableReason | undefined {
  const unavailable = unavailableReason(remote)
  return unavailable?.reason === 'needs_reauth' && remote.snapshot !== undefined ? undefined : unavailable
}

/** What keeps some tools of a registration out of the list, where others are listed. */
export function leftOutReason({ registration, leftOut }: RemoteConnector): RemoteUnavailableReason | undefined {
  if (leftOut === 0) return undefined
  const { name } = registration
  return {
    reason: 'surface_full',
    explanation: `The last ${leftOut === 1 ? 'tool' : `${leftOut} tools`} of ${name} are not listed: your organization's tool list is limited to ${SURFACE_BOUND}. Remove or hide a registered server to make room.`,
  }
}

/** What is wrong with the credential alone. */
export function credentialReason({
  registration,
  account,
}: Pick<RemoteConnector, 'registration' | 'account'>): RemoteUnavailableReason | undefined {
  if (registration.auth.mode === 'none') return undefined
  if (account === undefined) return pendingReason(registration)
  if (account.status !== 'needs_reauth') return undefined
  return {
    reason: 'needs_reauth',
    explanation: `${registration.name} takes its credential no more. The operator renews it: ${remoteConnectCommand(registration)}`,
  }
}

/** What is to be said of a registration that has no credential yet. */
export function pendingReason(registration: Registration): RemoteUnavailableReason {
  const { name, auth } = registration
  const waits =
    auth.mode === 'oauth' ? 'its authorization. The operator finishes it' : 'a token. The operator hands it in'
  return {
    reason: 'authorization_pending',
    explanation: `${name} waits for ${waits}: ${remoteConnectCommand(registration)}`,
  }
}
