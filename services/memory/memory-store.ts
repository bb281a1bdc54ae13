import { sql } from 'kysely'
import { retryRead } from '../../lib/database/database-errors.ts'
import { boundLocks, forOrg, type OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { MemoryAmount, MemoryLimits, MemoryScope } from '../../schemas/tools/memory.ts'
import type { Caller } from '../identity/caller.ts'
import type { Infrastructure } from '../infrastructure.ts'
import {
  COLUMNS,
  changeableBy,
  inScope,
  type Memory,
  pageCursor,
  readCursor,
  sanitizeMemory,
  sanitizeQuery,
  toMemory,
} from './memory.ts'
import { rankMemories } from './rank-memories.ts'
import { createIndexCheck } from './search-index.ts'
import { searchVector } from './search-text.ts'

/** The memories of an organization, as its members may see and change them. */
export interface MemoryStore {
  /** Stores a text. Throws invalid_request if it is empty, quota_exceeded if there is no room for it. */
  remember(caller: Caller, memory: string, scope: MemoryScope): Promise<Memory>
  /** Returns the best matches first, of one scope or of all memories that the caller sees. */
  search(caller: Caller, query: string, page: { limit: number; scope?: MemoryScope | undefined }): Promise<Memory[]>
  /** Returns the newest first. Throws invalid_request if `list` did not create the cursor. */
  list(
    caller: Caller,
    page: { limit: number; scope?: MemoryScope | undefined; cursor?: string | undefined },
  ): Promise<{ memories: Memory[]; nextCursor?: string }>
  /**
   * Throws not_found if the caller does not see the memory, admin_required if another member shared it, quota_exceeded
   * if there is no room for a longer text.
   */
  update(
    caller: Caller,
    id: string,
    change: { memory?: string | undefined; scope?: MemoryScope | undefined },
  ): Promise<Memory>
  /** Deletes a memory. Throws not_found and admin_required as `update` does. */
  forget(caller: Caller, id: string): Promise<void>
}

export interface MemoryStoreOptions extends Pick<Infrastructure, 'db' | 'clock' | 'ids'> {
  limits: MemoryLimits
}

export function createMemoryStore({ db, clock, ids, limits }: MemoryStoreOptions): MemoryStore {
  const hasIndex = createIndexCheck({ db, clock })

  return {
    async remember({ orgId, userId }, text, scope) {
      const memory = sanitizeMemory(text)
      const now = new Date(clock.now())
      const row = { id: ids('mem'), user_id: userId, scope, memory, created_at: now, updated_at: now }
      const search = searchVector(memory)
      await forOrg(db, orgId).transaction(async org => {
        await boundLocks(org.db)
        await org.insertInto('memories', { ...row, search }).execute()
        const added = { memories: 1, bytes: await memoryBytes(org, row.id) }
        await requireMemoryRoom(org, { authorId: userId, added, limits })
      })
      return toMemory(row)
    },

    async search({ orgId, userId }, query, { limit, scope }) {
      const wanted = { query: sanitizeQuery(query), limit }
      return retryRead(async () =>
        rankMemories(forOrg(db, orgId), { userId, scope }, { ...wanted, hasIndex: await hasIndex() }),
      )
    },

    async list({ orgId, userId }, { limit, scope, cursor }) {
      const org = forOrg(db, orgId)
      const before = cursor === undefined ? undefined : readCursor(cursor)
      // One scope at a time, each with its own index: a query over both would read other members' private memories.
      const page = (one: MemoryScope) =>
        org
          .selectFrom('memories')
          .select(COLUMNS)
          .where(inScope(userId, one))
          .$if(before !== undefined, query => query.where('id', '<', before ?? ''))
          .orderBy('id', 'desc')
          .limit(limit + 1)
          .execute()
      const scopes = scope === undefined ? (['private', 'shared'] as const) : [scope]
      const pages = await retryRead(() => Promise.all(scopes.map(page)))
      const rows = pages.flat().sort((a, b) => (a.id < b.id ? 1 : -1))
      const memories = rows.slice(0, limit).map(toMemory)
      const last = memories.at(-1)
      return { memories, ...(rows.length > limit && last !== undefined && { nextCursor: pageCursor(last.id) }) }
    },

    async update(caller, id, { memory: text, scope }) {
      const memory = text === undefined ? undefined : sanitizeMemory(text)
      const change = {
        updated_at: new Date(clock.now()),
        ...(memory !== undefined && { memory, search: searchVector(memory) }),
        ...(scope !== undefined && { scope }),
      }
      return forOrg(db, caller.orgId).transaction(async org => {
        await boundLocks(org.db)
        const before = await memoryBytes(org, id)
        const row = await org
          .updateTable('memories')
          .set(change)
          .where('id', '=', id)
          .where(changeableBy(caller))
          .returning(COLUMNS)
          .executeTakeFirst()
        if (row === undefined) throw await refusal(org, caller, id)
        const added = { memories: 0, bytes: (await memoryBytes(org, id)) - before }
        await requireMemoryRoom(org, { authorId: row.user_id, added, limits })
        return toMemory(row)
      })
    },

    async forget(caller, id) {
      const org = forOrg(db, caller.orgId)
      const { numDeletedRows } = await org
        .deleteFrom('memories')
        .where('id', '=', id)
        .where(changeableBy(caller))
        .executeTakeFirstOrThrow()
      if (numDeletedRows === 0n) throw await refusal(org, caller, id)
    },
  }
}

/** The error for a change that found nothing. Another member's private memory looks like one that does not exist. */
async function refusal(org: OrgDatabase, { userId }: Caller, id: string): Promise<GatewayError> {
  const seen = await org
    .selectFrom('memories')
    .select('id')
    .where('id', '=', id)
    .where(inScope(userId))
    .executeTakeFirst()
  return seen === undefined
    ? new GatewayError(
        'not_found',
        `There is no memory ${id}. Find IDs with memory__search_memory or memory__list_memories.`,
      )
    : new GatewayError('admin_required', 'Only its author, an owner or an admin can change a shared memory.')
}

/** The settings of the limits. */
const SETTINGS = {
  organization: { memories: 'MEMORY_MAX_COUNT', bytes: 'MEMORY_MAX_BYTES' },
  member: { memories: 'MEMORY_MAX_COUNT_PER_MEMBER', bytes: 'MEMORY_MAX_BYTES_PER_MEMBER' },
} as const

/** Returns the stored size of a memory in bytes, and locks it until the transaction ends. 0 if it does not exist. */
async function memoryBytes(org: OrgDatabase, id: string): Promise<number> {
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
async function requireMemoryRoom(
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
