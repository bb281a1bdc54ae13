import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import { remoteCapability, wireName } from '../../../schemas/remote-names.ts'
import type { AnyTool } from '../../definitions/define-tool.ts'
import { noActiveOrg } from '../../identity/caller.ts'
import type { Registration } from '../registration.ts'
import type { RemoteConnector } from '../remote-connectors.ts'
import type { PinnedValidators } from '../snapshots/pinned-validators.ts'
import type { PinnedTool } from '../snapshots/snapshot.ts'
import type { CallRemoteTool } from './call-remote-tool.ts'

/** Official clients give up at 60 s (decisions.md, deadlines). */
const DEADLINE_MS = 50_000

/** The wire name of a pinned tool. */
export function remoteToolName({ slug }: Pick<Registration, 'slug'>, tool: Pick<PinnedTool, 'name'>): string {
  return wireName(remoteCapability(slug), tool.name)
}

/**
 * The entry of `tools/list`: the upstream's own words, and whose they are. Nothing in it changes while the snapshot and
 * the registration's name do not, so that clients' prompt caches hold.
 */
export function remoteToolEntry(registration: Pick<Registration, 'slug' | 'name'>, tool: PinnedTool): Tool {
  const { title, inputSchema, outputSchema, annotations } = tool
  return {
    name: remoteToolName(registration, tool),
    ...(title !== undefined && { title }),
    description: describe(registration, tool),
    inputSchema: inputSchema as Tool['inputSchema'],
    ...(outputSchema !== undefined && { outputSchema: outputSchema as NonNullable<Tool['outputSchema']> }),
    ...(annotations !== undefined && { annotations }),
  }
}

/** A pinned tool as this service's tools are: nothing that the upstream says of itself opens or closes anything. */
export function remoteTool(
  remote: RemoteConnector,
  tool: PinnedTool,
  { entry, validators, call }: { entry: Tool; validators: PinnedValidators; call: CallRemoteTool },
): AnyTool {
  return {
    entry,
    capability: remoteCapability(remote.registration.slug),
    readOnly: false,
    deadlineMs: DEADLINE_MS,
    needsAccount: false,
    gate: undefined,
    organization: 'required',
    refuse: args => validators.refuse(tool, args),
    async run(args, { caller, client, signal }) {
      if (caller === null) throw noActiveOrg()
      // The last line of defence: a surface that was shared across organizations would act with another's credential.
      if (caller.orgId !== remote.registration.orgId)
        throw new TypeError(`${entry.name} of ${remote.registration.orgId} was called from ${caller.orgId}`)
      return call({
        remote,
        tool,
        args: args as Readonly<Record<string, unknown>>,
        context: { caller, client, signal },
      })
    },
  }
}

/** In ASCII, because one character beyond Latin 1 doubles what the text of a whole list takes. */
function describe({ name }: Pick<Registration, 'name'>, { title, description, originalName }: PinnedTool): string {
  const own = description?.trim()
  if (own === undefined || own === '')
    return `${title ?? originalName}: a tool of the registered upstream "${name}", which does not describe it.`
  return `${own}\n\n(Described by the registered upstream "${name}" itself, unverified.)`
}
