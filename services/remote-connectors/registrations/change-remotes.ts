import type { Kysely } from 'kysely'
import type { Actor } from '../../../lib/audit/audit.ts'
import type { Database } from '../../../lib/database/tables.ts'
import type { OrgDatabase } from '../../../lib/database/tenant.ts'
import { changeIn } from '../../organizations/change.ts'

/** Changes the registrations of an organization in one transaction (changeIn), and tells of it once it is committed. */
export type ChangeRemotes = <R>(orgId: string, by: Actor, work: (org: OrgDatabase) => Promise<R>) => Promise<R>

export function createChangeRemotes(db: Kysely<Database>, changed: (orgId: string) => void): ChangeRemotes {
  return async function changeRemotes(orgId, by, work) {
    const done = await changeIn(db, { orgId, by }, work)
    changed(orgId)
    return done
  }
}
