import { type Static, Type } from '@sinclair/typebox'
import { StringEnum } from '../primitives/string-enum.ts'

const closed = { additionalProperties: false }

// The descriptions are short, because two tools list the whole schema. docs/policies.md explains it.

/** What an argument must be for a rule to apply. */
export const PolicyCondition = Type.Object(
  {
    pointer: Type.String({ minLength: 2, maxLength: 200, pattern: '^/', description: 'An argument, such as /amount.' }),
    is: Type.Optional(Type.Unknown({ description: 'The value.' })),
    in: Type.Optional(Type.Array(Type.Unknown(), { minItems: 1, maxItems: 100, description: 'One of these.' })),
    matches: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'RE2 for the whole text.' })),
    below: Type.Optional(Type.Number({ description: 'Less than this.' })),
    above: Type.Optional(Type.Number({ description: 'Greater than this.' })),
  },
  { ...closed, minProperties: 2 },
)
export type PolicyCondition = Static<typeof PolicyCondition>

export const PolicyRule = Type.Object(
  {
    match: Type.String({
      minLength: 1,
      maxLength: 128,
      description:
        'A tool, a family, a connector, org__<slug>, <prefix>__*, or class:read, class:write, class:destructive.',
    }),
    do: StringEnum(['allow', 'deny'], { description: 'allow is for mode listed; deny wins.' }),
    when: Type.Optional(
      Type.Array(PolicyCondition, { minItems: 1, maxItems: 10, description: 'All must hold for the rule to apply.' }),
    ),
  },
  closed,
)
export type PolicyRule = Static<typeof PolicyRule>

/** What a key, an agent, members of a role or a whole organization may call. The strictest of all policies applies. */
export const Policy = Type.Object(
  {
    mode: StringEnum(['all', 'read_only', 'listed'], {
      description: 'all tools, those that change nothing, or those that a rule allows.',
    }),
    rules: Type.Optional(Type.Array(PolicyRule, { maxItems: 200, description: 'In any order.' })),
    accounts: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: 100,
        uniqueItems: true,
        description: 'The IDs of the accounts that calls may use; without it, all.',
      }),
    ),
  },
  closed,
)
export type Policy = Static<typeof Policy>

/** A policy in an entry: as it was set. */
export const SetPolicy = Type.Unsafe<Policy>(
  Type.Object({}, { additionalProperties: true, description: 'As it was set; null without one.' }),
)

/** The policies that can apply to a caller, from the outermost to the innermost. */
const PolicyLayer = StringEnum(['organization', 'role', 'agent', 'key', 'request'])
export type PolicyLayer = Static<typeof PolicyLayer>

/** The question of `POST /policy/explain`. */
export const PolicyQuestion = Type.Object(
  {
    tool: Type.String({ minLength: 1, maxLength: 128 }),
    arguments: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Those of a call; without them, the answer is about the list.',
      }),
    ),
    key_id: Type.Optional(Type.String({ maxLength: 64, description: 'One of your API keys; as an admin, any key.' })),
    agent_id: Type.Optional(Type.String({ maxLength: 64, description: 'One of your agents; as an admin, any agent.' })),
  },
  closed,
)
export type PolicyQuestion = Static<typeof PolicyQuestion>

/** Which policy decides about a tool. */
export const PolicyExplanation = Type.Object({
  tool: Type.String(),
  decision: StringEnum(['allow', 'deny']),
  layer: Type.Optional(PolicyLayer),
  mode: Type.Optional(Policy.properties.mode),
  rule: Type.Optional(Type.Object({ index: Type.Integer(), match: Type.String() })),
  conditions: Type.Optional(Type.String()),
  explanation: Type.String(),
  depends_on_arguments: Type.Optional(Type.Boolean({ description: 'Whether calls with some arguments are denied.' })),
})
export type PolicyExplanation = Static<typeof PolicyExplanation>
