import { type Static, Type } from '@sinclair/typebox'
import { orNull } from '../primitives/or-null.ts'
import { StringEnum } from '../primitives/string-enum.ts'
import { Timestamp } from '../primitives/time.ts'

const closed = { additionalProperties: false }

/** The role of a member in their organization. */
export const Role = StringEnum(['owner', 'admin', 'member'])
export type Role = Static<typeof Role>

/** A member in the list of their organization. */
export const Member = Type.Object(
  { user_id: Type.String(), email: orNull(Type.String()), role: Role, joined_at: Timestamp },
  closed,
)
export type Member = Static<typeof Member>

/** The body of `PATCH /members/:userId`. */
export const MemberChange = Type.Object({ role: Role }, closed)
export type MemberChange = Static<typeof MemberChange>
