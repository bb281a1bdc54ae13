import type { Static } from '@sinclair/typebox'
import { StringEnum } from './string-enum.ts'

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

/** The maximum number of bytes of results stored for repeated calls. */
export interface ResultLimits {
  /** For all callers of an organization together. */
  readonly organization: number
  /** For one caller: an API key, or a user with one OAuth client. */
  readonly holder: number
}

/** Who sees a memory. */
export const MemoryScope = StringEnum(['private', 'shared'], {
  description: 'private: only this user sees it. shared: every member of the organization does.',
})

export type MemoryScope = Static<typeof MemoryScope>
