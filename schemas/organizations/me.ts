import { type Static, Type } from '@sinclair/typebox'
import { OwnPlan } from '../billing/plan.ts'
import { orNull } from '../primitives/or-null.ts'
import { StringEnum } from '../primitives/string-enum.ts'
import { Role } from './member.ts'

const closed = { additionalProperties: false }

/** An organization of the caller, and their role in it. */
const OwnOrganization = Type.Object({ id: Type.String(), name: Type.String(), role: Role }, closed)

/** The answer of `GET /me` and `PATCH /me`. */
export const Me = Type.Object(
  {
    user: Type.Object({ id: Type.String(), email: orNull(Type.String()) }, closed),
    organization: Type.Object({ id: Type.String(), name: Type.String() }, closed),
    role: Role,
    organizations: Type.Array(OwnOrganization, {
      description: 'All organizations of the user; for an API key only its own.',
    }),
    standing: StringEnum(['active', 'billing_hold', 'suspended']),
    plan: OwnPlan,
    payments: Type.Object(
      {
        provider: StringEnum(['stripe', 'built_in', 'none']),
        customer: Type.Boolean({ description: 'Whether the organization is a customer of the provider.' }),
      },
      closed,
    ),
    api_key_id: orNull(Type.String()),
    agent_id: orNull(Type.String()),
  },
  closed,
)
export type Me = Static<typeof Me>

/** What a user without an active organization can choose from, in the error of `GET /me`. */
const organizations = Type.Array(OwnOrganization)

/** The error of `GET /me` without an active organization. */
export const NoActiveOrganization = Type.Object({ error: Type.String(), message: Type.String(), organizations }, closed)

/** The error of `GET /me` after the chosen organization removed the user. */
export const RevokedMembership = Type.Object({ error: Type.String(), code: Type.String(), organizations }, closed)

/** The body of `PATCH /me`. Any text: an unknown ID gets 404. */
export const MeChange = Type.Object(
  { active_organization_id: Type.String({ maxLength: 100, description: 'An organization of the user.' }) },
  closed,
)
export type MeChange = Static<typeof MeChange>
