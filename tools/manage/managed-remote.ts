import { type Static, Type } from '@sinclair/typebox'
import { RejectedFields, RemoteConnectorEntry, SLUG } from '../../schemas/remote.ts'
import type { ToolContext } from '../../services/definitions/define-tool.ts'
import { isAdmin } from '../../services/identity/caller.ts'
import type { RemoteConnector, RemoteConnectors } from '../../services/remote-connectors/remote-connectors.ts'
import { rejectedFields, toRemoteEntry } from '../../services/remote-connectors/to-remote-entry.ts'
import { leftOutReason, unavailableReason } from '../../services/remote-connectors/unavailable-reason.ts'

/** The registered upstreams, as the tools that manage them need them. */
export type ManagedRemotes = Pick<RemoteConnectors, 'list' | 'register' | 'refresh' | 'remove'>

/** The argument that names a registration. */
export const Slug = Type.String({ pattern: SLUG, description: 'What manage__remote_list calls it: its id.' })

/** How long a tool may take that asks an upstream for all it has: that ends by itself before, and says why. */
export const UPSTREAM_DEADLINE_MS = 55_000

/** A registration as a tool answers it: its entry in the index, and what that leaves out. */
export const ManagedRemote = Type.Object(
  {
    ...RemoteConnectorEntry.properties,
    hidden: Type.Boolean({ description: 'Whether its tools are taken from the organization.' }),
    ...Type.Partial(RejectedFields).properties,
    next_step: Type.Optional(Type.String({ description: 'What is to be done before its tools work, and by whom.' })),
  },
  { additionalProperties: false },
)
export type ManagedRemote = Static<typeof ManagedRemote>

/** What a member sees of a registration; what was set aside is for admins. */
export function managedRemote(
  remote: RemoteConnector,
  { caller, origin }: Pick<ToolContext, 'caller' | 'origin'>,
): ManagedRemote {
  const unavailable = unavailableReason(remote) ?? leftOutReason(remote)
  return {
    ...toRemoteEntry(remote, origin),
    hidden: remote.registration.hidden,
    ...(isAdmin(caller) && remote.snapshot !== undefined && rejectedFields(remote)),
    ...(unavailable !== undefined && { next_step: unavailable.explanation }),
  }
}
