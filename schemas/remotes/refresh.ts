import { type Static, Type } from '@sinclair/typebox'
import { StringEnum } from '../primitives/string-enum.ts'
import { Timestamp } from '../primitives/time.ts'

const closed = { additionalProperties: false }

/** Who decides about an upstream's changes: an admin about all, or the gateway about those that are not risky. */
export const RefreshMode = StringEnum(['manual', 'harmless'])
export type RefreshMode = Static<typeof RefreshMode>

/** A snapshot that waits for an admin, as its registration stores it. */
export interface Candidate {
  readonly v: 1
  readonly snapshotId: string
  readonly hash: string
  /** In milliseconds since 1970. */
  readonly fetchedAt: number
  /** How many tools changed, and how many of the changes are risky. */
  readonly changes: number
  readonly risky: number
}

/** The pinned tools whose hints an admin has confirmed, as their registration stores it. */
export interface Confirmation {
  readonly v: 1
  /** The hash of the snapshot. */
  readonly hash: string
  readonly by: string
  /** In milliseconds since 1970. */
  readonly at: number
}

/** The fields of the tools that wait for an admin. */
export const pending = {
  full_schema_hash: Type.String({
    description: 'Accepting this hash makes exactly these tools, resources and prompts live.',
  }),
  fetched_at: Timestamp,
  expires_at: Timestamp,
  change_count: Type.Integer(),
  risky_count: Type.Integer(),
}
export const pendingOptions = {
  ...closed,
  description: 'The server’s later tools, which wait for an admin. Only admins see them.',
}

/** The confirmation of the pinned tools' hints, in an entry. */
export const Confirmed = Type.Object(
  { full_schema_hash: Type.String(), confirmed_by_user_id: Type.String(), confirmed_at: Timestamp },
  { ...closed, description: 'Who has confirmed the hints of the pinned tools. Absent for other tools than these.' },
)

/** The pending tools of a registration, which only admins see. */
export const PendingFields = Type.Object({ pending: Type.Object(pending, pendingOptions) })

/** The hash of a snapshot. */
export const SnapshotHash = Type.String({ pattern: '^[0-9a-f]{64}$', description: '64 lowercase hexadecimal digits.' })

/** The body of POST /connectors/org/:slug/refresh. */
export const RefreshRequest = Type.Object({ accept: Type.Optional(SnapshotHash) }, closed)
export type RefreshRequest = Static<typeof RefreshRequest>

/** The body of POST /connectors/org/:slug/confirm. */
export const ConfirmRequest = Type.Object({ hash: SnapshotHash }, closed)
export type ConfirmRequest = Static<typeof ConfirmRequest>
