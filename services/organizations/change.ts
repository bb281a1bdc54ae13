import type { Kysely } from 'kysely'
import type { Actor } from '../../lib/audit/audit.ts'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs, forOrg, type OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { unknownOrganization } from './requirements.ts'

/** On whose behalf something that has an id is changed. */
export interface Change {
  by: Actor
}

/**
 * Runs a change in one transaction, during which nobody else changes the members, agents or keys of the organization:
 * the rules about them (the last owner, an agent's owner) span rows that no single row lock covers. Throws
 * invalid_request when there is no such organization within the actor's reach.
 */
export async function changeIn<R>(
  db: Kysely<Database>,
  { orgId, by }: { orgId: string; by: Actor },
  work: (org: OrgDatabase) => Promise<R>,
): Promise<R> {
  if (!reaches(by, orgId)) throw unknownOrganization(orgId)
  return forOrg(db, orgId).transaction(async org => {
    // Not FOR UPDATE: whatever is inserted with this organization meanwhile only needs its id to stay.
    const query = org.db.selectFrom('organizations').where('id', '=', orgId).select('id').forNoKeyUpdate()
    if ((await query.executeTakeFirst()) === undefined) throw unknownOrganization(orgId)
    return work(org)
  })
}

const NAMES = { agents: 'agent', api_keys: 'key' } as const

/** The same for what is named by its id alone; throws invalid_request when there is none within the actor's reach. */
export async function changeOf<R>(
  db: Kysely<Database>,
  { table, id, by }: { table: keyof typeof NAMES; id: string; by: Actor },
  work: (org: OrgDatabase) => Promise<R>,
): Promise<R> {
  const found = await acrossOrgs(db).selectFrom(table).where('id', '=', id).select('org_id').executeTakeFirst()
  if (found === undefined || !reaches(by, found.org_id))
    throw new GatewayError('invalid_request', `There is no ${NAMES[table]} ${id}.`)
  return changeIn(db, { orgId: found.org_id, by }, work)
}

function reaches(by: Actor, orgId: string): boolean {
  return typeof by === 'string' || by.orgId === orgId
}
