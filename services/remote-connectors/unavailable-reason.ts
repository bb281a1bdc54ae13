import { askOperator, type OperatorCommands } from '../operator/operator-commands.ts'
import type { UnavailableReason } from '../tool-calls/registry.ts'
import { hasCredential, isPerMember } from './registration.ts'
import type { RemoteConnector } from './remote-connectors.ts'
import { SURFACE_BOUND } from './surface-bound.ts'

/** Why all tools of a registration are unavailable, and what to do. */
interface RemoteUnavailableReason extends UnavailableReason {
  readonly reason: 'hidden' | 'authorization_pending' | 'needs_reauth' | 'no_snapshot' | 'surface_full'
}

/** Why the tools of a registration cannot be called by the member who asks; undefined if they can. */
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

/** A registration with its credential or that of the member who asks. */
type WithCredential = Pick<RemoteConnector, 'registration' | 'account' | 'userId'>

/** Why the last tools of a registration are not listed; undefined if all are. */
export function leftOutReason({ registration, leftOut }: RemoteConnector): RemoteUnavailableReason | undefined {
  if (leftOut === 0) return undefined
  const { name } = registration
  return {
    reason: 'surface_full',
    explanation: `The last ${leftOut === 1 ? 'tool' : `${leftOut} tools`} of ${name} ${leftOut === 1 ? 'is' : 'are'} not listed: your organization's tool list is limited to ${SURFACE_BOUND}. Remove or hide a registered server to make room.`,
  }
}

/** What must be done before all tools of a registration work, and by whom; undefined if they do. */
export function nextStep(remote: RemoteConnector, commands: OperatorCommands): string | undefined {
  return (unavailableReason(remote, commands) ?? leftOutReason(remote))?.explanation
}

/**
 * What is wrong with the credential of a registration, as far as is known; undefined if it works or none is needed, and
 * per member if no member asks.
 */
export function credentialProblem({
  registration,
  account,
  userId,
}: WithCredential): 'authorization_pending' | 'needs_reauth' | undefined {
  if (!hasCredential(registration.auth)) return undefined
  if (isPerMember(registration) && userId === undefined) return undefined
  if (account === undefined) return 'authorization_pending'
  return account.status === 'needs_reauth' ? 'needs_reauth' : undefined
}

/** Why the credential of a registration does not work, and what to do; undefined like credentialProblem. */
export function credentialReason(
  remote: WithCredential & Pick<RemoteConnector, 'snapshot'>,
  commands: OperatorCommands,
): RemoteUnavailableReason | undefined {
  const { registration, snapshot, userId } = remote
  const reason = credentialProblem(remote)
  if (reason !== 'needs_reauth') return reason && pendingReason(remote, commands)
  const renew = commands.advise.connectRemote(registration, userId)
  // Without a snapshot, the credential has never worked.
  const rejected = 'oauth' in registration.auth ? 'rejected its authorization' : 'rejected the token (HTTP 401)'
  const whose = isPerMember(registration) ? 'your' : 'its'
  const what = snapshot === undefined ? rejected : `no longer accepts ${whose} credential`
  return { reason, explanation: `${registration.name} ${what}. ${renew}` }
}

/** The reason of a registration that has no credential yet. */
export function pendingReason(
  { registration, userId }: Omit<WithCredential, 'account'>,
  commands: OperatorCommands,
): RemoteUnavailableReason {
  const { name, auth } = registration
  const connect = commands.advise.connectRemote(registration, userId)
  const what = auth.mode === 'oauth' ? 'authorization' : 'token'
  return {
    reason: 'authorization_pending',
    explanation: isPerMember(registration)
      ? `${name} needs your own ${what}, because each member connects their own. ${connect}`
      : `${name} waits for ${auth.mode === 'oauth' ? 'its' : 'a'} ${what}. ${connect}`,
  }
}
