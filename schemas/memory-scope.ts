import type { Static } from '@sinclair/typebox'
import { StringEnum } from './string-enum.ts'

/** Who sees a memory. */
export const MemoryScope = StringEnum(['private', 'shared'], {
  description: 'private: only this user sees it. shared: every member of the organization does.',
})

export type MemoryScope = Static<typeof MemoryScope>
