import { LRUCache } from 'lru-cache'
import type { ConnectorAccount } from '../../schemas/connector.ts'
import type { Account } from '../accounts/account.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { groupByConnector } from '../accounts/aliases.ts'
import type { OauthClients, OrgClient } from '../credentials/oauth-clients.ts'
import type { ConnectorDefinition } from '../definitions/define-connector.ts'
import { type Caller, isAdmin } from '../identity/caller.ts'
import type { SurfaceVersions } from '../organizations/surface-versions.ts'
import { credentialSource, type EntryWriter, entryWriter, toAccountEntries } from './to-catalog-entry.ts'

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
