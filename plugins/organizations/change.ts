import type { Kysely } from 'kysely'
import type { Database } from '../database/tables.ts'
import { acrossOrgs, forOrg, type OrgDatabase } from '../database/tenant.ts'
import { GatewayError } from '../error-envelope/errors.ts'

/** On whose behalf something that has an id is changed; the operator's own changes name neither. */
export interface Change {
  /** The user who makes the change; its audit row names nobody when absent. */
  by?: string
  /** The only organization the change may be about: what belongs to another is as unknown as what does not exist. */
  orgId?: string
}

/**
 * Runs a change in one transaction, during which nobody else changes the members, agents or keys of the organization:
 * the rules about them (the last owner, an agent's owner) span rows that no single row lock covers.
 */
export function changeIn<R>(db: Kysely<Database>, orgId: string, work: (org: OrgDatabase) => Promise<R>): Promise<R> {
  return forOrg(db, orgId).transaction(async org => {
    // Not FOR UPDATE: whatever is inserted with this organization meanwhile only needs its id to stay.
    await org.db.selectFrom('organizations').where('id', '=', orgId).select('id').forNoKeyUpdate().execute()
    return work(org)
  })
}

const NAMES = { agents: 'agent', api_keys: 'key' } as const

/** The same for what is named by its id alone; throws invalid_request when there is none that this change may be about. */
export async function changeOf<R>(
  db: Kysely<Database>,
  { table, id, orgId }: { table: keyof typeof NAMES; id: string; orgId: string | undefined },
  work: (org: OrgDatabase) => Promise<R>,
): Promise<R> {
  const found = await acrossOrgs(db).selectFrom(table).where('id', '=', id).select('org_id').executeTakeFirst()
  if (found === undefined || found.org_id !== (orgId ?? found.org_id))
    throw new GatewayError('invalid_request', `There is no ${NAMES[table]} ${id}.`)
  return changeIn(db, found.org_id, work)
}
