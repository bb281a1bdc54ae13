import { type Static, Type } from '@sinclair/typebox'
import { orNull } from '../primitives/or-null.ts'
import { StringEnum } from '../primitives/string-enum.ts'
import { Timestamp } from '../primitives/time.ts'
import { DisplayName } from './api-key.ts'
import { Policy, SetPolicy } from './policy.ts'

const closed = { additionalProperties: false }

const Owner = Type.String({
  maxLength: 64,
  description: 'The user ID of the member who owns the agent. Only an owner or an admin may name another member.',
})

/** What a new agent can have, in `POST /agents` and `manage__agents_create`. */
export const NewAgent = { name: DisplayName, owner: Type.Optional(Owner) }

/** What can change of an agent, in `PATCH /agents/:id` and `manage__agents_update`. */
export const AgentChange = {
  name: Type.Optional(DisplayName),
  status: Type.Optional(
    StringEnum(['active', 'suspended'], { description: 'active resumes a suspended agent; suspended stops it.' }),
  ),
  owner: Type.Optional(Owner),
  policy: Type.Optional(orNull(Policy, { description: 'What the agent may call; null removes the policy.' })),
}

export const NewAgentRequest = Type.Object(NewAgent, closed)
export type NewAgentRequest = Static<typeof NewAgentRequest>
export const AgentChangeRequest = Type.Object(AgentChange, { ...closed, minProperties: 1 })
export type AgentChangeRequest = Static<typeof AgentChangeRequest>

/** The body of `POST /agents/:id/sign-ins`. */
export const NewSignInRequest = Type.Object(
  {
    token: Type.String({
      maxLength: 16_384,
      description: 'A current token of the agent. Its issuer and subject are linked; the token is not stored.',
    }),
  },
  closed,
)
export type NewSignInRequest = Static<typeof NewSignInRequest>

/** An agent in lists and answers. */
export const AgentEntry = Type.Object({
  id: Type.String(),
  name: Type.String(),
  owner: Type.String(),
  status: StringEnum(['active', 'suspended', 'retired']),
  orphaned: Type.Boolean({ description: 'Whether it is suspended because its owner left.' }),
  created_at: Timestamp,
  sign_ins: Type.Array(
    Type.Object({ id: Type.String(), issuer: Type.String(), subject: Type.String(), created_at: Timestamp }),
    { description: 'The issuers and subjects whose tokens are the agent’s.' },
  ),
  policy: orNull(SetPolicy),
})
export type AgentEntry = Static<typeof AgentEntry>
