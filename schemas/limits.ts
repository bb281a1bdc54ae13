import type { Static } from '@sinclair/typebox'
import { StringEnum } from './string-enum.ts'

/** A number of memories and of the bytes that they take up. */
export interface MemoryAmount {
  readonly memories: number
  /** As stored: texts and search words after compression. */
  readonly bytes: number
}

/** The most that may be remembered. */
export interface MemoryLimits {
  readonly organization: MemoryAmount
  readonly member: MemoryAmount
}

/** How many bytes of results are kept for repeated calls. */
export interface ResultLimits {
  /** Of all holders of an organization together. */
  readonly organization: number
  /** Of one holder: an API key, or a user with one OAuth client. */
  readonly holder: number
}

/** Who sees a memory. */
export const MemoryScope = StringEnum(['private', 'shared'], {
  description: 'private: only this user sees it. shared: every member of the organization does.',
})

export type MemoryScope = Static<typeof MemoryScope>
