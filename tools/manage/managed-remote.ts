import { type Static, Type } from '@sinclair/typebox'
import { RejectedFields, RemoteConnectorEntry, SLUG } from '../../schemas/remote.ts'
import type { ToolContext } from '../../services/definitions/define-tool.ts'
import { isAdmin } from '../../services/identity/caller.ts'
import type { OperatorCommands } from '../../services/operator/operator-commands.ts'
import type { RemoteConnector, RemoteConnectors } from '../../services/remote-connectors/remote-connectors.ts'
import { rejectedFields, toRemoteEntry } from '../../services/remote-connectors/to-remote-entry.ts'
import { leftOutReason, unavailableReason } from '../../services/remote-connectors/unavailable-reason.ts'

/** The operations on registrations that the manage tools use. */
export type ManagedRemotes = Pick<RemoteConnectors, 'list' | 'register' | 'refresh' | 'remove'>

/** The argument that names a registration. */
export const Slug = Type.String({ pattern: SLUG, description: 'The server’s id, as manage__remote_list returns it.' })

/** The deadline of a tool that takes a snapshot. The snapshot has a shorter one, with a specific error. */
export const UPSTREAM_DEADLINE_MS = 55_000

/** A registration in a tool's result: its catalog entry and what the entry omits. */
export const ManagedRemote = Type.Object(
  {
    ...RemoteConnectorEntry.properties,
    hidden: Type.Boolean({ description: 'Whether its tools are hidden from the organization.' }),
    ...Type.Partial(RejectedFields).properties,
    next_step: Type.Optional(Type.String({ description: 'What must be done before all its tools work, and by whom.' })),
  },
  { additionalProperties: false },
)
export type ManagedRemote = Static<typeof ManagedRemote>

/** A registration as a member sees it. Only admins see the rejected tools. */
export function managedRemote(
  remote: RemoteConnector,
  { caller, origin }: Pick<ToolContext, 'caller' | 'origin'>,
  commands: OperatorCommands,
): ManagedRemote {
  const unavailable = unavailableReason(remote, commands) ?? leftOutReason(remote)
  return {
    ...toRemoteEntry(remote, origin),
    hidden: remote.registration.hidden,
    ...(isAdmin(caller) && remote.snapshot !== undefined && rejectedFields(remote)),
    ...(unavailable !== undefined && { next_step: unavailable.explanation }),
  }
}
