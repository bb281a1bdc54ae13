import { nameWithin, remoteCapability, roomOf } from '../../../schemas/remotes/names.ts'
import type { OperatorCommands } from '../../operator/operator-commands.ts'
import type { ExplainedTool, NamedTool, UnavailableReason } from '../../tool-calls/registry.ts'
import { classOf, effectOfRemote, isHidden, servedTools } from '../overrides.ts'
import { isPerMember } from '../registration.ts'
import type { RemoteConnector } from '../remote-connectors.ts'
import type { PinnedTool, RejectedTool, RejectedTools } from '../snapshot.ts'
import { wireNames } from '../snapshots/pin/wire-names.ts'
import { remoteToolName, toToolEntry } from '../to-tool-entry.ts'
import { credentialReason, leftOutReason, unlistedReason } from '../unavailable-reason.ts'

const REFRESH = 'an admin refreshes the tools (manage__remote_refresh)'

/**
 * Explains a tool by its wire name (`org__<slug>__<tool>`) or by an upstream's own name of it. Undefined if no registration
 * matches the name.
 */
export function explainRemoteTool(
  remotes: readonly RemoteConnector[],
  name: string,
  commands: OperatorCommands,
): NamedTool {
  for (const remote of remotes) {
    const asked = nameWithin(remoteCapability(remote.registration.slug), name)
    if (asked !== undefined) return byWireName(remote, asked, commands)
  }
  return byOriginalName(remotes, name, commands)
}

/** Explains the part of a wire name after the capability. */
function byWireName(
  remote: RemoteConnector,
  asked: string,
  commands: OperatorCommands,
): ExplainedTool | UnavailableReason {
  const { registration, snapshot } = remote
  const { name } = registration
  const unavailable = unlistedReason(remote, commands)
  if (unavailable !== undefined) return unavailable
  const published = snapshot?.tools.find(tool => tool.name === asked)
  if (published !== undefined)
    return hiddenReason(remote, published) ?? leftOutOf(remote, published) ?? explained(remote, published, commands)
  const names = wouldBeNames(remote)
  const unpublished = snapshot?.rejected.tools.find(
    ({ originalName }) => originalName === asked || names.get(originalName) === asked,
  )
  if (unpublished !== undefined) return rejected(remote, unpublished)
  const taken = snapshot?.fetchedAt.toISOString() ?? ''
  const had = snapshot === undefined || areNamed(snapshot.rejected) ? 'had' : 'published'
  return {
    reason: 'unknown_tool',
    explanation: `${name} ${had} no such tool when its tools were pinned (${taken}). If it has the tool now, ${REFRESH}.`,
  }
}

/** Explains an upstream's own name of a tool: its wire name at each upstream that has it, or why it has none. */
function byOriginalName(
  remotes: readonly RemoteConnector[],
  name: string,
  commands: OperatorCommands,
): UnavailableReason | undefined {
  const [first, ...others] = remotes.flatMap(remote => ownOf(remote, name, commands) ?? [])
  if (first === undefined) return undefined
  const explanation = [first, ...others].map(each => each.explanation).join(' ')
  return { reason: first.reason, explanation }
}

/** Explains an upstream's own name of a tool for one upstream. */
function ownOf(remote: RemoteConnector, name: string, commands: OperatorCommands): UnavailableReason | undefined {
  const { registration, snapshot } = remote
  const unpublished = snapshot?.rejected.tools.find(({ originalName }) => originalName === name)
  const published = snapshot?.tools.find(({ originalName }) => originalName === name)
  if (published === undefined && unpublished === undefined) return undefined
  const unavailable = unlistedReason(remote, commands)
  if (unavailable !== undefined) return unavailable
  if (published !== undefined)
    return (
      hiddenReason(remote, published) ??
      leftOutOf(remote, published) ?? {
        reason: 'unknown_tool',
        explanation: `${registration.name} has a tool of this name. Its name in this gateway is ${remoteToolName(registration, published)}.`,
      }
    )
  return unpublished && rejected(remote, unpublished)
}

/** Why a tool is not listed; undefined if it is. */
function leftOutOf(remote: RemoteConnector, tool: PinnedTool): UnavailableReason | undefined {
  const tools = servedTools(remote.registration, remote.snapshot?.tools ?? [])
  const index = tools.findIndex(({ pinned }) => pinned === tool)
  return index < tools.length - remote.leftOut ? undefined : leftOutReason(remote)
}

/** Why a tool that an admin has hidden is not found; undefined for others. */
function hiddenReason({ registration }: RemoteConnector, tool: PinnedTool): UnavailableReason | undefined {
  if (!isHidden(registration, tool)) return undefined
  const { name, slug } = registration
  return {
    reason: 'hidden',
    explanation: `An admin of your organization has hidden this tool of ${name}. An admin shows it again with PATCH /connectors/org/${slug} or manage__remote_update, by changing its overrides.`,
  }
}

function explained(remote: RemoteConnector, tool: PinnedTool, commands: OperatorCommands): ExplainedTool {
  const { registration, account, snapshot } = remote
  const { name, slug } = registration
  const [served = tool] = servedTools(registration, [tool])
  const kind = snapshot && classOf(registration, snapshot, tool)
  return {
    entry: toToolEntry(registration, served),
    ...(kind !== undefined && { class: kind }),
    capability: remoteCapability(slug),
    effect: effectOfRemote(registration, snapshot, tool),
    needsAccount: false,
    gate: undefined,
    actsAs:
      registration.auth.mode === 'assertion'
        ? `it is a tool of the upstream ${name}, which the gateway tells who calls`
        : account === undefined
          ? `it is a tool of the upstream ${name}, which is called without a credential`
          : `it is a tool of the upstream ${name}, and uses ${isPerMember(registration) ? 'your own' : 'your organization’s'} credential there`,
    unavailable: credentialReason(remote, commands),
  }
}

function rejected(
  { registration: { name } }: RemoteConnector,
  { originalName, reason }: RejectedTool,
): UnavailableReason {
  return {
    reason: 'set_aside',
    explanation:
      `${name} has a tool ${JSON.stringify(originalName)}, which was rejected when its tools were pinned: ` +
      `${reason.replace(/\.$/, '')}. After the upstream's operator fixes it, ${REFRESH}.`,
  }
}

/** The names that the rejected tools would have if they were published, without the capability. */
function wouldBeNames({ registration: { slug }, snapshot }: RemoteConnector): ReadonlyMap<string, string> {
  const known = [...(snapshot?.tools ?? []), ...(snapshot?.rejected.tools ?? [])]
  const originals = known.map(({ originalName }) => originalName)
  return wireNames(originals, roomOf(remoteCapability(slug)))
}

/** Whether the snapshot names all rejected tools. */
function areNamed({ tools, count }: RejectedTools): boolean {
  return tools.length === count
}
