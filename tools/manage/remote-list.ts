import { Type } from '@sinclair/typebox'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'
import type { OperatorCommands } from '../../services/operator/operator-commands.ts'
import { ManagedRemote, type ManagedRemotes, managedRemote } from './managed-remote.ts'

/** `manage__remote_list`: the upstream MCP servers that the organization has registered. */
export function remoteList(remotes: Pick<ManagedRemotes, 'list'>, commands: OperatorCommands): AnyTool {
  return defineTool({
    name: 'manage__remote_list',
    title: 'List registered MCP servers',
    description:
      'List the MCP servers that the organization has registered, with their status, the number and date of their pinned ' +
      'tools, and the next step if they do not work yet. Admins also see the rejected tools with the reasons, and ' +
      'whether later tools of the server wait for them (pending). API keys are accepted.',
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
