import type { Static } from '@sinclair/typebox'
import { StringEnum } from './string-enum.ts'

/** What a member may do in his organization. */
export const Role = StringEnum(['owner', 'admin', 'member'])

export type Role = Static<typeof Role>
