import { isDeepStrictEqual } from 'node:util'
import { portableSchema } from '../../lib/portable-schema/portable-schema.ts'
import type { ConnectorStatus } from '../../schemas/organizations/account.ts'
import { remoteCapability, wireName } from '../../schemas/remotes/names.ts'
import type {
  RejectedFields,
  RemoteConnectorEntry,
  RemoteConnectorRead,
  RemoteToolRecord,
} from '../../schemas/remotes/remote.ts'
import type {
  OfferFields,
  PromptRecord,
  ResourceRecord,
  ResourceTemplateRecord,
} from '../../schemas/remotes/resources-and-prompts.ts'
import type { RemoteCatalogEntries } from '../connectors/catalog-entries.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import { classOf, isHidden, overrideState } from './overrides.ts'
import { CANDIDATE_MS, isAsMember, type Registration, type RemoteAuth } from './registration.ts'
import type { RemoteConnector, RemoteConnectors, WaitingSnapshot } from './remote-connectors.ts'
import { toGatewayTemplate, toGatewayUri } from './resource-uri.ts'
import {
  type Offers,
  type PinnedPrompt,
  type PinnedResource,
  type PinnedTemplate,
  type PinnedTool,
  type StoredSnapshot,
  UNDECLARED_CAPABILITIES,
} from './snapshot.ts'
import { credentialProblem, leftOutReason, nextStep } from './unavailable-reason.ts'

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
  const { slug, name, upstreamUrl, auth, headers, createdBy, createdAt, refresh } = registration
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
      refresh,
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
  {
    origin,
    admin,
    pending,
    commands,
  }: { origin: string; admin: boolean; pending?: WaitingSnapshot | undefined; commands: OperatorCommands },
): RemoteConnectorRead {
  const entry = toRemoteEntry(remote, origin)
  const { registration, snapshot } = remote
  const next = nextStep(remote, commands)
  return {
    ...entry,
    remote: {
      ...entry.remote,
      ...(next !== undefined && { next_step: next }),
      tools: [],
      ...(snapshot !== undefined && contentFields(registration, snapshot, admin)),
      ...confirmedField(remote),
      ...(admin && { ...rejectedFields(remote), ...overridesField(remote), ...pendingFields(registration, pending) }),
    },
  }
}

/** What a snapshot publishes, as the wire has it. */
function contentFields(registration: Registration, snapshot: StoredSnapshot, admin: boolean) {
  const { slug } = registration
  const capability = remoteCapability(slug)
  return {
    tools: snapshot.tools.map(tool => toolRecord(tool, capability, { registration, snapshot })),
    ...offerFields(snapshot.offers, { slug, capability, admin }),
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

/** The tools that wait for an admin, as the wire has them. Without `waiting`, only their numbers. */
export function pendingFields(
  registration: Registration,
  waiting?: WaitingSnapshot,
): Pick<RemoteConnectorRead['remote'], 'pending'> {
  const { candidate } = registration
  if (candidate === null) return {}
  const { hash, fetchedAt, changes: count, risky } = candidate
  return {
    pending: {
      full_schema_hash: hash,
      fetched_at: new Date(fetchedAt).toISOString(),
      expires_at: new Date(fetchedAt + CANDIDATE_MS).toISOString(),
      change_count: count,
      risky_count: risky,
      ...(waiting !== undefined && {
        changes: waiting.changes,
        ...contentFields(registration, waiting.snapshot, true),
      }),
    },
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
  const { clientSource, issuer, clientId, scopes, authorizationParams, withoutResource } = auth.oauth
  return {
    oauth: {
      client_source: clientSource,
      issuer,
      ...(clientSource === 'preregistered' && { client_id: clientId }),
      scopes: [...scopes],
      ...(authorizationParams !== undefined && { authorization_params: authorizationParams }),
      ...(withoutResource && { send_resource: false as const }),
    },
  }
}

/** The confirmation of the pinned tools' hints. */
function confirmedField({ registration, snapshot }: RemoteConnector): Pick<RemoteConnectorRead['remote'], 'confirmed'> {
  const { confirmed } = registration
  if (confirmed === null || confirmed.hash !== snapshot?.hash) return {}
  const { hash, by, at } = confirmed
  const confirmed_at = new Date(at).toISOString()
  return { confirmed: { full_schema_hash: hash, confirmed_by_user_id: by, confirmed_at } }
}

function overridesField({ registration, snapshot }: RemoteConnector): Pick<RemoteConnectorRead['remote'], 'overrides'> {
  if (registration.overrides.length === 0) return {}
  return {
    overrides: registration.overrides.map(override => {
      const { originalName, hash: _, setBy, setAt, ...set } = override
      const state = overrideState(override, snapshot)
      const set_at = new Date(setAt).toISOString()
      return { original_name: originalName, ...set, state, set_by_user_id: setBy, set_at }
    }),
  }
}

/** The original names of the tools that changed after an admin had set an override for them. */
export function changedOverridesField({ registration, snapshot }: RemoteConnector): { changed_overrides?: string[] } {
  const changed = registration.overrides.filter(override => overrideState(override, snapshot) !== 'current')
  return changed.length === 0 ? {} : { changed_overrides: changed.map(({ originalName }) => originalName) }
}

function toolRecord(
  tool: PinnedTool,
  capability: string,
  { registration, snapshot }: Pick<RemoteConnector, 'registration' | 'snapshot'>,
): RemoteToolRecord {
  const kind = snapshot && classOf(registration, snapshot, tool)
  const { name, originalName, title, description, inputSchema, outputSchema, annotations, meta, hash, corrections } =
    tool
  return {
    name: wireName(capability, name),
    original_name: originalName,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    input_schema: inputSchema,
    ...listedField(inputSchema),
    ...(outputSchema !== undefined && { output_schema: outputSchema }),
    ...(annotations !== undefined && { annotations }),
    ...(meta !== undefined && { _meta: meta }),
    ...(corrections !== undefined && { corrections: [...corrections] }),
    schema_hash: hash,
    ...(isHidden(registration, tool) && { hidden: true as const }),
    ...(kind !== undefined && { class: kind }),
  }
}

/** The listed form of an input schema, if it differs. */
function listedField(inputSchema: PinnedTool['inputSchema']): Pick<RemoteToolRecord, 'listed_input_schema'> {
  const { schema } = portableSchema(inputSchema)
  return isDeepStrictEqual(schema, { properties: {}, ...inputSchema }) ? {} : { listed_input_schema: schema }
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

/** What an upstream offers besides tools, as the single read of a registration has it. Rejected offers are for admins. */
function offerFields(
  { declared, instructions, resources, templates, prompts, rejected, hash }: Offers,
  { slug, capability, admin }: { slug: string; capability: string; admin: boolean },
): OfferFields {
  return {
    declared_capabilities: declared,
    undeclared_capabilities: [...UNDECLARED_CAPABILITIES],
    ...(instructions !== undefined && { instructions }),
    resources: resources.map(resource => resourceRecord(resource, slug)),
    resource_templates: templates.map(template => templateRecord(template, slug)),
    prompts: prompts.map(prompt => promptRecord(prompt, capability)),
    ...(hash !== '' && { offers_hash: hash }),
    ...(admin &&
      rejected.length > 0 && {
        offers_set_aside: rejected.map(({ originalName, reason }) => ({ original_name: originalName, reason })),
      }),
  }
}

function resourceRecord(resource: PinnedResource, slug: string): ResourceRecord {
  const { uri, hash } = resource
  return { uri: toGatewayUri(slug, uri), original_uri: uri, ...described(resource), schema_hash: hash }
}

function templateRecord(template: PinnedTemplate, slug: string): ResourceTemplateRecord {
  const { uriTemplate, hash } = template
  return {
    uri_template: toGatewayTemplate(slug, uriTemplate),
    original_uri_template: uriTemplate,
    ...described(template),
    schema_hash: hash,
  }
}

function promptRecord(prompt: PinnedPrompt, capability: string): PromptRecord {
  const { name, originalName, title, description, arguments: args, meta, hash } = prompt
  return {
    name: wireName(capability, name),
    original_name: originalName,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    arguments: args.map(argument => ({ ...argument })),
    ...(meta !== undefined && { _meta: meta }),
    schema_hash: hash,
  }
}

function described({ name, title, description, mimeType, annotations, meta }: PinnedResource | PinnedTemplate) {
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mime_type: mimeType }),
    ...(annotations !== undefined && { annotations }),
    ...(meta !== undefined && { _meta: meta }),
  }
}
