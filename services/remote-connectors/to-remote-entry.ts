import type { ConnectorStatus } from '../../schemas/connector.ts'
import type {
  RejectedFields,
  RemoteConnectorEntry,
  RemoteConnectorRead,
  RemoteToolRecord,
} from '../../schemas/remote.ts'
import { remoteCapability, wireName } from '../../schemas/remote-names.ts'
import type { RemoteCatalogEntries } from '../connectors/catalog-entries.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import { isAsMember, type RemoteAuth } from './registration.ts'
import type { RemoteConnector, RemoteConnectors } from './remote-connectors.ts'
import type { PinnedTool } from './snapshot.ts'
import { offerFields } from './to-offer-records.ts'
import { credentialProblem, leftOutReason, unavailableReason } from './unavailable-reason.ts'

const UNAUTHENTICATED =
  'The upstream is called without a credential. Anyone who knows its URL can call it, and it cannot identify the caller.'

/** The status of a registration (docs/remote-connectors.md). */
export function remoteStatus(remote: RemoteConnector): ConnectorStatus {
  const problem = credentialProblem(remote)
  if (problem === 'needs_reauth') return 'needs_reauth'
  return problem !== undefined || remote.snapshot === undefined ? 'disconnected' : 'connected'
}

/** The catalog entry of a registration, as `GET /connectors` lists it. */
export function toRemoteEntry(remote: RemoteConnector, origin: string): RemoteConnectorEntry {
  const { registration, snapshot } = remote
  const { slug, name, upstreamUrl, auth, headers, createdBy, createdAt } = registration
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
      ...credentialOf(remote),
      ...(headers !== undefined && { header_names: [...headers.names] }),
      ...oauthOf(auth),
    },
  }
}

/** The catalog entry of a registration with its tools and, for admins, its rejected tools. */
export function toRemoteRead(
  remote: RemoteConnector,
  { origin, admin, commands }: { origin: string; admin: boolean; commands: OperatorCommands },
): RemoteConnectorRead {
  const entry = toRemoteEntry(remote, origin)
  const { registration, snapshot } = remote
  const capability = remoteCapability(registration.slug)
  const unavailable = unavailableReason(remote, commands) ?? leftOutReason(remote)
  return {
    ...entry,
    remote: {
      ...entry.remote,
      ...(unavailable !== undefined && { next_step: unavailable.explanation }),
      tools: (snapshot?.tools ?? []).map(tool => toolRecord(tool, capability)),
      ...(snapshot !== undefined && offerFields(snapshot.offers, { slug: registration.slug, capability, admin })),
      ...(admin && rejectedFields(remote)),
    },
  }
}

/** The rejected tools of a registration, as the wire has them. */
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
    return `${origin} Its tools are not available. ${registration.snapshotRefusal}`
  if (snapshot === undefined)
    return `${origin} Its tools are not known yet; they will be self-described by the upstream and unverified.`
  const count = snapshot.tools.length
  const tools = count === 1 ? 'Its one tool is' : `Its ${count} tools are`
  const leftOut = leftOutReason(remote)
  const listed = leftOut === undefined ? '' : ` ${leftOut.explanation}`
  return `${origin} ${tools} self-described by the upstream and unverified.${listed}`
}

/** Whose credential the upstream is called with, and whether there is one. */
function credentialOf({ registration, account }: RemoteConnector): Pick<RemoteConnectorEntry['remote'], 'credential'> {
  const { mode } = registration.auth
  if (mode === 'none') return {}
  const connected = mode === 'assertion' || account !== undefined
  return { credential: { per: isAsMember(registration) ? 'member' : 'organization', connected } }
}

/** Omits the ID of a dynamically registered client, which is of no use to a reader. */
function oauthOf(auth: RemoteAuth): Pick<RemoteConnectorEntry['remote'], 'oauth'> {
  if (!('oauth' in auth)) return {}
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
  const { name, originalName, title, description, inputSchema, outputSchema, annotations, meta, hash } = tool
  return {
    name: wireName(capability, name),
    original_name: originalName,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    input_schema: inputSchema,
    ...(outputSchema !== undefined && { output_schema: outputSchema }),
    ...(annotations !== undefined && { annotations }),
    ...(meta !== undefined && { _meta: meta }),
    schema_hash: hash,
  }
}

/** The catalog entries of registrations, which follow those of the built-in connectors. */
export function createRemoteEntries(remotes: Pick<RemoteConnectors, 'list' | 'find'>): RemoteCatalogEntries {
  return {
    async list({ orgId, userId }, origin) {
      return (await remotes.list(orgId, userId)).map(remote => JSON.stringify(toRemoteEntry(remote, origin)))
    },

    async find({ orgId, userId }, slug, origin) {
      const remote = await remotes.find(orgId, slug, userId)
      return remote && JSON.stringify(toRemoteEntry(remote, origin))
    },
  }
}
