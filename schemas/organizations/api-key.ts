import { type Static, Type } from '@sinclair/typebox'
import { MOST_MICROS } from '../billing/money.ts'
import { orNull } from '../primitives/or-null.ts'
import { StringEnum } from '../primitives/string-enum.ts'
import { RequestTime, Timestamp } from '../primitives/time.ts'
import { Policy, SetPolicy } from './policy.ts'

const closed = { additionalProperties: false }

// Control, invisible and line characters. Without Unicode classes and lookaheads, which some clients' validators lack.
const HIDDEN = '\\u0000-\\u001f\\u007f-\\u009f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff'

/** The name of a key or an agent: 1 to 100 visible characters on one line. */
export const DisplayName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: `^[^${HIDDEN}]*[^\\s${HIDDEN}][^${HIDDEN}]*$`,
  description: 'What it is for: 1 to 100 characters on one line.',
})

const MonthlyCap = Type.Integer({
  minimum: 0,
  maximum: MOST_MICROS,
  description: 'The maximum that the key may spend in a month (UTC), in micro-dollars.',
})

/** How long the replaced secret of a rotation stays valid: at most 7 days. */
export const OverlapSeconds = Type.Integer({
  minimum: 0,
  maximum: 604_800,
  description: 'How long the old secret stays valid, in seconds: 0 (the default) to 604800, which is 7 days.',
})

const fields = {
  name: Type.Optional(DisplayName),
  expires_at: Type.Optional(RequestTime),
  monthly_cap_micros: Type.Optional(MonthlyCap),
}

/** What a new key can have, in `POST /api-keys` and `manage__keys_create`. */
export const NewApiKey = {
  ...fields,
  agent_id: Type.Optional(
    Type.String({ maxLength: 64, description: 'The agent that the key is for; without it, the key is your own.' }),
  ),
}

/** What can change of a key, in `PATCH /api-keys/:id` and `manage__keys_update`. */
export const ApiKeyChange = {
  name: Type.Optional(DisplayName),
  expires_at: Type.Optional(orNull(RequestTime)),
  monthly_cap_micros: Type.Optional(orNull(MonthlyCap)),
  policy: Type.Optional(orNull(Policy, { description: 'What the key may call; null removes the policy.' })),
}

export const NewApiKeyRequest = Type.Object(NewApiKey, closed)
export const ApiKeyChangeRequest = Type.Object(ApiKeyChange, { ...closed, minProperties: 1 })
export const RotateRequest = Type.Object({ overlap_seconds: Type.Optional(OverlapSeconds) }, closed)
export const ClaimRequest = Type.Object(
  { token: Type.String({ pattern: '^[\\w-]{43}$', description: 'The part of the link after #.' }) },
  closed,
)

/** Whether a key works. */
const KeyStatus = StringEnum(['active', 'expired', 'revoked'])
export type KeyStatus = Static<typeof KeyStatus>

/** An API key in lists and answers: enough to recognize it, never its secret. */
export const ApiKeyEntry = Type.Object({
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String(),
  last4: Type.String(),
  user_id: Type.String(),
  agent_id: orNull(Type.String()),
  status: KeyStatus,
  created_at: Timestamp,
  expires_at: orNull(Timestamp),
  revoked_at: orNull(Timestamp),
  previous: orNull(Type.Object({ last4: Type.String(), expires_at: Timestamp })),
  monthly_cap_micros: orNull(Type.Integer()),
  spent_this_month_micros: Type.Integer(),
  last_used_at: orNull(Timestamp, {
    description: 'When the key last called a tool, to about a second; null if it never did.',
  }),
  policy: orNull(SetPolicy),
})
export type ApiKeyEntry = Static<typeof ApiKeyEntry>

/** The answer to a create, a rotation or a claim. A repetition with the same `Idempotency-Key` lacks `key`. */
export const CreatedApiKey = Type.Object({
  ...ApiKeyEntry.properties,
  key: Type.Optional(Type.String({ description: 'The secret. It is shown only here.' })),
})
