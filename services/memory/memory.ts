import { type Static, Type } from '@sinclair/typebox'
import { type Expression, type SqlBool, sql } from 'kysely'
import { GatewayError } from '../../lib/errors/errors.ts'
import { Id } from '../../schemas/primitives/ids.ts'
import { Timestamp } from '../../schemas/primitives/time.ts'
import { MemoryScope } from '../../schemas/tools/memory.ts'
import { type Caller, isAdmin } from '../identity/caller.ts'

/** The maximum length of a memory, in UTF-16 code units. */
export const MEMORY_LENGTH = 16_000

/** The wire form of a memory; `author` is the user ID of a shared memory's author. */
export const Memory = Type.Object({
  id: Id('mem'),
  memory: Type.String(),
  scope: MemoryScope,
  author: Type.Optional(Id('usr')),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export type Memory = Static<typeof Memory>

/** The columns that `toMemory` reads. */
export const COLUMNS = ['id', 'user_id', 'memory', 'scope', 'created_at', 'updated_at'] as const

/** Converts a row to its wire form. */
export function toMemory(row: {
  id: string
  user_id: string
  memory: string
  scope: MemoryScope
  created_at: Date
  updated_at: Date
}): Memory {
  return {
    id: row.id,
    memory: row.memory,
    scope: row.scope,
    ...(row.scope === 'shared' && { author: row.user_id }),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** A memory as one text block. Many clients show only the text to the model, which needs the ID to change a memory. */
export function memoryText({ id, memory, scope, updated_at }: Memory): string {
  return `${memory}\n[${id}, ${scope}, ${updated_at.slice(0, 10)}]`
}

/** A memory as it is stored: sanitized and trimmed. Throws invalid_request if nothing is left. */
export function sanitizeMemory(text: string): string {
  const memory = sanitizeQuery(text)
  if (memory === '') throw new GatewayError('invalid_request', 'The memory is empty. Send the text to remember.')
  return memory
}

/**
 * Removes U+0000, which PostgreSQL cannot store, replaces unpaired surrogates with U+FFFD, as UTF-8 encoders do, and
 * trims the text.
 */
export function sanitizeQuery(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed().trim()
}

const CURSOR_VERSION = '1'

/** The cursor of the page that follows this memory. */
export function pageCursor(lastId: string): string {
  return Buffer.from(`${CURSOR_VERSION}:${lastId}`).toString('base64url')
}

/** The memory ID in a cursor. Throws invalid_request if `pageCursor` did not create the cursor. */
export function readCursor(cursor: string): string {
  const [, id] = /^1:(mem_[0-9a-f]{32})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (id === undefined || pageCursor(id) !== cursor)
    throw new GatewayError(
      'invalid_request',
      'This cursor is not from memory__list_memories. Send next_cursor unchanged, or omit cursor for the first page.',
    )
  return id
}

/** The memories of the organization that a member sees: their own and the shared ones, or those of one scope. */
export function inScope(userId: string, scope?: MemoryScope): Expression<SqlBool> {
  if (scope === 'shared') return sql`memories.scope = 'shared'`
  if (scope === 'private') return sql`memories.scope = 'private' and memories.user_id = ${userId}`
  return sql`(memories.scope = 'shared' or memories.user_id = ${userId})`
}

/** The memories that a member may change: their own, and for an owner or admin also every shared one. */
export function changeableBy(caller: Caller): Expression<SqlBool> {
  return isAdmin(caller) ? inScope(caller.userId) : sql`memories.user_id = ${caller.userId}`
}
