import { type Static, Type } from '@sinclair/typebox'
import { orNull } from './or-null.ts'
import { Role } from './role.ts'
import { Timestamp } from './time.ts'

const closed = { additionalProperties: false }

/** A member in the list of their organization. */
export const Member = Type.Object(
  { user_id: Type.String(), email: orNull(Type.String()), role: Role, joined_at: Timestamp },
  closed,
)
export type Member = Static<typeof Member>

/** The body of `PATCH /members/:userId`. */
export const MemberChange = Type.Object({ role: Role }, closed)
export type MemberChange = Static<typeof MemberChange>
