import type { Kysely } from 'kysely'
import type { Actor } from '../../lib/audit/audit.ts'
import type { Database } from '../../lib/database/tables.ts'
import { acrossOrgs, forOrg, type OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { UnknownOrganization } from './requirements.ts'

/** Who makes a change. */
export interface Change {
  by: Actor
}

/**
 * Runs a change in one transaction that locks the organization against other such changes. The rules about members, agents
 * and keys (the last owner, the owner of an agent) span several rows, which no single row lock covers. Throws
 * invalid_request if the organization does not exist or the actor has no access to it.
 */
export async function changeIn<R>(
  db: Kysely<Database>,
  { orgId, by }: { orgId: string; by: Actor },
  work: (org: OrgDatabase) => Promise<R>,
): Promise<R> {
  if (!reaches(by, orgId)) throw new UnknownOrganization(orgId)
  return forOrg(db, orgId).transaction(async org => {
    // Not FOR UPDATE, which would block concurrent inserts that reference this organization.
    const query = org.db.selectFrom('organizations').where('id', '=', orgId).select('id').forNoKeyUpdate()
    if ((await query.executeTakeFirst()) === undefined) throw new UnknownOrganization(orgId)
    return work(org)
  })
}

const NAMES = { agents: 'agent', api_keys: 'key' } as const

/** Runs a change of an agent or key that only its id names. Throws not_found if it does not exist or the actor has no access. */
export async function changeOf<R>(
  db: Kysely<Database>,
  { table, id, by }: { table: keyof typeof NAMES; id: string; by: Actor },
  work: (org: OrgDatabase) => Promise<R>,
): Promise<R> {
  const found = await acrossOrgs(db).selectFrom(table).where('id', '=', id).select('org_id').executeTakeFirst()
  if (found === undefined || !reaches(by, found.org_id))
    throw new GatewayError('not_found', `There is no ${NAMES[table]} ${id}.`)
  return changeIn(db, { orgId: found.org_id, by }, work)
}

function reaches(by: Actor, orgId: string): boolean {
  return typeof by === 'string' || by.orgId === orgId
}
