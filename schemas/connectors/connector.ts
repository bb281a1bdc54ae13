import { type Static, Type } from '@sinclair/typebox'
import { AccountScope, AccountStatus, ConnectorStatus } from '../organizations/account.ts'
import { orNull } from '../primitives/or-null.ts'
import { StringEnum } from '../primitives/string-enum.ts'
import { Timestamp } from '../primitives/time.ts'
import { RemoteConnectorEntry } from '../remotes/remote.ts'

const closed = { additionalProperties: false }
const Descriptions = Type.Record(Type.String(), Type.String())

/** The pattern of a connector ID; a tool's name can start with it. */
export const CONNECTOR_ID = '^[a-z0-9]+(-[a-z0-9]+)*$'

/** The categories of connectors. */
export const ConnectorCategory = StringEnum([
  'communication',
  'business',
  'knowledge',
  'productivity',
  'creative',
  'developer',
])
export type ConnectorCategory = Static<typeof ConnectorCategory>

/** An element of a connector entry's `accounts`. */
export const ConnectorAccount = Type.Object(
  {
    id: Type.String(),
    alias: Type.String(),
    identity: Type.String(),
    scope: AccountScope,
    status: AccountStatus,
    can_remove: Type.Boolean(),
    auth_kind: Type.Optional(StringEnum(['oauth2', 'api_key'])),
    key_verified: Type.Optional(Type.Boolean()),
  },
  closed,
)
export type ConnectorAccount = Static<typeof ConnectorAccount>

/** The `auth` object of a connector entry: how accounts connect. */
export const ConnectorAuthEntry = Type.Object(
  {
    type: StringEnum(['oauth2', 'oauth1a', 'api_key']),
    scopes: Type.Array(Type.String()),
    scope_descriptions: Type.Optional(Descriptions),
    optional_scopes: Type.Optional(Type.Array(Type.String())),
    optional_scope_descriptions: Type.Optional(Descriptions),
    user_scopes: Type.Optional(Type.Array(Type.String())),
    user_scope_descriptions: Type.Optional(Descriptions),
    access_summary: Type.Optional(Type.String()),
    api_key_connect: Type.Optional(Type.Boolean()),
    api_key_probe: Type.Optional(Type.Boolean()),
    oauth_configured: Type.Optional(Type.Boolean()),
  },
  closed,
)
export type ConnectorAuthEntry = Static<typeof ConnectorAuthEntry>

/** The OAuth app that serves a connect; `org` is visible only to admins. */
export const CredentialSource = Type.Object(
  {
    active: StringEnum(['platform', 'org', 'none']),
    org_clients_enabled: Type.Boolean(),
    org: Type.Optional(
      Type.Object(
        {
          client_id: Type.String(),
          set_by: orNull(Type.String()),
          created_at: Timestamp,
          rotated_at: orNull(Timestamp),
          connections: Type.Optional(Type.Integer()),
        },
        closed,
      ),
    ),
  },
  closed,
)
export type CredentialSource = Static<typeof CredentialSource>

/** A connector entry of the curated variant, which has no `kind`. */
export const CuratedConnectorEntry = Type.Object(
  {
    id: Type.String(),
    category: ConnectorCategory,
    name: Type.String(),
    description: Type.String(),
    url: Type.String(),
    mcp_url: Type.String(),
    status: ConnectorStatus,
    icon_url: Type.String(),
    accounts: Type.Array(ConnectorAccount),
    auth: ConnectorAuthEntry,
    credential_source: Type.Optional(CredentialSource),
  },
  closed,
)
export type CuratedConnectorEntry = Static<typeof CuratedConnectorEntry>

/** A connector entry of either variant; only the remote variant has `kind`. */
export const ConnectorEntry = Type.Union([CuratedConnectorEntry, RemoteConnectorEntry])
export type ConnectorEntry = Static<typeof ConnectorEntry>

/** `GET /connectors`. */
export const ConnectorIndex = Type.Object({ connectors: Type.Array(ConnectorEntry) }, { additionalProperties: false })
