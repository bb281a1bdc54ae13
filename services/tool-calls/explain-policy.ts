import { GatewayError } from '../../lib/errors/errors.ts'
import type { PolicyExplanation } from '../../schemas/organizations/policy.ts'
import type { Caller } from '../identity/caller.ts'
import type { Identity } from '../identity/identity.ts'
import type { MemberAgents } from '../organizations/member-agents.ts'
import type { MemberKeys } from '../organizations/member-keys.ts'
import type { Members } from '../organizations/members.ts'
import type { SurfaceVersions } from '../organizations/surface-versions.ts'
import { type Policies, type PolicyHolder, policyHolder } from '../policies/policies.ts'
import { denialOf, denialSentence, dependsOnArguments, subjectOf } from '../policies/policy.ts'
import type { NamedTool } from './registry.ts'

/** Whom the question is about: a key or an agent; the caller without both. */
interface Question {
  readonly keyId?: string | undefined
  readonly agentId?: string | undefined
  readonly tool: string
  readonly args?: unknown
}

/**
 * Explains which policy decides about a tool. Throws not_found for a key or an agent that the caller may not see, and
 * invalid_request for a name that no tool of the organization has.
 */
export type ExplainPolicy = (
  asking: { caller: Caller; identity: Identity },
  question: Question,
) => Promise<PolicyExplanation>

interface ExplainPolicyOptions {
  policies: Pick<Policies, 'layersOf'>
  versions: Pick<SurfaceVersions, 'current'>
  memberKeys: Pick<MemberKeys, 'find'>
  memberAgents: Pick<MemberAgents, 'find'>
  members: Pick<Members, 'find'>
  /** The tool of a name, whether the caller sees it or not. */
  toolNamed(name: string, caller: Caller): NamedTool | Promise<NamedTool>
}

export function createExplainPolicy(options: ExplainPolicyOptions): ExplainPolicy {
  const { policies, versions, memberKeys, memberAgents, members, toolNamed } = options

  async function holderOf(caller: Caller, identity: Identity, { keyId, agentId }: Question): Promise<PolicyHolder> {
    if (keyId !== undefined && agentId !== undefined)
      throw new GatewayError('invalid_request', 'Send `key_id` or `agent_id`, not both.')
    const roleOf = async (userId: string) => (await members.find(caller.orgId, userId)).role
    if (keyId !== undefined) {
      const key = await memberKeys.find(caller, keyId)
      return { role: await roleOf(key.userId), agentId: key.agentId, keyId }
    }
    if (agentId === undefined) return policyHolder(caller, identity)
    const { ownerId } = await memberAgents.find(caller, agentId)
    return { role: await roleOf(ownerId), agentId, keyId: null }
  }

  return async function explainPolicy({ caller, identity }, question) {
    const { tool: name } = question
    const holder = await holderOf(caller, identity, question)
    const tool = await toolNamed(name, caller)
    if (tool === undefined || 'reason' in tool)
      throw new GatewayError(
        'invalid_request',
        tool?.explanation ?? `There is no tool ${name}. Use a name from tools/list.`,
      )
    const layers = await policies.layersOf(caller.orgId, await versions.current(caller.orgId), holder)
    const { args } = question
    const denial = denialOf(layers, subjectOf(tool), args === undefined ? undefined : { args })
    if (denial !== undefined) {
      const { allows: _, ...decided } = denial
      return { tool: name, decision: 'deny', ...decided, explanation: denialSentence(denial) }
    }
    const depends = args === undefined && dependsOnArguments(layers, subjectOf(tool))
    return {
      tool: name,
      decision: 'allow',
      ...(depends && { depends_on_arguments: true }),
      explanation: depends
        ? `All policies allow ${name}, but not with all arguments. Send \`arguments\` to ask about a call.`
        : `All policies allow ${name}.`,
    }
  }
}
