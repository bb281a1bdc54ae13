import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { OrgDatabase } from '../../lib/database/tenant.ts'
import type { MemoryScope } from '../../schemas/tools/memory.ts'
import { inScope } from './memory.ts'
import { type QueryWord, queryWord } from './search-text.ts'

/** The memories that a search covers: all that a user sees, or those of one scope. */
export interface SearchScope {
  userId: string
  scope?: MemoryScope | undefined
}

/** The memories that a search covers. */
export function visible(org: OrgDatabase, { userId, scope }: SearchScope) {
  return org.selectFrom('memories').where(inScope(userId, scope))
}

/** Whether the search words of a row match a `tsquery`. */
export function matches(query: string, table = 'memories'): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${table}.search`)} @@ ${query}::tsquery`
}

/** The queries for a word in the index by organization: its lexemes begin with what `gateway_org_search` prepends. */
export function indexedQueryWord(org: OrgDatabase, word: string): QueryWord {
  return queryWord(word, hash('sha256', org.orgId, 'base64').slice(0, 6))
}

/**
 * Selects the IDs of the memories that a search covers and that match a query of `indexedQueryWord`. Materialized, so that
 * the planner uses the index whatever the limit: to compute the search words of one row takes longer than to read it.
 */
export function idsInIndex(org: OrgDatabase, { userId, scope }: SearchScope, query: string): RawBuilder<unknown> {
  // Three times, which costs nothing: the planner expects a word that it does not know in 0.5 % of all memories, and would
  // compile the plan of a search that takes a millisecond.
  const indexed = `(${query}) & (${query}) & (${query})`
  return sql`
    with hits as materialized (
      select org_id, id, user_id, scope from memories where gateway_org_search(org_id, search) @@ ${indexed}::tsquery
    )
    select memories.id from hits as memories where memories.org_id = ${org.orgId} and ${inScope(userId, scope)}`
}
