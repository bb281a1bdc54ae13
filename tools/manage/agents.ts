import { Type } from '@sinclair/typebox'
import { AgentChange, AgentEntry, NewAgent } from '../../schemas/organizations/agent.ts'
import { NextCursor } from '../../schemas/primitives/page.ts'
import { type AnyTool, defineTool, structured } from '../../services/definitions/define-tool.ts'
import { type MemberAgents, toAgentEntry, toAgentUpdate } from '../../services/organizations/member-agents.ts'
import { type CheckPolicy, checkedPolicy } from '../../services/policies/check-policy.ts'

const SIGN_IN = 'Requires a user sign-in; API keys are rejected.'
const AgentId = Type.String({ maxLength: 64, description: 'The ID of the agent, from manage__agents_list.' })
const closed = { additionalProperties: false }

/** The `manage__agents_*` tools: the agents of the signed-in user, for an owner or admin of the whole organization. */
export function agentTools(agents: MemberAgents, checkPolicy: CheckPolicy): AnyTool[] {
  return [listAgents(agents), createAgent(agents), updateAgent(agents, checkPolicy), retireAgent(agents)]
}

function listAgents(agents: Pick<MemberAgents, 'page'>): AnyTool {
  return defineTool({
    name: 'manage__agents_list',
    title: 'List agents',
    description: `List your agents with their owner and status, newest first. Owners and admins see all agents of the organization. ${SIGN_IN}`,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    gate: 'session',
    input: Type.Object(
      { cursor: Type.Optional(Type.String({ maxLength: 512, description: 'The next_cursor of the previous page.' })) },
      closed,
    ),
    output: Type.Object({ agents: Type.Array(AgentEntry), next_cursor: NextCursor }),

    async run({ cursor }, { caller }) {
      const { rows, nextCursor } = await agents.page(caller, { limit: 50, cursor })
      return structured({ agents: rows.map(toAgentEntry), next_cursor: nextCursor })
    },
  })
}

function createAgent(agents: Pick<MemberAgents, 'create'>): AnyTool {
  return defineTool({
    name: 'manage__agents_create',
    title: 'Create an agent',
    description:
      'Create an agent. Then create its API keys with manage__keys_create. The agent acts with the role and the ' +
      `private accounts of its owner: you, unless you are an owner or admin and name another member. ${SIGN_IN}`,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    gate: 'session',
    input: Type.Object(NewAgent, closed),
    output: AgentEntry,

    async run({ name, owner }, { caller }) {
      const agent = await agents.create(caller, { name, ownerId: owner })
      return structured(toAgentEntry(agent), `Created agent ${agent.id}.`)
    },
  })
}

function updateAgent(agents: Pick<MemberAgents, 'update'>, checkPolicy: CheckPolicy): AnyTool {
  return defineTool({
    name: 'manage__agents_update',
    title: 'Change an agent',
    description:
      'Rename, suspend or resume an agent, set its policy, or (owners and admins only) give it to another member. A suspended ' +
      `agent keeps its keys, but is rejected until it is resumed. ${SIGN_IN}`,
    // It can stop an agent, and make it act as somebody else, so clients ask the user first.
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    gate: 'session',
    input: Type.Object({ id: AgentId, ...AgentChange }, closed),
    output: AgentEntry,

    async run({ id, ...change }, { caller }) {
      const policy = await checkedPolicy(checkPolicy, caller.orgId, change.policy)
      const agent = await agents.update(caller, id, { ...toAgentUpdate(change), ...policy })
      return structured(toAgentEntry(agent), `Agent ${id} (${agent.name}) is ${agent.status}.`)
    },
  })
}

function retireAgent(agents: Pick<MemberAgents, 'retire'>): AnyTool {
  return defineTool({
    name: 'manage__agents_retire',
    title: 'Retire an agent',
    description: `Retire an agent permanently: it is rejected at once and its keys are revoked within a minute. To pause it instead, use manage__agents_update. ${SIGN_IN}`,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    gate: 'session',
    input: Type.Object({ id: AgentId }, closed),
    output: Type.Object({ id: Type.String() }),

    async run({ id }, { caller }) {
      await agents.retire(caller, id)
      return structured({ id }, `Retired agent ${id}.`)
    },
  })
}
