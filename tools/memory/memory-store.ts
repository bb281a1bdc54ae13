import type { Kysely } from 'kysely'
import { retryRead } from '../../lib/database/database-errors.ts'
import type { Database } from '../../lib/database/tables.ts'
import { boundLocks, forOrg, type OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import type { IdSource } from '../../schemas/ids.ts'
import type { MemoryLimits, MemoryScope } from '../../schemas/limits.ts'
import type { Clock } from '../../schemas/time.ts'
import type { Caller } from '../../services/identity/caller.ts'
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
import { memoryBytes, requireMemoryRoom } from './memory-quota.ts'
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

export interface MemoryStoreOptions {
  db: Kysely<Database>
  clock: Clock
  ids: IdSource
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
