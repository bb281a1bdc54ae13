import type { Actor } from '../../lib/audit/audit.ts'
import { LOOKUP_DEADLINE_MS, retryRead } from '../../lib/database/database-errors.ts'
import { ReadCache } from '../../lib/database/read-cache.ts'
import { forOrg, type OrgDatabase } from '../../lib/database/tenant.ts'
import { GatewayError } from '../../lib/errors/errors.ts'
import { type Place, VaultError } from '../../lib/vault/vault.ts'
import { slugOf } from '../../schemas/remotes/names.ts'
import type { Infrastructure } from '../infrastructure.ts'
import { askOperator, type OperatorCommands } from '../operator/operator-commands.ts'
import { changeIn } from '../organizations/change.ts'

/** The OAuth app that an organization uses for a connector. */
export interface OauthClient {
  readonly id: string
  readonly secret: string
  /** Who configured it: the platform or the organization. */
  readonly source: 'platform' | 'org'
}

/** An organization's own app, without its secret. */
export interface OrgClient {
  readonly connector: string
  readonly clientId: string
  readonly setBy: string | null
  readonly createdAt: Date
  readonly rotatedAt: Date | null
}

/**
 * OAuth apps: the organization's own, else the platform's from OAUTH_CLIENTS. Methods that return an app throw
 * internal_error if the vault key of an organization's app is missing.
 */
export interface OauthClients {
  /** Returns the app for a new connection; undefined if there is none. */
  of(orgId: string, connector: string): Promise<OauthClient | undefined>
  /**
   * Returns the app that a grant was issued to, because only that app can renew it. For an unknown app (`clientId`
   * null), returns the current one.
   */
  ofGrant(orgId: string, connector: string, clientId: string | null): Promise<OauthClient | undefined>
  /** Whether the platform has an app for a connector. */
  hasPlatform(connector: string): boolean
  /** Returns the organization's own apps, without those of its remote connectors. */
  list(orgId: string): Promise<OrgClient[]>
}

/** An app that replaces the current one, if any. */
interface NewOrgClient {
  orgId: string
  connector: string
  clientId: string
  clientSecret: string
  by: Actor
  /** The admin who set it; null for the operator. */
  setBy: string | null
}

/** The OAuth client of this service at a remote connector's authorization server. */
interface RemoteClient {
  /** `org__<slug>` */
  connector: string
  /** The registration that owns the client. */
  remoteId: string
  clientId: string
  /** Null for a public client, which is stored with an empty secret. */
  clientSecret: string | null
  setBy: string
}

/** OAuth apps with their changes. Apps of remote connectors change only through `storeForRemote`. */
export interface ManagedOauthClients extends OauthClients {
  /**
   * Sets or replaces an organization's app. Grants of another client ID stay, but cannot be renewed until an app has
   * that ID again. Throws invalid_request for an empty ID or secret and for an unknown organization.
   */
  set(client: NewOrgClient): Promise<void>
  /** Removes an organization's app, with the same effect on its grants. Returns false if there is none. */
  remove(client: { orgId: string; connector: string; by: Actor }): Promise<boolean>
  /** Stores or replaces the client of a remote connector, in the transaction of its registration. */
  storeForRemote(org: OrgDatabase, client: RemoteClient): Promise<void>
}

interface OauthClientsOptions extends Pick<Infrastructure, 'db' | 'clock' | 'audit' | 'vault' | 'events'> {
  commands: Pick<OperatorCommands, 'setOauthClient'>
  /** The platform's apps by connector (OAUTH_CLIENTS). */
  platform: ReadonlyMap<string, { readonly id: string; readonly secret: string }>
}

/** A cached row with its sealed secret, or the fact that there is none. */
type Cached = { clientId: string; sealed: string } | 'none'

export function createOauthClients({
  db,
  events,
  clock,
  vault,
  audit,
  commands,
  platform,
}: OauthClientsOptions): ManagedOauthClients {
  const cache = new ReadCache<Cached>({ clock, max: 50_000 })
  events.on('oauth_client', ({ orgId, id }) => {
    if (id === null) cache.recheckAll()
    else cache.recheck(keyOf(orgId, id))
  })
  events.onReset(() => cache.recheckAll())

  /** Returns the organization's own app; undefined if it has another client ID than the requested one. */
  async function ownOf(orgId: string, connector: string, clientId?: string): Promise<OauthClient | undefined> {
    const key = keyOf(orgId, connector)
    const row = cache.fresh(key) ?? (await cache.read(key, () => load(orgId, connector)))
    if (row === undefined || row === 'none') return undefined
    const { clientId: id, sealed } = row
    if (clientId !== undefined && id !== clientId) return undefined
    try {
      return { id, secret: vault.open(placeOf(orgId, connector), sealed), source: 'org' }
    } catch (error) {
      throw error instanceof VaultError ? cannotOpen(commands, { orgId, connector, clientId: id }, error) : error
    }
  }

  async function load(orgId: string, connector: string): Promise<Cached> {
    const query = forOrg(db, orgId)
      .selectFrom('oauth_clients')
      .where('connector', '=', connector)
      .select(['client_id as clientId', 'sealed'])
    return (await retryRead(() => query.executeTakeFirst(), LOOKUP_DEADLINE_MS)) ?? 'none'
  }

  function platformOf(connector: string): OauthClient | undefined {
    const app = platform.get(connector)
    return app && { ...app, source: 'platform' }
  }

  async function of(orgId: string, connector: string): Promise<OauthClient | undefined> {
    return (await ownOf(orgId, connector)) ?? platformOf(connector)
  }

  return {
    of,

    async ofGrant(orgId, connector, clientId) {
      if (clientId === null) return of(orgId, connector)
      const shared = platformOf(connector)
      return shared?.id === clientId ? shared : ownOf(orgId, connector, clientId)
    },

    hasPlatform: connector => platform.has(connector),

    async list(orgId) {
      return forOrg(db, orgId)
        .selectFrom('oauth_clients')
        .where('remote_id', 'is', null)
        .orderBy('connector')
        .select([
          'connector',
          'client_id as clientId',
          'set_by as setBy',
          'created_at as createdAt',
          'rotated_at as rotatedAt',
        ])
        .execute()
    },

    async set({ orgId, connector, clientId, clientSecret, by, setBy }) {
      if (clientId.trim() === '' || clientSecret.trim() === '')
        throw new GatewayError('invalid_request', 'An OAuth app needs a client ID and a client secret. Provide both.')
      const { sealed, keyId } = vault.seal(placeOf(orgId, connector), clientSecret)
      const now = new Date(clock.now())
      const row = { client_id: clientId, sealed, key_id: keyId, set_by: setBy }
      await changeIn(db, { orgId, by }, async org => {
        const before = await org
          .selectFrom('oauth_clients')
          .where('connector', '=', connector)
          .select('client_id as clientId')
          .executeTakeFirst()
        await (before === undefined
          ? org.insertInto('oauth_clients', { connector, ...row, created_at: now })
          : org
              .updateTable('oauth_clients')
              .where('connector', '=', connector)
              .set({ ...row, rotated_at: now })
        ).execute()
        const detail = { clientId, ...(before !== undefined && { before: before.clientId }) }
        await audit.record(org, { by, action: 'oauth_client.set', target: connector, detail })
      })
      cache.recheck(keyOf(orgId, connector))
    },

    async remove({ orgId, connector, by }) {
      const removed = await changeIn(db, { orgId, by }, async org => {
        const row = await org
          .deleteFrom('oauth_clients')
          .where('connector', '=', connector)
          .where('remote_id', 'is', null)
          .returning('client_id as clientId')
          .executeTakeFirst()
        if (row === undefined) return false
        await audit.record(org, { by, action: 'oauth_client.remove', target: connector, detail: row })
        return true
      })
      cache.recheck(keyOf(orgId, connector))
      return removed
    },

    async storeForRemote(org, { connector, remoteId, clientId, clientSecret, setBy }) {
      const { sealed, keyId } = vault.seal(placeOf(org.orgId, connector), clientSecret ?? '')
      const row = { client_id: clientId, sealed, key_id: keyId, set_by: setBy }
      const now = new Date(clock.now())
      await org
        .insertInto('oauth_clients', { connector, remote_id: remoteId, ...row, created_at: now })
        .onConflict(conflict => conflict.columns(['org_id', 'connector']).doUpdateSet({ ...row, rotated_at: now }))
        .execute()
    },
  }
}

function cannotOpen(
  commands: OauthClientsOptions['commands'],
  { orgId, connector, clientId }: { orgId: string; connector: string; clientId: string },
  cause: VaultError,
): GatewayError {
  const slug = slugOf(connector)
  const again =
    slug === undefined
      ? `set the app again. ${askOperator(commands.setOauthClient(orgId, connector, clientId))}`
      : `an admin sends \`auth\` again with PATCH /connectors/org/${slug}.`
  return new GatewayError(
    'internal_error',
    `The stored secret of the organization's OAuth app of ${connector} cannot be opened. Ask the operator to add its key ` +
      `to VAULT_KEYS. If that key is lost, ${again}`,
    { cause },
  )
}

function keyOf(orgId: string, connector: string): string {
  return `${orgId} ${connector}`
}

function placeOf(orgId: string, connector: string): Place {
  return { table: 'oauth_clients', column: 'sealed', orgId, id: connector }
}
