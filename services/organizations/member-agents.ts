import { GatewayError } from '../../lib/errors/errors.ts'
import type { AgentChangeRequest, AgentEntry } from '../../schemas/organizations/agent.ts'
import type { PageRequest } from '../../schemas/primitives/page.ts'
import { type Caller, isAdmin } from '../identity/caller.ts'
import type { SignIn } from '../identity/identity.ts'
import { policyOf } from '../policies/policy.ts'
import type { AgentUpdate } from './agent-changes.ts'
import type { AgentSignIns } from './agent-sign-ins.ts'
import { type Agents, type ListedAgent, unknownAgent } from './agents.ts'

/**
 * The agents that a caller may see and change: their own, for an admin all of the organization. Throws not_found for any
 * other agent, and the errors of Agents.
 */
export interface MemberAgents {
  page(caller: Caller, page: PageRequest): Promise<{ rows: ListedAgent[]; nextCursor: string | null }>
  find(caller: Caller, id: string): Promise<ListedAgent>
  /** Creates an agent of the caller, or of `ownerId`. Throws admin_required if a member names somebody else. */
  create(caller: Caller, agent: { name: string; ownerId?: string | undefined }): Promise<ListedAgent>
  /** Changes an agent. Throws admin_required if a member names somebody else as its owner. */
  update(caller: Caller, id: string, update: AgentUpdate): Promise<ListedAgent>
  retire(caller: Caller, id: string): Promise<void>
  /**
   * Gives the sign-in of a token to an agent, for an admin who has such a token. Takes it from a user who was never
   * a member of any organization. Throws admin_required for members.
   */
  link(caller: Caller, id: string, signIn: SignIn): Promise<ListedAgent>
  /** Removes a sign-in from an agent. */
  unlink(caller: Caller, id: string, signInId: string): Promise<void>
}

export function createMemberAgents(agents: Agents, signIns: AgentSignIns): MemberAgents {
  async function find(caller: Caller, id: string): Promise<ListedAgent> {
    const agent = await agents.find(caller.orgId, id)
    if (agent === undefined || (agent.ownerId !== caller.userId && !isAdmin(caller))) throw unknownAgent(id)
    return agent
  }

  return {
    page: (caller, page) =>
      agents.page({ orgId: caller.orgId, ownerId: isAdmin(caller) ? undefined : caller.userId }, page),

    find,

    async create(caller, { name, ownerId = caller.userId }) {
      requireOwnerChoice(caller, ownerId, 'Create the agent without `owner`: then it is yours.')
      const { id } = await agents.create({ orgId: caller.orgId, ownerId, name, by: caller })
      return find(caller, id)
    },

    async update(caller, id, update) {
      const { ownerId = caller.userId } = update
      requireOwnerChoice(caller, ownerId, 'Ask one of them to give the agent to another member.')
      await agents.update(id, update, { by: caller })
      return find(caller, id)
    },

    retire: (caller, id) => agents.retire(id, { by: caller }),

    async link(caller, id, signIn) {
      if (!isAdmin(caller))
        throw new GatewayError(
          'admin_required',
          'Only an owner or an admin of the organization can link sign-ins. Ask one of them.',
        )
      await signIns.link(id, { ...signIn, move: true }, { by: caller })
      return find(caller, id)
    },

    async unlink(caller, id, signInId) {
      await find(caller, id)
      await signIns.unlink(id, { signInId }, { by: caller })
    },
  }
}

function requireOwnerChoice(caller: Caller, ownerId: string, remedy: string): void {
  if (ownerId !== caller.userId && !isAdmin(caller))
    throw new GatewayError(
      'admin_required',
      `Only an owner or an admin of the organization can choose the owner of an agent. ${remedy}`,
    )
}

/** An agent as routes and tools answer it. */
export function toAgentEntry({ createdAt, ...agent }: ListedAgent): AgentEntry {
  const { id, name, ownerId, status, orphaned, signIns, policy } = agent
  const sign_ins = signIns.map(({ createdAt: at, ...signIn }) => ({ ...signIn, created_at: at.toISOString() }))
  return {
    id,
    name,
    owner: ownerId,
    status,
    orphaned,
    created_at: createdAt.toISOString(),
    sign_ins,
    policy: policy && policyOf(policy),
  }
}

/** The change that a route or a tool asks for. */
export function toAgentUpdate({ name, status, owner }: AgentChangeRequest): AgentUpdate {
  return { name, status, ownerId: owner }
}
