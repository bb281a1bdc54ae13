import type { RemoteAuthMode } from '../../schemas/remote.ts'
import { slugOf } from '../../schemas/remote-names.ts'
import type { Account } from '../accounts/account.ts'
import type { ConnectorDefinition } from '../definitions/define-connector.ts'

/** The owner of the account that a command connects, or the account that it reauthorizes. */
interface AccountTarget {
  readonly caller: { readonly orgId: string; readonly userId: string }
  readonly accountId?: string
}

type Connector = Pick<ConnectorDefinition, 'id' | 'auth' | 'settings'>

/** A remote connector of an organization. */
interface Remote {
  readonly orgId: string
  readonly slug: string
}

/** Returns the command that makes an account usable again, with the connect method that created it. */
export function reauthorizeCommand({
  id,
  orgId,
  connector,
  authKind,
}: Pick<Account, 'id' | 'orgId' | 'connector' | 'authKind'>): string {
  const slug = slugOf(connector)
  if (slug !== undefined)
    return remoteConnectCommand({ orgId, slug, auth: { mode: authKind === 'api_key' ? 'bearer' : 'oauth' } })
  return authKind === 'api_key' ? `account add --account ${id} --api-key -` : `account connect --account ${id}`
}

/** Returns the command that gives a remote connector its credential: by signing in, or with a pasted token. */
export function remoteConnectCommand({ orgId, slug, auth }: Remote & { auth: { mode: RemoteAuthMode } }): string {
  return `remote connect ${slug} --org ${orgId}${auth.mode === 'oauth' ? '' : ' --token -'}`
}

/** Returns the command that shows the tools of a hidden remote connector again. */
export function remoteShowCommand({ orgId, slug }: Remote): string {
  return `remote show ${slug} --org ${orgId}`
}

/**
 * Returns the command that connects an account: by signing in at the provider, or with a key if there is no other way.
 */
export function connectCommand(account: AccountTarget, connector: Connector): string {
  return connector.auth.type === 'api_key'
    ? keyCommand(account, connector)
    : `account connect ${target(account, connector)}`
}

/** Returns the command that connects an account with a key from standard input. */
export function keyCommand(account: AccountTarget, connector: Connector): string {
  return `account add ${target(account, connector)} --api-key -`
}

/** Returns the command that connects an account of an OAuth connector with existing tokens. */
export function tokenCommand(account: AccountTarget, connector: Connector): string {
  const tokens = connector.auth.type === 'oauth1a' ? '--token - --token-secret -' : '--access-token -'
  return `account add ${target(account, connector)} ${tokens}`
}

/** Returns the command that sets an organization's own OAuth app. */
export function oauthClientCommand(orgId: string, connectorId: string, clientId = 'CLIENT_ID'): string {
  return `oauth-client set --org ${orgId} --connector ${connectorId} --client-id ${clientId} --client-secret -`
}

/** Returns the command that enables a capability: for one member if it is disabled only for them, else for all. */
export function enableCommand(capability: string, { orgId, userId }: { orgId: string; userId: string | null }): string {
  return `capability enable ${capability} --org ${orgId}${userId === null ? '' : ` --user ${userId}`}`
}

/** Returns the target options of a command. Required settings of a new account appear in capitals. */
function target({ caller: { orgId, userId }, accountId }: AccountTarget, { id, settings }: Connector): string {
  if (accountId !== undefined) return `--account ${accountId}`
  const said = (settings?.required ?? []).map(name => ` --setting ${name}=${name.toUpperCase()}`)
  return `--org ${orgId} --user ${userId} --connector ${id}${said.join('')}`
}
