import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Kysely } from 'kysely'
import type { Actor, Audit } from '../../lib/audit/audit.ts'
import type { AgentStatus, Database } from '../../lib/database/tables.ts'
import { forOrg, type OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { Jobs } from '../../lib/jobs/jobs.ts'
import type { IdSource } from '../../schemas/ids.ts'
import type { Clock } from '../../schemas/time.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import { type Change, changeIn, changeOf } from './change.ts'
import { revokeKeys } from './key-queries.ts'
import { requireMember, requireOrganization, roleOf } from './requirements.ts'

/** An agent in the list of an organization. */
interface Agent {
  id: string
  name: string
  ownerId: string
  status: AgentStatus
  /** True if the agent is suspended because its owner left. */
  orphaned: boolean
  createdAt: Date
}

/** The agents of organizations; API keys belong to a member or to an agent. Throws invalid_request if a change does not fit the agent's state. */
export interface Agents {
  /** Creates an agent that a member owns. */
  create(agent: { orgId: string; ownerId: string; name: string; by: Actor }): Promise<{ id: string }>
  /** Suspends or resumes an agent. Resuming fails while the owner is not a member; use `assign` then. */
  setStatus(id: string, status: 'active' | 'suspended', change: Change): Promise<void>
  /** Retires an agent permanently. Its keys are revoked within 60 s. */
  retire(id: string, change: Change): Promise<void>
  /** Gives an agent and its keys to another member. Resumes it if it was suspended because its owner left. */
  assign(id: string, ownerId: string, change: Change): Promise<void>
  /** The agents of an organization, including retired ones, oldest first. */
  list(orgId: string): Promise<Agent[]>
}

interface AgentsOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  audit: Audit
  /** Revokes the keys of retired agents. */
  jobs: Jobs
  commands: Pick<OperatorCommands, 'createAgent' | 'assignAgent'>
}

export function createAgents({ db, clock, ids, audit, jobs, commands }: AgentsOptions): Agents {
  const revokeKeysLater = defineKeyRevocation(jobs, { db, clock, audit })

  /** Changes an agent that is not retired. */
  function changeAgent(
    id: string,
    { by }: Change,
    work: (org: OrgDatabase, agent: { owner_id: string; status: AgentStatus; orphaned: boolean }) => Promise<void>,
  ): Promise<void> {
    return changeOf(db, { table: 'agents', id, by }, async org => {
      const agent = await org
        .selectFrom('agents')
        .where('id', '=', id)
        .select(['owner_id', 'status', 'orphaned'])
        .executeTakeFirstOrThrow()
      if (agent.status === 'retired')
        throw new GatewayError(
          'invalid_request',
          `Agent ${id} is retired, which is permanent. Create another agent: ${commands.createAgent(org.orgId)}`,
        )
      await work(org, agent)
    })
  }

  return {
    async create({ orgId, ownerId, name, by }) {
      const id = ids('agt')
      await changeIn(db, { orgId, by }, async org => {
        await requireMember(org, ownerId)
        await org
          .insertInto('agents', { id, owner_id: ownerId, name, status: 'active', created_at: new Date(clock.now()) })
          .execute()
        await audit.record(org, { by, action: 'agent.create', target: id, detail: { name, ownerId } })
      })
      return { id }
    },

    async setStatus(id, status, { by }) {
      await changeAgent(id, { by }, async (org, agent) => {
        if (status === 'active' && (await roleOf(org, agent.owner_id)) === undefined)
          throw new GatewayError(
            'invalid_request',
            `The owner of agent ${id} has left the organization. Give the agent a new owner: ${commands.assignAgent(id)}`,
          )
        // An explicit suspension of an orphaned agent is a second reason, so a new owner does not resume the agent.
        if (agent.status === status && !agent.orphaned) return
        await org.updateTable('agents').where('id', '=', id).set({ status, orphaned: false }).execute()
        const action = status === 'active' ? 'agent.resume' : 'agent.suspend'
        await audit.record(org, { by, action, target: id, detail: {} })
      })
    },

    async retire(id, { by }) {
      await changeAgent(id, { by }, async org => {
        await org.updateTable('agents').where('id', '=', id).set({ status: 'retired', orphaned: false }).execute()
        await audit.record(org, { by, action: 'agent.retire', target: id, detail: {} })
        await revokeKeysLater(org, id)
      })
    },

    async assign(id, ownerId, { by }) {
      await changeAgent(id, { by }, async (org, agent) => {
        await requireMember(org, ownerId)
        const status = agent.orphaned ? 'active' : agent.status
        await org
          .updateTable('agents')
          .where('id', '=', id)
          .set({ owner_id: ownerId, status, orphaned: false })
          .execute()
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
      })
    },

    async list(orgId) {
      await requireOrganization(db, orgId)
      return forOrg(db, orgId)
        .selectFrom('agents')
        .orderBy('created_at')
        .orderBy('id')
        .select(['id', 'name', 'owner_id as ownerId', 'status', 'orphaned', 'created_at as createdAt'])
        .execute()
    },
  }
}

/** How long the keys of a retired agent still answer agent_retired, so that its operator sees why it stopped. */
const REVOKE_AFTER_MS = 30_000
const KIND = 'agent.revoke_keys'

const Payload = Type.Object({ orgId: Type.String(), agentId: Type.String() })

/** Schedules the revocation of an agent's keys, if the transaction of this handle commits. */
type RevokeLater = (org: OrgDatabase, agentId: string) => Promise<void>

/** Defines the job that revokes a retired agent's keys. Returns the function that schedules it. */
function defineKeyRevocation(
  jobs: Jobs,
  { db, clock, audit }: { db: Kysely<Database>; clock: Clock; audit: Audit },
): RevokeLater {
  jobs.define(KIND, async payload => {
    Value.Assert(Payload, payload)
    const { orgId, agentId } = payload
    await changeIn(db, { orgId, by: 'job' }, async org => {
      await revokeKeys(org, audit, eb => eb('agent_id', '=', agentId), {
        at: new Date(clock.now()),
        by: 'job',
        because: 'agent.retire',
      })
    })
  })
  return (org, agentId) =>
    jobs.enqueue(org.db, {
      kind: KIND,
      payload: { orgId: org.orgId, agentId },
      runAt: new Date(clock.now() + REVOKE_AFTER_MS),
    })
}
