import { type Static, Type } from '@sinclair/typebox'
import { StringEnum } from '../primitives/string-enum.ts'

const closed = { additionalProperties: false }

/** What a call of a tool does at the upstream. */
export const ToolClass = StringEnum(['read', 'write', 'destructive'])
export type ToolClass = Static<typeof ToolClass>

/** What an admin sets for one tool of a remote connector. */
export const ToolOverride = Type.Object(
  {
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    description: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
    hidden: Type.Optional(Type.Boolean({ description: 'Whether the tool is neither listed nor found.' })),
    fixed: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Arguments that every call gets. They are not in the listed schema, and callers cannot send them.',
      }),
    ),
    class: Type.Optional(ToolClass),
  },
  { ...closed, minProperties: 1 },
)
export type ToolOverride = Static<typeof ToolOverride>

/** An override as its registration stores it. */
export interface StoredOverride extends ToolOverride {
  readonly originalName: string
  /** The `schema_hash` of the tool when the override was set. */
  readonly hash: string
  readonly setBy: string
  /** In milliseconds since 1970. */
  readonly setAt: number
}

/** Changes of overrides, by the original name of the tool. An override replaces the former one of its tool; null removes it. */
export const OverrideChanges = Type.Record(Type.String(), Type.Union([ToolOverride, Type.Null()]), {
  description: 'By the original name of a tool. Each replaces the former override of its tool; null removes it.',
})
export type OverrideChanges = Static<typeof OverrideChanges>

/** An override in the entry that admins read. */
export const OverrideRecord = Type.Object(
  {
    original_name: Type.String(),
    ...ToolOverride.properties,
    state: StringEnum(['current', 'changed', 'missing'], {
      description: 'Whether the tool is as it was when the override was set.',
    }),
    set_by_user_id: Type.String(),
    set_at: Type.String(),
  },
  closed,
)
export type OverrideRecord = Static<typeof OverrideRecord>
