import type { ConnectorStatus } from '../../../schemas/connector.ts'
import type {
  RejectedFields,
  RemoteConnectorEntry,
  RemoteConnectorRead,
  RemoteToolRecord,
} from '../../../schemas/remote.ts'
import { remoteCapability, wireName } from '../../../schemas/remote-names.ts'
import type { RemoteAuth } from '../registration.ts'
import type { RemoteConnector } from '../remote-connectors.ts'
import type { PinnedTool } from '../snapshots/snapshot.ts'
import { credentialReason, leftOutReason } from '../unavailable-reason.ts'

const UNAUTHENTICATED =
  'The upstream is called without a credential: whoever knows its URL can call it, and it cannot tell who does.'

/** What a registration is to its organization (decisions.md, Connectors and accounts, status). */
export function remoteStatus(remote: RemoteConnector): ConnectorStatus {
  const unavailable = credentialReason(remote)
  if (unavailable?.reason === 'needs_reauth') return 'needs_reauth'
  return unavailable !== undefined || remote.snapshot === undefined ? 'disconnected' : 'connected'
}

/** The entry of a registration on one origin, as the index has it (spec.md, Connector entry and `remote` object). */
export function remoteEntry(remote: RemoteConnector, origin: string): RemoteConnectorEntry {
  const { registration, snapshot } = remote
  const { slug, name, upstreamUrl, auth, createdBy, createdAt } = registration
  return {
    id: slug,
    kind: 'remote-mcp',
    name,
    description: describe(remote),
    url: `${origin}/connectors/org/${slug}`,
    mcp_url: `${origin}/mcp`,
    status: remoteStatus(remote),
    icon_url: null,
    accounts: [],
    remote: {
      upstream_url: upstreamUrl,
      auth_mode: auth.mode,
      tool_count: snapshot?.tools.length ?? null,
      snapshot_fetched_at: snapshot?.fetchedAt.toISOString() ?? null,
      full_schema_hash: snapshot?.hash ?? null,
      created_by_user_id: createdBy,
      created_at: createdAt.toISOString(),
      ...(auth.mode === 'none' && { warning: UNAUTHENTICATED }),
      ...oauthOf(auth),
    },
  }
}

/** The same as it is read by itself: with its tools, and for admins what was set aside. */
export function remoteRead(
  remote: RemoteConnector,
  { origin, admin }: { origin: string; admin: boolean },
): RemoteConnectorRead {
  const entry = remoteEntry(remote, origin)
  const { registration, snapshot } = remote
  const capability = remoteCapability(registration.slug)
  return {
    ...entry,
    remote: {
      ...entry.remote,
      tools: (snapshot?.tools ?? []).map(tool => toolRecord(tool, capability)),
      ...(admin && rejectedFields(remote)),
    },
  }
}

/** What of a registration's tools is not published, for admins. */
export function rejectedFields({ snapshot }: Pick<RemoteConnector, 'snapshot'>): RejectedFields {
  const { tools = [], count = 0 } = snapshot?.rejected ?? {}
  return {
    set_aside: tools.map(({ originalName, reason }) => ({ original_name: originalName, reason })),
    set_aside_count: count,
  }
}

function describe(remote: RemoteConnector): string {
  const { registration, snapshot } = remote
  const { host } = new URL(registration.upstreamUrl)
  const origin = `A remote MCP server at ${host}, registered by this organization.`
  if (snapshot === undefined && registration.snapshotRefusal)
    return `${origin} It has no tools here. ${registration.snapshotRefusal}`
  if (snapshot === undefined)
    return `${origin} It has not told its tools yet; what it will say of itself is unverified.`
  const count = snapshot.tools.length
  const tools = count === 1 ? 'Its one tool is' : `Its ${count} tools are`
  const leftOut = leftOutReason(remote)
  const listed = leftOut === undefined ? '' : ` ${leftOut.explanation}`
  return `${origin} ${tools} self-described by the upstream and unverified.${listed}`
}

/** The id of a client that was made for this registration tells nobody anything. */
function oauthOf(auth: RemoteAuth): Pick<RemoteConnectorEntry['remote'], 'oauth'> {
  if (auth.mode !== 'oauth') return {}
  const { clientSource, issuer, clientId, scopes } = auth.oauth
  return {
    oauth: {
      client_source: clientSource,
      issuer,
      ...(clientSource === 'preregistered' && { client_id: clientId }),
      scopes: [...scopes],
    },
  }
}

function toolRecord(tool: PinnedTool, capability: string): RemoteToolRecord {
  const { name, originalName, title, description, inputSchema, outputSchema, annotations, hash } = tool
  return {
    name: wireName(capability, name),
    original_name: originalName,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    input_schema: inputSchema,
    ...(outputSchema !== undefined && { output_schema: outputSchema }),
    ...(annotations !== undefined && { annotations }),
    schema_hash: hash,
  }
}
