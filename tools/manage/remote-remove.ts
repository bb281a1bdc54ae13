import { Type } from '@sinclair/typebox'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'
import { type ManagedRemotes, Slug } from './managed-remote.ts'

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
