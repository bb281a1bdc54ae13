import type { CredentialSource } from '../../../schemas/connector.ts'
import type { Account } from '../../accounts/account.ts'
import type { OrgClient } from '../../credentials/oauth-clients.ts'
import type { ConnectorDefinition } from '../../definitions/define-connector.ts'
import type { Caller } from '../../identity/caller.ts'
import { accountEntries, statusOf } from './account-entry.ts'
import { authEntry } from './auth-entry.ts'

/** What an entry depends on beside its connector and the origin. */
export interface EntryFacts {
  caller: Caller
  /** The caller's accounts of this connector. */
  accounts: readonly Account[]
  /** Whose app serves a connect; `org` for admins alone. */
  credentialSource: CredentialSource
}

/** Writes the entry of one connector on one origin as JSON (spec.md, Connector entry). */
export type EntryWriter = (facts: EntryFacts) => string

export interface EntryOptions {
  /** Where the service was called. */
  origin: string
  /** Where the icon lies on it. */
  iconPath: string
  /** False: nobody can connect it any more. */
  offered: boolean
}

/**
 * Makes the writer of a connector: all that is the same for every caller is written here, once. Through a response
 * schema an entry costs more than the whole answer does from these parts.
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
    `,"auth":${JSON.stringify(authEntry(connector, { offered, oauthConfigured }))}`
  const configured = authOf(true)
  const unconfigured = authOf(false)

  return ({ caller, accounts, credentialSource }) => {
    const state = `,"status":"${statusOf(accounts)}","accounts":${accountsJson(connector, caller, accounts)}`
    const begun = head + state + (credentialSource.active === 'none' ? unconfigured : configured)
    return auth.type === 'api_key' ? `${begun}}` : `${begun},"credential_source":${JSON.stringify(credentialSource)}}`
  }
}

function accountsJson(connector: ConnectorDefinition, caller: Caller, accounts: readonly Account[]): string {
  return accounts.length === 0 ? '[]' : JSON.stringify(accountEntries(connector, caller, accounts))
}

/** Whose OAuth app serves a connect; the organization's own is told of only where it is handed over. */
export function credentialSource(
  { orgClients = true }: Pick<ConnectorDefinition, 'orgClients'>,
  { own, hasPlatform, tellOwn }: { own: OrgClient | undefined; hasPlatform: boolean; tellOwn: boolean },
): CredentialSource {
  return {
    active: own !== undefined ? 'org' : hasPlatform ? 'platform' : 'none',
    org_clients_enabled: orgClients,
    ...(own !== undefined &&
      tellOwn && {
        org: {
          client_id: own.clientId,
          set_by: own.setBy,
          created_at: own.createdAt.toISOString(),
          rotated_at: own.rotatedAt?.toISOString() ?? null,
        },
      }),
  }
}
