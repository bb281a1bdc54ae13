import type { Static } from '@sinclair/typebox'
import { StringEnum } from './string-enum.ts'

/** The role of a member in their organization. */
export const Role = StringEnum(['owner', 'admin', 'member'])

export type Role = Static<typeof Role>
