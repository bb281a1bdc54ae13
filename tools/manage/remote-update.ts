import { Type } from '@sinclair/typebox'
import { OverrideChanges } from '../../schemas/remote-overrides.ts'
import { UpdateRemoteRequest } from '../../schemas/remote-requests.ts'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'
import type { OperatorCommands } from '../../services/operator/operator-commands.ts'
import { requirePerson } from '../../services/remote-connectors/require-remote.ts'
import {
  ManagedRemote,
  type ManagedRemotes,
  managedRemote,
  Refresh,
  Slug,
  UPSTREAM_DEADLINE_MS,
} from './managed-remote.ts'
import { Auth, refusedSecret } from './remote-add.ts'

const { name, upstream_url } = UpdateRemoteRequest.properties
const NOTHING = 'Send at least one of `name`, `upstream_url`, `auth`, `refresh` and `overrides`.'

/** `manage__remote_update`: changes a registered MCP server. */
export function remoteUpdate(remotes: Pick<ManagedRemotes, 'update'>, commands: OperatorCommands): AnyTool {
  return defineTool({
    name: 'manage__remote_update',
    title: 'Change a registered MCP server',
    description:
      'Change the name, URL, authentication or refresh mode of a registered MCP server, or what its tools are listed as ' +
      '(overrides: title, description, hidden, fixed arguments, class). A new URL is tried first; the tools ' +
      'there are pinned unless a change is risky, and otherwise wait (pending). At another origin the server needs another ' +
      'credential: this tool can set auth to none or oauth, an admin sends tokens by PATCH /connectors/org/SLUG. Ask the ' +
      'user before you change a URL. Requires an owner or admin; API keys are accepted.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    gate: 'admin',
    deadlineMs: UPSTREAM_DEADLINE_MS,
    input: Type.Object(
      {
        slug: Slug,
        name,
        upstream_url,
        auth: Type.Optional(Auth),
        refresh: Type.Optional(Refresh),
        overrides: Type.Optional(OverrideChanges),
      },
      { additionalProperties: false },
    ),
    output: ManagedRemote,

    refuse: (args, check) => refusedSecret(args) ?? check(args) ?? (changesNothing(args) ? NOTHING : undefined),

    async run({ slug, ...request }, { caller, identity, origin }) {
      if (request.auth !== undefined) requirePerson(identity)
      const remote = await remotes.update(caller, slug, request, origin)
      const entry = managedRemote(remote, { caller, origin }, commands)
      const waiting =
        entry.pending === undefined
          ? undefined
          : `Its current tools wait for an admin: preview them with manage__remote_refresh.`
      const failed = remote.snapshotFailure && `${remote.snapshotFailure} The tools stay pinned as before.`
      return structured(entry, [`Changed ${entry.name}.`, waiting, failed, entry.next_step].filter(Boolean).join(' '))
    },
  })
}

function changesNothing(args: unknown): boolean {
  return Object.keys(args as object).length < 2
}
