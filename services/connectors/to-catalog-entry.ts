import type {
  ConnectorAccount,
  ConnectorAuthEntry,
  ConnectorStatus,
  CredentialSource,
} from '../../schemas/connector.ts'
import { type Account, canRemove } from '../accounts/account.ts'
import { labelAccounts } from '../accounts/aliases.ts'
import type { OrgClient } from '../credentials/oauth-clients.ts'
import { apiKeyMethodOf, type ConnectorDefinition, type Scopes } from '../definitions/define-connector.ts'
import type { Caller } from '../identity/caller.ts'

/** The variable input of a catalog entry. The rest depends only on the connector and the origin. */
interface EntryInput {
  caller: Caller
  /** The caller's accounts of this connector. */
  accounts: readonly Account[]
  /** The source of the OAuth app; `org` only for admins. */
  credentialSource: CredentialSource
}

/** Writes the catalog entry of one connector on one origin as JSON. */
export type EntryWriter = (input: EntryInput) => string

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
export function credentialSource(
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
    ...(method !== undefined && { api_key_connect: offered, api_key_probe: method.probe }),
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
export function toAccountEntries(
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
