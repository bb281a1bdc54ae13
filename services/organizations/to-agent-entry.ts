import type { AgentChangeRequest, AgentEntry } from '../../schemas/agent.ts'
import type { AgentUpdate } from './agent-changes.ts'
import type { ListedAgent } from './agents.ts'

/** An agent as routes and tools answer it. */
export function toAgentEntry({ id, name, ownerId, status, orphaned, createdAt, signIns }: ListedAgent): AgentEntry {
  const sign_ins = signIns.map(({ createdAt: at, ...signIn }) => ({ ...signIn, created_at: at.toISOString() }))
  return { id, name, owner: ownerId, status, orphaned, created_at: createdAt.toISOString(), sign_ins }
}

/** The change that a route or a tool asks for. */
export function toAgentUpdate({ name, status, owner }: AgentChangeRequest): AgentUpdate {
  return { name, status, ownerId: owner }
}
