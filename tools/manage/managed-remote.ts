import { type Static, Type } from '@sinclair/typebox'
import { RejectedFields, RemoteConnectorEntry, SLUG } from '../../schemas/remote.ts'
import { PendingFields } from '../../schemas/remote-refresh.ts'
import { StringEnum } from '../../schemas/string-enum.ts'
import type { ToolContext } from '../../services/definitions/define-tool.ts'
import { isAdmin } from '../../services/identity/caller.ts'
import type { OperatorCommands } from '../../services/operator/operator-commands.ts'
import type { RemoteConnector, RemoteConnectors } from '../../services/remote-connectors/remote-connectors.ts'
import {
  changedOverridesField,
  pendingFields,
  rejectedFields,
  toRemoteEntry,
} from '../../services/remote-connectors/to-remote-entry.ts'
import { nextStep } from '../../services/remote-connectors/unavailable-reason.ts'

/** The operations on registrations that the manage tools use. */
export type ManagedRemotes = Pick<RemoteConnectors, 'list' | 'register' | 'update' | 'refresh' | 'pending' | 'remove'>

/** The argument that names a registration. */
export const Slug = Type.String({ pattern: SLUG, description: 'The server’s id, as manage__remote_list returns it.' })

/** The argument that sets the refresh mode. */
export const Refresh = StringEnum(['manual', 'harmless'], {
  description:
    'manual (default): the pinned tools change only by a refresh. harmless: the gateway looks for changes periodically and ' +
    'pins those without risk; the others wait for an admin.',
})

/** The deadline of a tool that takes a snapshot. The snapshot has a shorter one, with a specific error. */
export const UPSTREAM_DEADLINE_MS = 55_000

/** A registration in a tool's result: its catalog entry and what the entry omits. */
export const ManagedRemote = Type.Object(
  {
    ...RemoteConnectorEntry.properties,
    hidden: Type.Boolean({ description: 'Whether its tools are hidden from the organization.' }),
    ...Type.Partial(RejectedFields).properties,
    ...Type.Partial(PendingFields).properties,
    changed_overrides: Type.Optional(
      Type.Array(Type.String(), {
        description: 'The original names of tools that changed after an admin’s override was set.',
      }),
    ),
    next_step: Type.Optional(Type.String({ description: 'What must be done before all its tools work, and by whom.' })),
  },
  { additionalProperties: false },
)
export type ManagedRemote = Static<typeof ManagedRemote>

/** A registration as a member sees it. Only admins see the rejected and the pending tools. */
export function managedRemote(
  remote: RemoteConnector,
  { caller, origin }: Pick<ToolContext, 'caller' | 'origin'>,
  commands: OperatorCommands,
): ManagedRemote {
  const next = nextStep(remote, commands)
  return {
    ...toRemoteEntry(remote, origin),
    hidden: remote.registration.hidden,
    ...(isAdmin(caller) && remote.snapshot !== undefined && rejectedFields(remote)),
    ...(isAdmin(caller) && { ...pendingFields(remote.registration), ...changedOverridesField(remote) }),
    ...(next !== undefined && { next_step: next }),
  }
}
