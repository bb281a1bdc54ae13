import { askOperator, type OperatorCommands } from '../operator/operator-commands.ts'
import type { UnavailableReason } from '../tool-calls/registry.ts'
import type { Registration } from './registration.ts'
import type { RemoteConnector } from './remote-connectors.ts'
import { SURFACE_BOUND } from './surface-bound.ts'

/** Why all tools of a registration are unavailable, and what to do. */
interface RemoteUnavailableReason extends UnavailableReason {
  readonly reason: 'hidden' | 'authorization_pending' | 'needs_reauth' | 'no_snapshot' | 'surface_full'
}

/** Why the tools of a registration cannot be called, for every caller alike; undefined if they can. */
export function unavailableReason(
  remote: RemoteConnector,
  commands: OperatorCommands,
): RemoteUnavailableReason | undefined {
  const { registration, snapshot, snapshotFailure } = remote
  const { name, slug, hidden, snapshotRefusal } = registration
  const refresh = `manage__remote_refresh or POST /connectors/org/${slug}/refresh`
  if (hidden)
    return {
      reason: 'hidden',
      explanation: `The tools of ${name} are hidden from your organization. ${askOperator(commands.showRemote(registration))}`,
    }
  const credential = credentialReason(remote, commands)
  if (credential !== undefined) return credential
  if (snapshot === undefined && snapshotRefusal) return { reason: 'surface_full', explanation: snapshotRefusal }
  if (snapshot === undefined)
    return {
      reason: 'no_snapshot',
      explanation:
        snapshotFailure === undefined
          ? `The tools of ${name} are not known yet. An admin refreshes them with ${refresh}, which reports why.`
          : `${snapshotFailure} To refresh its tools, an admin calls ${refresh}.`,
    }
  return undefined
}

/**
 * Whether the tools of a registration are listed. Tools whose credential was rejected stay listed, and their calls say
 * what to do.
 */
export function isListed(remote: RemoteConnector): boolean {
  const { registration, snapshot } = remote
  return !registration.hidden && snapshot !== undefined && credentialProblem(remote) !== 'authorization_pending'
}

/** Why the tools of a registration are not listed, and what to do; undefined if they are. */
export function unlistedReason(
  remote: RemoteConnector,
  commands: OperatorCommands,
): RemoteUnavailableReason | undefined {
  return isListed(remote) ? undefined : unavailableReason(remote, commands)
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

/** What is wrong with the credential of a registration, as far as is known; undefined if it works or none is needed. */
export function credentialProblem({
  registration,
  account,
}: Pick<RemoteConnector, 'registration' | 'account'>): 'authorization_pending' | 'needs_reauth' | undefined {
  if (registration.auth.mode === 'none') return undefined
  if (account === undefined) return 'authorization_pending'
  return account.status === 'needs_reauth' ? 'needs_reauth' : undefined
}

/** Why the credential of a registration does not work, and what to do; undefined like credentialProblem. */
export function credentialReason(
  remote: Pick<RemoteConnector, 'registration' | 'account' | 'snapshot'>,
  commands: OperatorCommands,
): RemoteUnavailableReason | undefined {
  const { registration, snapshot } = remote
  const reason = credentialProblem(remote)
  if (reason !== 'needs_reauth') return reason && pendingReason(registration, commands)
  const renew = askOperator(commands.connectRemote(registration))
  // Without a snapshot, the credential has never worked.
  const rejected = registration.auth.mode === 'oauth' ? 'rejected its authorization' : 'rejected the token (HTTP 401)'
  const what = snapshot === undefined ? rejected : 'no longer accepts its credential'
  return { reason, explanation: `${registration.name} ${what}. ${renew}` }
}

/** The reason of a registration that has no credential yet. */
export function pendingReason(registration: Registration, commands: OperatorCommands): RemoteUnavailableReason {
  const { name, auth } = registration
  const what = auth.mode === 'oauth' ? 'its authorization' : 'a token'
  return {
    reason: 'authorization_pending',
    explanation: `${name} waits for ${what}. ${askOperator(commands.connectRemote(registration))}`,
  }
}
