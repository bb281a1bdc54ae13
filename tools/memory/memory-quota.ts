import { sql } from 'kysely'
import type { OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { MemoryAmount, MemoryLimits } from '../../schemas/limits.ts'

/** The settings of the limits. */
const SETTINGS = {
  organization: { memories: 'MEMORY_MAX_COUNT', bytes: 'MEMORY_MAX_BYTES' },
  member: { memories: 'MEMORY_MAX_COUNT_PER_MEMBER', bytes: 'MEMORY_MAX_BYTES_PER_MEMBER' },
} as const

/** Returns the stored size of a memory in bytes, and locks it until the transaction ends. 0 if it does not exist. */
export async function memoryBytes(org: OrgDatabase, id: string): Promise<number> {
  const row = await org
    .selectFrom('memories')
    .select(sql<number>`pg_column_size(memory) + pg_column_size(search)`.as('bytes'))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row?.bytes ?? 0
}

/**
 * Throws quota_exceeded if a write made the memories of its author or of the organization exceed a limit. Call it in the
 * transaction of the write, after the write: it has locked the totals, so concurrent writes are counted one by one. A
 * limit that the write does not approach is not checked.
 */
export async function requireMemoryRoom(
  org: OrgDatabase,
  { authorId, added, limits }: { authorId: string; added: MemoryAmount; limits: MemoryLimits },
): Promise<void> {
  const totals = await org
    .selectFrom('memory_totals')
    .select(['user_id', 'memories', 'bytes'])
    .where(eb => eb.or([eb('user_id', 'is', null), eb('user_id', '=', authorId)]))
    .execute()
  for (const total of totals) {
    const owner = total.user_id === null ? 'organization' : 'member'
    for (const unit of ['memories', 'bytes'] as const) {
      const max = limits[owner][unit]
      if (added[unit] <= 0 || total[unit] <= max) continue
      throw new GatewayError(
        'quota_exceeded',
        `Nothing was saved. The memories of this ${owner} are limited to ${max} ${unit}; ${total[unit] - added[unit]} are ` +
          `in use, and this change needs ${added[unit]} more. Delete memories with memory__forget, or ask the operator ` +
          `of this gateway to raise ${SETTINGS[owner][unit]}.`,
      )
    }
  }
}
