import { LRUCache } from 'lru-cache'
import type { ConnectorAccount, ConnectorAuthEntry, CredentialSource } from '../../schemas/connectors/connector.ts'
import type { ConnectorStatus } from '../../schemas/organizations/account.ts'
import { type Account, canRemove } from '../accounts/account.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { groupByConnector, labelAccounts } from '../accounts/aliases.ts'
import type { OauthClients, OrgClient } from '../credentials/oauth-clients.ts'
import { apiKeyMethodOf, type ConnectorDefinition, type Scopes } from '../definitions/connector-types.ts'
import { type Caller, isAdmin } from '../identity/caller.ts'
import type { SurfaceVersions } from '../organizations/surface-versions.ts'

/** The catalog of connectors as one caller sees it. */
export interface CatalogEntries {
  /** Returns the JSON of `GET /connectors`, synchronously while it is cached. */
  index(caller: Caller, origin: string): Buffer | Promise<Buffer>
  /**
   * Returns the JSON of one catalog entry: of a connector that is offered or on which the caller still has accounts,
   * else of the remote connector with this slug. Returns undefined for all other IDs.
   */
  find(caller: Caller, id: string, origin: string): Promise<string | undefined>
  /** Whether the caller may address a curated connector: it is offered, or they still have accounts on it. */
  serves(caller: Caller, id: string): Promise<boolean>
  /** Returns an account as the entry of its connector shows it to the caller, even if the caller no longer sees it. */
  accountEntry(caller: Caller, account: Account): Promise<ConnectorAccount>
}

/** The catalog entries of an organization's remote connectors, as JSON. */
export interface RemoteCatalogEntries {
  /** Returns all entries of the caller's organization, in the order of the index. */
  list(caller: Caller, origin: string): Promise<readonly string[]>
  /** Returns the entry of one slug. */
  find(caller: Caller, slug: string, origin: string): Promise<string | undefined>
}

interface CatalogEntriesOptions {
  /** The offered connectors by ID, in the order of the index. */
  offered: ReadonlyMap<string, ConnectorDefinition>
  /** All connectors of the catalog, including those that are no longer offered. */
  known: ReadonlyMap<string, ConnectorDefinition>
  accounts: Pick<Accounts, 'visibleTo' | 'connectionsOf'>
  oauthClients: Pick<OauthClients, 'hasPlatform' | 'list'>
  /** The remote connectors of the organization. They come last in the index. */
  registered: RemoteCatalogEntries
  icons: { urlPath(connector: string): string }
  versions: SurfaceVersions
}

/** The data of a caller's entries, read together. */
interface View {
  caller: Caller
  accounts: ReadonlyMap<string, readonly Account[]>
  orgClients: ReadonlyMap<string, OrgClient>
}

/** The maximum size of the cached indexes, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024
/** The maximum number of origins for which the shared parts are cached. */
const MAX_ORIGINS = 64

export function createCatalogEntries(options: CatalogEntriesOptions): CatalogEntries {
  const { offered, known, accounts, oauthClients, registered, icons, versions } = options
  const writers = new LRUCache<string, Map<string, EntryWriter>>({ max: MAX_ORIGINS })
  const indexes = new LRUCache<string, { version: number; json: Buffer }>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ json }, key) => json.byteLength + key.length,
  })

  function writerOf(connector: ConnectorDefinition, origin: string): EntryWriter {
    let ofOrigin = writers.get(origin)
    if (ofOrigin === undefined) {
      ofOrigin = new Map()
      writers.set(origin, ofOrigin)
    }
    let writer = ofOrigin.get(connector.id)
    if (writer === undefined) {
      const { id } = connector
      writer = entryWriter(connector, { origin, iconPath: icons.urlPath(id), offered: offered.has(id) })
      ofOrigin.set(id, writer)
    }
    return writer
  }

  async function viewOf(caller: Caller): Promise<View> {
    const [visible, clients] = await Promise.all([accounts.visibleTo(caller), oauthClients.list(caller.orgId)])
    return {
      caller,
      accounts: groupByConnector(visible),
      orgClients: new Map(clients.map(client => [client.connector, client])),
    }
  }

  function sourceOf(connector: ConnectorDefinition, { caller, orgClients }: View) {
    return credentialSource(connector, {
      own: orgClients.get(connector.id),
      hasPlatform: oauthClients.hasPlatform(connector.id),
      includeOrgApp: isAdmin(caller),
    })
  }

  function entry(connector: ConnectorDefinition, origin: string, view: View, source = sourceOf(connector, view)) {
    const ofConnector = view.accounts.get(connector.id) ?? []
    return writerOf(connector, origin)({ caller: view.caller, accounts: ofConnector, credentialSource: source })
  }

  async function load(caller: Caller, origin: string, key: string): Promise<Buffer> {
    // Read the version before the data: after a change in between, the next request builds the index again.
    const version = await versions.current(caller.orgId)
    const stored = indexes.get(key)
    if (stored?.version === version) return stored.json
    const [view, ofUpstreams] = await Promise.all([viewOf(caller), registered.list(caller, origin)])
    const curated = Array.from(offered.values(), connector => entry(connector, origin, view))
    const json = Buffer.from(`{"connectors":[${[...curated, ...ofUpstreams].join()}]}`)
    indexes.set(key, { version, json })
    return json
  }

  /** Returns the entry of a curated connector that the caller may address. */
  async function findCurated(caller: Caller, id: string, origin: string): Promise<string | undefined> {
    const connector = offered.get(id) ?? known.get(id)
    if (connector === undefined) return undefined
    const view = await viewOf(caller)
    if (!offered.has(id) && !view.accounts.has(id)) return undefined
    const source = sourceOf(connector, view)
    if (source.org === undefined || connector.auth.type === 'api_key') return entry(connector, origin, view, source)
    const connections = await accounts.connectionsOf(caller.orgId, id, source.org.client_id)
    return entry(connector, origin, view, { ...source, org: { ...source.org, connections } })
  }

  return {
    index(caller, origin) {
      const key = `${caller.orgId} ${caller.userId} ${caller.role} ${origin}`
      const version = versions.fresh(caller.orgId)
      const stored = version === undefined ? undefined : indexes.get(key)
      return stored !== undefined && stored.version === version ? stored.json : load(caller, origin, key)
    },

    async find(caller, id, origin) {
      return (await findCurated(caller, id, origin)) ?? registered.find(caller, id, origin)
    },

    async serves(caller, id) {
      if (offered.has(id)) return true
      return (await accounts.visibleTo(caller)).some(({ connector }) => connector === id)
    },

    async accountEntry(caller, account) {
      const { id, connector } = account
      const definition = offered.get(connector) ?? known.get(connector)
      const visible = (await accounts.visibleTo(caller)).filter(each => each.connector === connector)
      const shown = visible.some(each => each.id === id) ? visible : [account]
      const entry = toAccountEntries(definition, caller, shown).find(each => each.id === id)
      if (entry === undefined) throw new Error(`No entry for ${id}`)
      return entry
    },
  }
}

/** The variable input of a catalog entry. The rest depends only on the connector and the origin. */
interface EntryInput {
  caller: Caller
  /** The caller's accounts of this connector. */
  accounts: readonly Account[]
  /** The source of the OAuth app; `org` only for admins. */
  credentialSource: CredentialSource
}

/** Writes the catalog entry of one connector on one origin as JSON. */
type EntryWriter = (input: EntryInput) => string

interface EntryOptions {
  /** The public origin that was called. */
  origin: string
  /** The path of the icon on that origin. */
  iconPath: string
  /** If false, the connector can no longer be connected. */
  offered: boolean
}

/**
 * Creates the writer of a connector. It serializes once what is the same for all callers, because serializing each
 * entry through a response schema costs more than the rest of the response.
 */
export function entryWriter(connector: ConnectorDefinition, { origin, iconPath, offered }: EntryOptions): EntryWriter {
  const { id, category, name, description, auth } = connector
  const head = JSON.stringify({
    id,
    category,
    name,
    description,
    url: `${origin}/connectors/${id}`,
    mcp_url: `${origin}/mcp`,
    icon_url: `${origin}${iconPath}`,
  }).slice(0, -1)
  const authOf = (oauthConfigured: boolean) =>
    `,"auth":${JSON.stringify(toAuthEntry(connector, { offered, oauthConfigured }))}`
  const configured = authOf(true)
  const unconfigured = authOf(false)

  return ({ caller, accounts, credentialSource }) => {
    const state = `,"status":"${statusOf(accounts)}","accounts":${accountsJson(connector, caller, accounts)}`
    const start = head + state + (credentialSource.active === 'none' ? unconfigured : configured)
    return auth.type === 'api_key' ? `${start}}` : `${start},"credential_source":${JSON.stringify(credentialSource)}}`
  }
}

function accountsJson(connector: ConnectorDefinition, caller: Caller, accounts: readonly Account[]): string {
  return accounts.length === 0 ? '[]' : JSON.stringify(toAccountEntries(connector, caller, accounts))
}

/** Returns the source of a connector's OAuth app. The organization's own app is included only on request. */
function credentialSource(
  { orgClients = true }: Pick<ConnectorDefinition, 'orgClients'>,
  { own, hasPlatform, includeOrgApp }: { own: OrgClient | undefined; hasPlatform: boolean; includeOrgApp: boolean },
): CredentialSource {
  return {
    active: own !== undefined ? 'org' : hasPlatform ? 'platform' : 'none',
    org_clients_enabled: orgClients,
    ...(own !== undefined &&
      includeOrgApp && {
        org: {
          client_id: own.clientId,
          set_by: own.setBy,
          created_at: own.createdAt.toISOString(),
          rotated_at: own.rotatedAt?.toISOString() ?? null,
        },
      }),
  }
}

/** Returns the `auth` object of an entry. A connector that is no longer offered accepts no keys. */
function toAuthEntry(
  connector: Pick<ConnectorDefinition, 'auth'>,
  { offered, oauthConfigured }: { offered: boolean; oauthConfigured: boolean },
): ConnectorAuthEntry {
  const { auth } = connector
  const method = apiKeyMethodOf(connector)
  return {
    type: auth.type,
    ...grants(auth),
    ...(method !== undefined && { api_key_connect: offered, api_key_probe: method.probe !== false }),
    ...(auth.type !== 'api_key' && { oauth_configured: oauthConfigured }),
  }
}

/** Either an access summary or scopes; empty scopes for connectors that only accept keys. */
function grants(auth: ConnectorDefinition['auth']): Omit<ConnectorAuthEntry, 'type'> {
  if (auth.type === 'api_key') return { scopes: [] }
  if (auth.accessSummary !== undefined) return { scopes: [], access_summary: auth.accessSummary }
  const { scopes, optionalScopes, userScopes } = auth
  return {
    scopes: Object.keys(scopes),
    scope_descriptions: plain(scopes),
    ...(optionalScopes !== undefined && {
      optional_scopes: Object.keys(optionalScopes),
      optional_scope_descriptions: plain(optionalScopes),
    }),
    ...(userScopes !== undefined && {
      user_scopes: Object.keys(userScopes),
      user_scope_descriptions: plain(userScopes),
    }),
  }
}

const plain = (scopes: Scopes): Record<string, string> => ({ ...scopes })

/**
 * Returns the accounts of one connector that a caller sees, under the caller's labels. Without `connector` if this
 * version no longer has it.
 */
function toAccountEntries(
  connector: Pick<ConnectorDefinition, 'auth'> | undefined,
  caller: Caller,
  accounts: readonly Account[],
): ConnectorAccount[] {
  const takesKeys = connector !== undefined && apiKeyMethodOf(connector) !== undefined
  return [...labelAccounts(accounts)].map(([label, account]) => {
    const { id, identity, scope, status, authKind, keyVerified } = account
    return {
      id,
      alias: label,
      identity,
      scope,
      status,
      can_remove: canRemove(caller, account),
      ...(takesKeys && authKind !== 'oauth1a' && { auth_kind: authKind }),
      ...(authKind === 'api_key' && { key_verified: keyVerified === true }),
    }
  })
}

/** Returns the status of a connector for a caller with these accounts. */
function statusOf(accounts: readonly Pick<Account, 'status'>[]): ConnectorStatus {
  if (accounts.length === 0) return 'disconnected'
  return accounts.some(({ status }) => status === 'connected') ? 'connected' : 'needs_reauth'
}
