import type { Static } from '@sinclair/typebox'
import { StringEnum } from '../primitives/string-enum.ts'

/** A number of memories, and their size in bytes. */
export interface MemoryAmount {
  readonly memories: number
  /** The stored size: texts and search words after compression. */
  readonly bytes: number
}

/** The maximum number and size of memories. */
export interface MemoryLimits {
  readonly organization: MemoryAmount
  readonly member: MemoryAmount
}

/** Who sees a memory. */
export const MemoryScope = StringEnum(['private', 'shared'], {
  description: 'private: only this user sees it. shared: every member of the organization does.',
})

export type MemoryScope = Static<typeof MemoryScope>
