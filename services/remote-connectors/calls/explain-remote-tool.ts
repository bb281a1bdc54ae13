import { nameWithin, remoteCapability, roomOf } from '../../../schemas/remote-names.ts'
import type { ExplainedTool, NamedTool, UnavailableReason } from '../../tool-calls/registry.ts'
import type { RemoteConnector } from '../remote-connectors.ts'
import type { PinnedTool, RejectedTool, RejectedTools } from '../snapshot.ts'
import { wireNames } from '../snapshots/wire-names.ts'
import { remoteToolName, toToolEntry } from '../to-tool-entry.ts'
import { credentialReason, leftOutReason, unlistedReason } from '../unavailable-reason.ts'

const REFRESH = 'An administrator takes another snapshot (manage__remote_refresh)'

/**
 * What is to be said of a name: a wire name (`org__<slug>__<tool>`), or what an upstream itself calls a tool. Undefined
 * for a name that has nothing to do with the registrations.
 */
export function explainRemoteTool(remotes: readonly RemoteConnector[], name: string): NamedTool {
  for (const remote of remotes) {
    const asked = nameWithin(remoteCapability(remote.registration.slug), name)
    if (asked !== undefined) return byWireName(remote, asked)
  }
  return byOriginalName(remotes, name)
}

/** Of a wire name, what stands behind the capability. */
function byWireName(remote: RemoteConnector, asked: string): ExplainedTool | UnavailableReason {
  const { registration, snapshot } = remote
  const { name } = registration
  const unavailable = unlistedReason(remote)
  if (unavailable !== undefined) return unavailable
  const published = snapshot?.tools.find(tool => tool.name === asked)
  if (published !== undefined) return leftOutOf(remote, published) ?? explained(remote, published)
  const names = wouldBeNames(remote)
  const aside = snapshot?.rejected.tools.find(
    ({ originalName }) => originalName === asked || names.get(originalName) === asked,
  )
  if (aside !== undefined) return rejected(remote, aside)
  const taken = snapshot?.fetchedAt.toISOString() ?? ''
  const had = snapshot === undefined || areNamed(snapshot.rejected) ? 'had' : 'published'
  return {
    reason: 'unknown_tool',
    explanation: `${name} ${had} no such tool when its tools were pinned (${taken}). ${REFRESH} where it has one by now.`,
  }
}

/** What upstreams call a tool is no name here: it is told which one is at each of them, or why there is none. */
function byOriginalName(remotes: readonly RemoteConnector[], name: string): UnavailableReason | undefined {
  const [first, ...others] = remotes.flatMap(remote => ownOf(remote, name) ?? [])
  if (first === undefined) return undefined
  const explanation = [first, ...others].map(each => each.explanation).join(' ')
  return { reason: first.reason, explanation }
}

/** The same of one upstream. */
function ownOf(remote: RemoteConnector, name: string): UnavailableReason | undefined {
  const { registration, snapshot } = remote
  const aside = snapshot?.rejected.tools.find(({ originalName }) => originalName === name)
  const published = snapshot?.tools.find(({ originalName }) => originalName === name)
  if (published === undefined && aside === undefined) return undefined
  const unavailable = unlistedReason(remote)
  if (unavailable !== undefined) return unavailable
  if (published !== undefined)
    return (
      leftOutOf(remote, published) ?? {
        reason: 'unknown_tool',
        explanation: `${registration.name} calls a tool that; here its name is ${remoteToolName(registration, published)}.`,
      }
    )
  return aside && rejected(remote, aside)
}

/** What keeps a tool out of the list; undefined for one that is listed. */
function leftOutOf(remote: RemoteConnector, tool: PinnedTool): UnavailableReason | undefined {
  const tools = remote.snapshot?.tools ?? []
  return tools.indexOf(tool) < tools.length - remote.leftOut ? undefined : leftOutReason(remote)
}

function explained(remote: RemoteConnector, tool: PinnedTool): ExplainedTool {
  const { registration, account } = remote
  const { name, slug } = registration
  return {
    entry: toToolEntry(registration, tool),
    capability: remoteCapability(slug),
    needsAccount: false,
    gate: undefined,
    actsAs:
      account === undefined
        ? `it is a tool of the upstream ${name}, which is called without a credential`
        : `it is a tool of the upstream ${name}, and acts with your organization’s credential there`,
    unavailable: credentialReason(remote),
  }
}

function rejected(
  { registration: { name } }: RemoteConnector,
  { originalName, reason }: RejectedTool,
): UnavailableReason {
  return {
    reason: 'set_aside',
    explanation:
      `${name} has a tool ${JSON.stringify(originalName)}, and it was set aside when its tools were pinned: ` +
      `${reason.replace(/\.$/, '')}. Whoever runs the upstream mends it; then: ${REFRESH}.`,
  }
}

/** The names that the tools set aside would have beside the published ones, without their capability. */
function wouldBeNames({ registration: { slug }, snapshot }: RemoteConnector): ReadonlyMap<string, string> {
  const known = [...(snapshot?.tools ?? []), ...(snapshot?.rejected.tools ?? [])]
  const originals = known.map(({ originalName }) => originalName)
  return wireNames(originals, roomOf(remoteCapability(slug)))
}

/** Whether all that were set aside are named. */
function areNamed({ tools, count }: RejectedTools): boolean {
  return tools.length === count
}
