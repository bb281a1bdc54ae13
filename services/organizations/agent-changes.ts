import type { Actor } from '../../lib/audit/audit.ts'
import type { AgentStatus } from '../../lib/database/organization-tables.ts'
import type { OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Infrastructure } from '../infrastructure.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import type { Policies } from '../policies/policies.ts'
import type { StoredPolicy } from '../policies/policy.ts'
import { requireAuthority } from './authority.ts'
import { requireMember, requireVisibleName, roleOf } from './requirements.ts'

/** What changes of an agent; absent members stay as they are. */
export interface AgentUpdate {
  name?: string | undefined
  status?: 'active' | 'suspended' | undefined
  ownerId?: string | undefined
  policy?: StoredPolicy | null | undefined
}

/** An agent as it is stored. */
export interface StoredAgent {
  id: string
  name: string
  owner_id: string
  status: AgentStatus
  orphaned: boolean
}

interface Updating extends Pick<Infrastructure, 'audit'> {
  by: Actor
  commands: Pick<OperatorCommands, 'assignAgent'>
  policies: Pick<Policies, 'set'>
}

/** Updates an agent that is not retired, in the transaction of the handle, with an audit row for each change. */
export async function applyUpdate(
  org: OrgDatabase,
  agent: StoredAgent,
  { update: { name, status, ownerId, policy }, ...updating }: Updating & { update: AgentUpdate },
): Promise<void> {
  const assigned = ownerId === undefined ? agent : await assign(org, agent, ownerId, updating)
  if (status !== undefined) await setStatus(org, assigned, status, updating)
  if (name !== undefined) await rename(org, assigned, name, updating)
  if (policy !== undefined) await updating.policies.set(org, { layer: 'agent', subject: agent.id }, policy, updating.by)
}

/** Throws admin_required if a member chooses somebody else as an owner. */
export async function requireOwnerChoice(org: OrgDatabase, by: Actor, ownerId: string): Promise<void> {
  if (typeof by !== 'string' && by.userId !== ownerId) await requireAuthority(org, by, [])
}

/** Gives an agent and its keys to another member. An orphaned agent works again then, also with its owner who returned. */
async function assign(
  org: OrgDatabase,
  agent: StoredAgent,
  ownerId: string,
  { by, audit }: Updating,
): Promise<StoredAgent> {
  const { id } = agent
  if (agent.owner_id !== ownerId || agent.orphaned) await requireOwnerChoice(org, by, ownerId)
  await requireMember(org, ownerId)
  if (agent.owner_id === ownerId && !agent.orphaned) return agent
  const status = agent.orphaned ? 'active' : agent.status
  await org.updateTable('agents').where('id', '=', id).set({ owner_id: ownerId, status, orphaned: false }).execute()
  const keys = await org
    .updateTable('api_keys')
    .where('agent_id', '=', id)
    .where('revoked_at', 'is', null)
    .where('user_id', '!=', ownerId)
    .set({ user_id: ownerId })
    .returning('id')
    .execute()
  const detail = { ownerId, before: agent.owner_id }
  const resumed = { by, action: 'agent.resume', target: id, detail: { because: 'agent.assign' } }
  await audit.record(org, [
    { by, action: 'agent.assign', target: id, detail },
    ...keys.map(key => ({ by, action: 'key.assign', target: key.id, detail })),
    ...(agent.orphaned ? [resumed] : []),
  ])
  return { ...agent, owner_id: ownerId, status, orphaned: false }
}

async function setStatus(
  org: OrgDatabase,
  agent: StoredAgent,
  status: 'active' | 'suspended',
  { by, audit, commands }: Updating,
): Promise<void> {
  const { id } = agent
  if (status === 'active' && (await roleOf(org, agent.owner_id)) === undefined)
    throw new GatewayError(
      'invalid_request',
      `The owner of agent ${id} has left the organization. ${
        by === 'operator'
          ? `Give the agent a new owner: ${commands.assignAgent(id)}`
          : 'An owner or an admin can give it a new one.'
      }`,
    )
  // An explicit suspension of an orphaned agent is a second reason, so a new owner does not resume the agent.
  if (agent.status === status && !agent.orphaned) return
  await org.updateTable('agents').where('id', '=', id).set({ status, orphaned: false }).execute()
  const action = status === 'active' ? 'agent.resume' : 'agent.suspend'
  await audit.record(org, { by, action, target: id, detail: {} })
}

async function rename(org: OrgDatabase, agent: StoredAgent, name: string, { by, audit }: Updating): Promise<void> {
  if (agent.name === name) return
  requireVisibleName(name)
  await org.updateTable('agents').where('id', '=', agent.id).set({ name }).execute()
  await audit.record(org, { by, action: 'agent.rename', target: agent.id, detail: { name, before: agent.name } })
}
