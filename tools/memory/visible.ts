import { type Expression, type SqlBool, sql } from 'kysely'
import type { OrgDatabase } from '../../lib/database/tenant.ts'
import type { MemoryScope } from '../../schemas/limits.ts'
import { type Caller, isAdmin } from '../../services/identity/caller.ts'

/** Whose memories are looked through: all that a user sees, or those of one scope. */
export interface SearchScope {
  userId: string
  scope?: MemoryScope | undefined
}

/** The memories that a search may find. */
export function visible(org: OrgDatabase, { userId, scope }: SearchScope) {
  return org.selectFrom('memories').where(inScope(userId, scope))
}

/** The memories of the organization that a member sees: his own and the shared ones; of one scope where one is named. */
export function inScope(userId: string, scope?: MemoryScope): Expression<SqlBool> {
  if (scope === 'shared') return sql`memories.scope = 'shared'`
  if (scope === 'private') return sql`memories.scope = 'private' and memories.user_id = ${userId}`
  return sql`(memories.scope = 'shared' or memories.user_id = ${userId})`
}

/** The memories a member may change: his own, and as an owner or admin every shared one. */
export function changeableBy(caller: Caller): Expression<SqlBool> {
  return isAdmin(caller) ? inScope(caller.userId) : sql`memories.user_id = ${caller.userId}`
}
