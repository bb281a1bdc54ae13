import { type Static, Type } from '@sinclair/typebox'
import { ConnectorStatus } from './connector.ts'
import { orNull } from './or-null.ts'
import { StringEnum } from './string-enum.ts'
import { Timestamp } from './time.ts'

const closed = { additionalProperties: false }

/** The pattern of a slug. With the prefix `org__` it is a capability, and tool names can start with it. */
export const SLUG = '^[a-z0-9](?:[a-z0-9-]{0,18}[a-z0-9])?$'

/** The rule in words, to follow "slug". */
export const SLUG_RULE = 'has 1 to 20 of a-z, 0-9 and dashes, no dash at its beginning or end'

/** How the service authenticates to an upstream. */
export const RemoteAuthMode = StringEnum(['none', 'bearer', 'header', 'oauth'])
export type RemoteAuthMode = Static<typeof RemoteAuthMode>

/** Whether one credential serves the whole organization, or each member connects their own. */
export const CREDENTIAL_OWNERS = ['organization', 'member'] as const
export const CredentialPer = StringEnum(CREDENTIAL_OWNERS)
export type CredentialPer = Static<typeof CredentialPer>

/** How the upstream's authorization server knows the OAuth client. */
export const ClientSource = StringEnum(['dcr', 'preregistered'])
export type ClientSource = Static<typeof ClientSource>

/** A JSON Schema from an upstream. */
const UpstreamSchema = Type.Record(Type.String(), Type.Unknown())

/** One published tool of a snapshot, in the gateway's own format and not an MCP Tool. */
export const RemoteToolRecord = Type.Object(
  {
    name: Type.String({ description: 'The name in tools/list.' }),
    original_name: Type.String({ description: 'The name at the upstream.' }),
    title: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    input_schema: UpstreamSchema,
    output_schema: Type.Optional(UpstreamSchema),
    annotations: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    schema_hash: Type.String(),
  },
  closed,
)
export type RemoteToolRecord = Static<typeof RemoteToolRecord>

/** The upstream's tools that are not published, and why. */
export const RejectedFields = Type.Object({
  set_aside: Type.Array(Type.Object({ original_name: Type.String(), reason: Type.String() }, closed), {
    description: 'At most 100.',
  }),
  set_aside_count: Type.Integer({ description: 'The total number.' }),
})
export type RejectedFields = Static<typeof RejectedFields>

/** What changed in a tool, and whether that is risky. */
export const ToolChange = Type.Object(
  {
    name: Type.String(),
    changes: Type.Array(Type.Object({ what: Type.String(), risky: Type.Boolean(), detail: Type.String() }, closed)),
    risky: Type.Boolean(),
  },
  closed,
)
export type ToolChange = Static<typeof ToolChange>

const RenamedTool = Type.Object({ from: Type.String(), to: Type.String(), risky: Type.Boolean() }, closed)

/** The changes of a refresh, each tool by its wire name. */
export const SnapshotChanges = Type.Object(
  {
    added: Type.Array(ToolChange),
    removed: Type.Array(ToolChange),
    changed: Type.Array(ToolChange),
    renamed: Type.Array(RenamedTool),
  },
  closed,
)
export type SnapshotChanges = Static<typeof SnapshotChanges>

const RemoteOauth = Type.Object(
  {
    client_source: ClientSource,
    issuer: Type.String(),
    client_id: Type.Optional(Type.String()),
    scopes: Type.Array(Type.String(), {
      description: 'The requested scopes. Empty if the upstream publishes none and its server decides.',
    }),
  },
  closed,
)

const RemoteCredential = Type.Object(
  {
    per: CredentialPer,
    connected: Type.Boolean({
      description: 'Whether there is a credential: the organization’s or, per member, the caller’s own.',
    }),
  },
  closed,
)

const remote = {
  upstream_url: Type.String(),
  auth_mode: RemoteAuthMode,
  tool_count: orNull(Type.Integer()),
  snapshot_fetched_at: orNull(Timestamp),
  full_schema_hash: orNull(Type.String()),
  created_by_user_id: Type.String(),
  created_at: Timestamp,
  warning: Type.Optional(Type.String()),
  credential: Type.Optional(RemoteCredential),
  oauth: Type.Optional(RemoteOauth),
}

const entry = {
  id: Type.String({ description: 'The slug.' }),
  kind: Type.Literal('remote-mcp'),
  name: Type.String(),
  description: Type.String(),
  url: Type.String(),
  mcp_url: Type.String(),
  status: ConnectorStatus,
  icon_url: Type.Null(),
  accounts: Type.Array(Type.Never(), { maxItems: 0 }),
}

/** A connector entry of the remote variant, as the index has it. */
export const RemoteConnectorEntry = Type.Object({ ...entry, remote: Type.Object(remote, closed) }, closed)
export type RemoteConnectorEntry = Static<typeof RemoteConnectorEntry>

/** A single remote connector with its tools; `set_aside` is visible only to admins. */
export const RemoteConnectorRead = Type.Object(
  {
    ...entry,
    remote: Type.Object(
      {
        ...remote,
        next_step: Type.Optional(
          Type.String({ description: 'Why not all its tools can be called, what must be done, and by whom.' }),
        ),
        tools: Type.Array(RemoteToolRecord),
        ...Type.Partial(RejectedFields).properties,
      },
      closed,
    ),
  },
  closed,
)
export type RemoteConnectorRead = Static<typeof RemoteConnectorRead>

/** The answer of a refresh: the connector, and its changes. */
export const RefreshedRemoteConnector = Type.Object(
  { ...RemoteConnectorRead.properties, changes: SnapshotChanges },
  closed,
)
export type RefreshedRemoteConnector = Static<typeof RefreshedRemoteConnector>

/** The characters of client IDs and secrets (RFC 6749, appendix A.1 and A.2). */
const VSCHARS = '^[\\x20-\\x7e]*$'

const per = Type.Optional(
  StringEnum(CREDENTIAL_OWNERS, {
    description:
      'With `member`, each member connects their own credential, and an admin’s own takes the snapshots. Default: `organization`.',
  }),
)

/** The `auth` of a registration whose upstream uses OAuth. */
export const OauthRequest = Type.Object(
  {
    mode: Type.Literal('oauth'),
    client_id: Type.Optional(Type.String({ minLength: 1, maxLength: 2048, pattern: VSCHARS })),
    client_secret: Type.Optional(Type.String({ minLength: 1, maxLength: 8192, pattern: VSCHARS, writeOnly: true })),
    scopes: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 64 })),
    per,
  },
  closed,
)

/** The `auth` of a registration. */
export const RemoteAuthRequest = Type.Union([
  Type.Object({ mode: Type.Literal('none') }, closed),
  Type.Object(
    { mode: Type.Literal('bearer'), token: Type.String({ minLength: 1, maxLength: 8192, writeOnly: true }), per },
    closed,
  ),
  Type.Object(
    {
      mode: Type.Literal('header'),
      name: Type.String({ minLength: 1, maxLength: 64 }),
      value: Type.String({ minLength: 1, maxLength: 8192, writeOnly: true }),
      per,
    },
    closed,
  ),
  OauthRequest,
])
export type RemoteAuthRequest = Static<typeof RemoteAuthRequest>

/** The body of POST /connectors/org. */
export const RegisterRemoteRequest = Type.Object(
  {
    slug: Type.String({ pattern: SLUG, description: `It ${SLUG_RULE}.` }),
    name: Type.String({ minLength: 1, maxLength: 80 }),
    upstream_url: Type.String({ minLength: 1, maxLength: 2048 }),
    auth: RemoteAuthRequest,
  },
  closed,
)
export type RegisterRemoteRequest = Static<typeof RegisterRemoteRequest>

/** The body of POST /connectors/org/:slug/credential: a token or header value. */
export const RemoteKeyRequest = Type.Object(
  { key: Type.String({ minLength: 1, maxLength: 8192, writeOnly: true }) },
  closed,
)
export type RemoteKeyRequest = Static<typeof RemoteKeyRequest>

/** The body of POST /connectors/org/:slug/credential/authorization. */
export const RemoteAuthorizationRequest = Type.Object(
  {
    redirect_uri: Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'Where the browser is sent after the sign-in: a loopback URI, or the callback of the dashboard.',
    }),
  },
  closed,
)
export type RemoteAuthorizationRequest = Static<typeof RemoteAuthorizationRequest>

/** A sign-in that has begun: open the URL in a browser. */
export const RemoteAuthorization = Type.Object({ authorization_url: Type.String(), state: Type.String() }, closed)
export type RemoteAuthorization = Static<typeof RemoteAuthorization>

/** The body of POST /connectors/org/callback. */
export const RemoteCallbackRequest = Type.Object(
  { search: Type.String({ maxLength: 16_384, description: 'The query of the URL that the browser was sent to.' }) },
  closed,
)
export type RemoteCallbackRequest = Static<typeof RemoteCallbackRequest>
