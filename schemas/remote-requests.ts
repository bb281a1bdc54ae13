import { type Static, Type } from '@sinclair/typebox'
import { RegisterRemoteRequest } from './remote.ts'
import { RemoteAuthRequest } from './remote-auth.ts'
import { OverrideChanges } from './remote-overrides.ts'
import { RefreshMode } from './remote-refresh.ts'

const closed = { additionalProperties: false }

/** The hash of a snapshot. */
export const SnapshotHash = Type.String({ pattern: '^[0-9a-f]{64}$', description: '64 lowercase hexadecimal digits.' })

/** The body of POST /connectors/org/:slug/refresh. */
export const RefreshRequest = Type.Object({ accept: Type.Optional(SnapshotHash) }, closed)
export type RefreshRequest = Static<typeof RefreshRequest>

/** The body of POST /connectors/org/:slug/confirm. */
export const ConfirmRequest = Type.Object({ hash: SnapshotHash }, closed)
export type ConfirmRequest = Static<typeof ConfirmRequest>

/** The body of PATCH /connectors/org/:slug. */
export const UpdateRemoteRequest = Type.Object(
  {
    name: Type.Optional(RegisterRemoteRequest.properties.name),
    upstream_url: Type.Optional(RegisterRemoteRequest.properties.upstream_url),
    auth: Type.Optional(RemoteAuthRequest),
    refresh: Type.Optional(RefreshMode),
    overrides: Type.Optional(OverrideChanges),
  },
  { ...closed, minProperties: 1 },
)
export type UpdateRemoteRequest = Static<typeof UpdateRemoteRequest>
