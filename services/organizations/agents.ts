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
import { type Change, changeIn, changeOf } from './change.ts'
import { revokeKeys } from './key-queries.ts'
import { requireMember, requireOrganization, roleOf } from './requirements.ts'

/** An agent as the organization's list has it. */
export interface Agent {
  id: string
  name: string
  ownerId: string
  status: AgentStatus
  /** Suspended because its owner left. */
  orphaned: boolean
  createdAt: Date
}

/** Agents: what keys can belong to beside a member. What does not apply to an agent's state throws invalid_request. */
export interface Agents {
  /** Makes an agent of a member. */
  create(agent: { orgId: string; ownerId: string; name: string; by: Actor }): Promise<{ id: string }>
  /** Suspends an agent, or resumes it; one whose owner has left only after he is a member again (else `assign` it). */
  setStatus(id: string, status: 'active' | 'suspended', change: Change): Promise<void>
  /** Ends an agent for good; its keys are revoked within 60 s. */
  retire(id: string, change: Change): Promise<void>
  /** Gives an agent and its keys to another member, and resumes it when it was suspended because its owner left. */
  assign(id: string, ownerId: string, change: Change): Promise<void>
  /** The agents of an organization, retired ones too, the oldest first. */
  list(orgId: string): Promise<Agent[]>
}

export interface AgentsOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
  audit: Audit
  /** Revokes the keys of retired agents. */
  jobs: Jobs
}

export function createAgents({ db, clock, ids, audit, jobs }: AgentsOptions): Agents {
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
      if (agent.status === 'retired') throw new GatewayError('invalid_request', `Agent ${id} is retired for good.`)
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
            `The owner of agent ${id} has left. Give it a new owner first (agent assign).`,
          )
        // To suspend one that lost its owner is a reason of its own, which outlasts the next owner's coming.
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

/**
 * How long the keys of a retired agent still answer agent_retired, so that whoever runs it is told why it stopped; the
 * keys are revoked within 60 s (decisions.md, Account routes).
 */
const TOLD_MS = 30_000
const KIND = 'agent.revoke_keys'

const Payload = Type.Object({ orgId: Type.String(), agentId: Type.String() })

/** Has the keys of an agent revoked a little later, if the transaction of this handle commits. */
export type RevokeLater = (org: OrgDatabase, agentId: string) => Promise<void>

/** Defines the job that revokes a retired agent's keys; answers how to order it. */
export function defineKeyRevocation(
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
      runAt: new Date(clock.now() + TOLD_MS),
    })
}
