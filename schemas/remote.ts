import { type Static, Type } from '@sinclair/typebox'
import { ConnectorStatus } from './connector.ts'
import { StringEnum } from './string-enum.ts'
import { Timestamp } from './time.ts'

const closed = { additionalProperties: false }
const NullOr = <T extends ReturnType<typeof Type.String>>(schema: T) => Type.Union([schema, Type.Null()])

/** What a slug looks like; with `org__` before it, it is a capability, and a tool's name can begin with it. */
export const SLUG = '^[a-z0-9](?:[a-z0-9-]{0,18}[a-z0-9])?$'

/** The same in words, as what follows "slug". */
export const SLUG_RULE = 'has 1 to 20 of a-z, 0-9 and dashes, no dash at its beginning or end'

/** How the service authenticates to an upstream. */
export const RemoteAuthMode = StringEnum(['none', 'bearer', 'header', 'oauth'])
export type RemoteAuthMode = Static<typeof RemoteAuthMode>

/** How an OAuth client came to be known to the upstream's authorization server. */
export const ClientSource = StringEnum(['dcr', 'preregistered'])
export type ClientSource = Static<typeof ClientSource>

/** A JSON Schema as an upstream has sent it. */
const UpstreamSchema = Type.Record(Type.String(), Type.Unknown())

/** One published tool of a snapshot: a record of ours, not an upstream MCP Tool (spec.md, `remote` object). */
export const RemoteToolRecord = Type.Object(
  {
    name: Type.String({ description: 'The wire name, as tools/list has it.' }),
    original_name: Type.String({ description: 'What the upstream calls it.' }),
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

/** What of an upstream's tools is not published, and why. */
export const RejectedFields = Type.Object({
  set_aside: Type.Array(Type.Object({ original_name: Type.String(), reason: Type.String() }, closed), {
    description: 'At most 100 of them.',
  }),
  set_aside_count: Type.Integer({ description: 'All of them.' }),
})
export type RejectedFields = Static<typeof RejectedFields>

/** What changed of a tool: what part of it, and what is risky about that. */
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

/** What a refresh has brought, each tool by its wire name (decisions.md, Remote connectors). */
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
      description: 'What the authorization asks for; empty: the upstream published none, and its server decides.',
    }),
  },
  closed,
)

const remote = {
  upstream_url: Type.String(),
  auth_mode: RemoteAuthMode,
  tool_count: Type.Union([Type.Integer(), Type.Null()]),
  snapshot_fetched_at: Type.Union([Timestamp, Type.Null()]),
  full_schema_hash: NullOr(Type.String()),
  created_by_user_id: Type.String(),
  created_at: Timestamp,
  warning: Type.Optional(Type.String()),
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

/** A connector entry of the remote variant, as the index has it (spec.md, Connector entry). */
export const RemoteConnectorEntry = Type.Object({ ...entry, remote: Type.Object(remote, closed) }, closed)
export type RemoteConnectorEntry = Static<typeof RemoteConnectorEntry>

/** The same with its tools, as it is read by itself; `set_aside` for admins alone. */
export const RemoteConnectorRead = Type.Object(
  {
    ...entry,
    remote: Type.Object(
      { ...remote, tools: Type.Array(RemoteToolRecord), ...Type.Partial(RejectedFields).properties },
      closed,
    ),
  },
  closed,
)
export type RemoteConnectorRead = Static<typeof RemoteConnectorRead>

/** What a refresh answers: the single read, and what changed. */
export const RefreshedRemoteConnector = Type.Object(
  { ...RemoteConnectorRead.properties, changes: SnapshotChanges },
  closed,
)
export type RefreshedRemoteConnector = Static<typeof RefreshedRemoteConnector>

/** What client ids and secrets consist of (RFC 6749, appendix A.1 and A.2). */
const VSCHARS = '^[\\x20-\\x7e]*$'

/** How a registration says that somebody signs in to the upstream. */
export const OauthRequest = Type.Object(
  {
    mode: Type.Literal('oauth'),
    client_id: Type.Optional(Type.String({ minLength: 1, maxLength: 2048, pattern: VSCHARS })),
    client_secret: Type.Optional(Type.String({ minLength: 1, maxLength: 8192, pattern: VSCHARS })),
    scopes: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 64 })),
  },
  closed,
)

/** How a registration says that the upstream is authenticated to. */
export const RemoteAuthRequest = Type.Union([
  Type.Object({ mode: Type.Literal('none') }, closed),
  Type.Object({ mode: Type.Literal('bearer'), token: Type.String({ minLength: 1, maxLength: 8192 }) }, closed),
  Type.Object(
    {
      mode: Type.Literal('header'),
      name: Type.String({ minLength: 1, maxLength: 64 }),
      value: Type.String({ minLength: 1, maxLength: 8192 }),
    },
    closed,
  ),
  OauthRequest,
])
export type RemoteAuthRequest = Static<typeof RemoteAuthRequest>

/** The body of POST /connectors/org. */
export const RegisterRemoteRequest = Type.Object(
  {
    slug: Type.String({ pattern: SLUG }),
    name: Type.String({ minLength: 1, maxLength: 80 }),
    upstream_url: Type.String({ minLength: 1, maxLength: 2048 }),
    auth: RemoteAuthRequest,
  },
  closed,
)
export type RegisterRemoteRequest = Static<typeof RegisterRemoteRequest>
