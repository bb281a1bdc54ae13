import type { Kysely } from 'kysely'
import type { IdSource } from '../../schemas/ids.ts'
import type { Clock } from '../../schemas/time.ts'
import type { Audit } from '../audit/audit.ts'
import type { Database } from '../database/tables.ts'
import { acrossOrgs, forOrg } from '../database/tenant.ts'
import { GatewayError } from '../error-envelope/errors.ts'
import { requireMember } from './members.ts'

/** Agents: what keys can belong to beside a member. */
export interface Agents {
  /** Makes an agent of a member; throws invalid_request when the owner is none. */
  create(agent: { orgId: string; ownerId: string; name: string }): Promise<{ id: string }>
  /** Suspends an agent, or resumes it; throws invalid_request for an unknown or a retired one. */
  setStatus(id: string, status: 'active' | 'suspended'): Promise<void>
}

export function createAgents(options: { db: Kysely<Database>; clock: Clock; ids: IdSource; audit: Audit }): Agents {
  const { db, clock, ids, audit } = options
  return {
    async create({ orgId, ownerId, name }) {
      const id = ids('agt')
      await forOrg(db, orgId).transaction(async org => {
        await requireMember(org, ownerId)
        await org
          .insertInto('agents', { id, owner_id: ownerId, name, status: 'active', created_at: new Date(clock.now()) })
          .execute()
        await audit.record(org, { userId: null, action: 'agent.create', target: id, detail: { name, ownerId } })
      })
      return { id }
    },

    async setStatus(id, status) {
      const found = await acrossOrgs(db).selectFrom('agents').where('id', '=', id).select('org_id').executeTakeFirst()
      if (found === undefined) throw new GatewayError('invalid_request', `There is no agent ${id}.`)
      await forOrg(db, found.org_id).transaction(async org => {
        const { numUpdatedRows } = await org
          .updateTable('agents')
          .where('id', '=', id)
          .where('status', '!=', 'retired')
          .set({ status })
          .executeTakeFirst()
        if (numUpdatedRows === 0n) throw new GatewayError('invalid_request', `Agent ${id} is retired for good.`)
        const action = status === 'active' ? 'agent.resume' : 'agent.suspend'
        await audit.record(org, { userId: null, action, target: id, detail: {} })
      })
    },
  }
}
