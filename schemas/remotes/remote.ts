import { type Static, Type } from '@sinclair/typebox'
import { ConnectorStatus } from '../organizations/account.ts'
import { orNull } from '../primitives/or-null.ts'
import { StringEnum } from '../primitives/string-enum.ts'
import { Timestamp } from '../primitives/time.ts'
import { CredentialPer, RemoteAuthRequest } from './auth.ts'
import { OverrideChanges, OverrideRecord, ToolClass } from './overrides.ts'
import { Confirmed, pending, pendingOptions, RefreshMode } from './refresh.ts'
import { OfferFields } from './resources-and-prompts.ts'

const closed = { additionalProperties: false }

/** The pattern of a slug. With the prefix `org__` it is a capability, and tool names can start with it. */
export const SLUG = '^[a-z0-9](?:[a-z0-9-]{0,18}[a-z0-9])?$'

/** The rule in words, to follow "slug". */
export const SLUG_RULE = 'has 1 to 20 of a-z, 0-9 and dashes, no dash at its beginning or end'

/** How the service authenticates to an upstream. */
export const RemoteAuthMode = StringEnum(['none', 'bearer', 'header', 'oauth', 'client_credentials', 'assertion'])
export type RemoteAuthMode = Static<typeof RemoteAuthMode>

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
    listed_input_schema: Type.Optional({
      ...UpstreamSchema,
      description:
        'The form in tools/list that all model providers take, if it differs. Calls are checked by input_schema.',
    }),
    output_schema: Type.Optional(UpstreamSchema),
    annotations: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    _meta: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'As the upstream sent it, bounded.' }),
    ),
    corrections: Type.Optional(
      Type.Array(Type.String(), { description: 'What is published in a different form than the upstream sent.' }),
    ),
    schema_hash: Type.String(),
    hidden: Type.Optional(Type.Literal(true, { description: 'An admin has hidden it: it is not listed.' })),
    class: Type.Optional(ToolClass),
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
    changes: Type.Array(
      Type.Object(
        {
          what: Type.String(),
          risky: Type.Boolean(),
          detail: Type.String({ description: 'At most 300 characters.' }),
          before: Type.Optional(
            Type.Unknown({ description: 'What was published, in full: a text, a value or a schema.' }),
          ),
          after: Type.Optional(Type.Unknown({ description: 'What is published now.' })),
        },
        closed,
      ),
    ),
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
    authorization_params: Type.Optional(
      Type.Object({}, { additionalProperties: Type.String(), description: 'Further parameters of the sign-in.' }),
    ),
    send_resource: Type.Optional(
      Type.Literal(false, { description: 'Its server refuses `resource`: requests name the access by `scope`.' }),
    ),
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
  refresh: RefreshMode,
  warning: Type.Optional(Type.String()),
  credential: Type.Optional(RemoteCredential),
  header_names: Type.Optional(
    Type.Array(Type.String(), { description: 'The fixed headers that every request carries beside the credential.' }),
  ),
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

/** A single remote connector with its tools; `set_aside` and `pending` are visible only to admins. */
export const RemoteConnectorRead = Type.Object(
  {
    ...entry,
    remote: Type.Object(
      {
        ...remote,
        next_step: Type.Optional(
          Type.String({ description: 'Why some of its tools cannot be called, what must be done, and by whom.' }),
        ),
        tools: Type.Array(RemoteToolRecord),
        ...Type.Partial(OfferFields).properties,
        ...Type.Partial(RejectedFields).properties,
        confirmed: Type.Optional(Confirmed),
        overrides: Type.Optional(Type.Array(OverrideRecord)),
        pending: Type.Optional(
          Type.Object(
            {
              ...pending,
              changes: Type.Optional(SnapshotChanges),
              tools: Type.Optional(Type.Array(RemoteToolRecord)),
              ...Type.Partial(OfferFields).properties,
            },
            pendingOptions,
          ),
        ),
      },
      closed,
    ),
  },
  closed,
)
export type RemoteConnectorRead = Static<typeof RemoteConnectorRead>

/** The answer of storing a credential: the connector, and whether the upstream was asked about the credential. */
export const StoredRemoteCredential = Type.Object(
  {
    ...RemoteConnectorRead.properties,
    unchecked: Type.Optional(
      Type.String({ description: 'Why the upstream could not be asked: the credential is stored, not checked.' }),
    ),
  },
  closed,
)
export type StoredRemoteCredential = Static<typeof StoredRemoteCredential>

/** The result of a refresh besides the connector. */
export const RefreshFields = Type.Object({
  changes: SnapshotChanges,
  applied: Type.Boolean({ description: 'Whether the fetched tools are live.' }),
  full_schema_hash: Type.String({
    description:
      'The hash of everything fetched, to accept it in a later refresh. Without resources, prompts, instructions and _meta, it is that of the tools.',
  }),
})
export type RefreshFields = Static<typeof RefreshFields>

/** The answer of a refresh: the connector, and what the refresh brought. */
export const RefreshedRemoteConnector = Type.Object(
  { ...RemoteConnectorRead.properties, ...RefreshFields.properties },
  closed,
)
export type RefreshedRemoteConnector = Static<typeof RefreshedRemoteConnector>

/** The body of POST /connectors/org. */
export const RegisterRemoteRequest = Type.Object(
  {
    slug: Type.String({ pattern: SLUG, description: `It ${SLUG_RULE}.` }),
    name: Type.String({ minLength: 1, maxLength: 80 }),
    upstream_url: Type.String({ minLength: 1, maxLength: 2048 }),
    auth: RemoteAuthRequest,
    refresh: Type.Optional(RefreshMode),
  },
  closed,
)
export type RegisterRemoteRequest = Static<typeof RegisterRemoteRequest>

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
