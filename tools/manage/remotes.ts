import { type Static, Type } from '@sinclair/typebox'
import { StringEnum } from '../../schemas/primitives/string-enum.ts'
import { PendingFields } from '../../schemas/remotes/refresh.ts'
import { RejectedFields, RemoteConnectorEntry, SLUG } from '../../schemas/remotes/remote.ts'
import { type AnyTool, defineTool, structured, type ToolContext } from '../../services/definitions/define-tool.ts'
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
export const Slug = Type.String({ pattern: SLUG, description: 'The server’s ID, from manage__remote_list.' })

/** The argument that sets the refresh mode. */
export const Refresh = StringEnum(['manual', 'harmless'], {
  description:
    'manual (default): the pinned tools change only when refreshed. harmless: the gateway checks periodically and ' +
    'pins changes without risk; risky changes wait for an admin.',
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
    next_step: Type.Optional(Type.String({ description: 'What must be done, and by whom, before all tools work.' })),
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

/** `manage__remote_list`: the upstream MCP servers that the organization has registered. */
export function remoteList(remotes: Pick<ManagedRemotes, 'list'>, commands: OperatorCommands): AnyTool {
  return defineTool({
    name: 'manage__remote_list',
    title: 'List registered MCP servers',
    description:
      'List the MCP servers that the organization has registered, with their status, the number and date of their ' +
      'pinned tools, and the next step if they do not work yet. Admins also see rejected tools with reasons, and ' +
      'whether newer tools await their review (pending). API keys are accepted.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: Type.Object({}, { additionalProperties: false }),
    output: Type.Object({ connectors: Type.Array(ManagedRemote) }),

    async run(_nothing, context) {
      const { orgId, userId } = context.caller
      const list = await remotes.list(orgId, userId)
      return structured({ connectors: list.map(remote => managedRemote(remote, context, commands)) })
    },
  })
}

/** `manage__remote_remove`: removes a registered MCP server. */
export function remoteRemove(remotes: Pick<ManagedRemotes, 'remove'>): AnyTool {
  return defineTool({
    name: 'manage__remote_remove',
    title: 'Remove a registered MCP server',
    description:
      'Remove a registered MCP server from the organization, with its tools and its stored credential, for every member. This ' +
      'cannot be undone; ask the user first. Requires an owner or admin; API keys are accepted.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    gate: 'admin',
    input: Type.Object({ slug: Slug }, { additionalProperties: false }),
    output: Type.Object({ id: Type.String() }),

    async run({ slug }, { caller }) {
      await remotes.remove(caller, slug)
      return structured({ id: slug }, `Removed ${slug}, with its tools and its credential.`)
    },
  })
}
