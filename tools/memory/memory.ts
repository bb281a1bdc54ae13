import { type Static, Type } from '@sinclair/typebox'
import { Id } from '../../schemas/ids.ts'
import { MemoryScope } from '../../schemas/limits.ts'
import { Timestamp } from '../../schemas/time.ts'

/** Code units that one memory may have: some pages of text. */
export const MEMORY_LENGTH = 16_000

/** A memory as tools answer with it; `author` is the user id of a shared one's author. */
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

/** The wire form of a row. */
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

/** A memory as one text block: many clients show a model nothing but the text, and it needs the id to change one. */
export function memoryText({ id, memory, scope, updated_at }: Memory): string {
  return `${memory}\n[${id}, ${scope}, ${updated_at.slice(0, 10)}]`
}
