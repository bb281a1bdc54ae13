import type { Kysely } from 'kysely'
import type { Database } from '../../lib/database/tables.ts'
import { GatewayError } from '../../lib/errors/errors.ts'

/** Throws invalid_request unless the organization exists. */
export async function requireOrganization(db: Kysely<Database>, orgId: string): Promise<void> {
  const found = await db.selectFrom('organizations').where('id', '=', orgId).select('id').executeTakeFirst()
  if (found === undefined) throw unknownOrganization(orgId)
}

/** The refusal of an organization that does not exist, or is out of reach of who asks. */
export function unknownOrganization(orgId: string): GatewayError {
  return new GatewayError('invalid_request', `There is no organization ${orgId}.`)
}
