import { type Static, Type } from '@sinclair/typebox'
import { orNull } from '../primitives/or-null.ts'
import { StringEnum } from '../primitives/string-enum.ts'
import { Timestamp } from '../primitives/time.ts'
import { Role } from './member.ts'

const closed = { additionalProperties: false }

const entry = {
  id: Type.String(),
  email: Type.String(),
  role: Role,
  status: StringEnum(['open', 'expired']),
  invited_by: orNull(Type.String(), { description: 'A user; null for the operator.' }),
  created_at: Timestamp,
  expires_at: Timestamp,
}

/** An invitation that was neither accepted nor revoked. */
export const Invitation = Type.Object(entry, closed)
export type Invitation = Static<typeof Invitation>

/** The body of `POST /invitations`. */
export const NewInvitation = Type.Object(
  { email: Type.String({ minLength: 3, maxLength: 254, description: 'The address to invite.' }), role: Role },
  closed,
)
export type NewInvitation = Static<typeof NewInvitation>

/** The answer of `POST /invitations`. Only the first answer has the link or the token. */
export const CreatedInvitation = Type.Object(
  {
    ...entry,
    next_step: Type.String({ description: 'How the link or the token is used. No email is sent.' }),
    link: Type.Optional(Type.String({ description: 'The page of the dashboard that accepts it; absent without one.' })),
    token: Type.Optional(Type.String({ description: 'The token; only without a dashboard.' })),
  },
  closed,
)
export type CreatedInvitation = Static<typeof CreatedInvitation>

/** The body of `POST /invitations/accept`. */
export const InvitationToken = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 200, description: 'The token: what follows # in the link.' }) },
  closed,
)
export type InvitationToken = Static<typeof InvitationToken>

/** The answer of `POST /invitations/accept`. */
export const JoinedOrganization = Type.Object(
  { organization: Type.Object({ id: Type.String(), name: Type.String() }, closed), role: Role },
  closed,
)
