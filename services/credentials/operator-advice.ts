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

/** A registered upstream. */
interface Remote {
  readonly orgId: string
  readonly slug: string
}

/** The command that makes an account usable again, through the door that it came in by. */
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

/** The command that gives a registered upstream its credential: by signing in there, or with what is pasted. */
export function remoteConnectCommand({ orgId, slug, auth }: Remote & { auth: { mode: RemoteAuthMode } }): string {
  return `remote connect ${slug} --org ${orgId}${auth.mode === 'oauth' ? '' : ' --token -'}`
}

/** The command that gives an organization the tools of a hidden upstream back. */
export function remoteShowCommand({ orgId, slug }: Remote): string {
  return `remote show ${slug} --org ${orgId}`
}

/** The command that connects an account: by signing in at the provider, or with a key where that is the only way. */
export function connectCommand(account: AccountTarget, connector: Connector): string {
  return connector.auth.type === 'api_key'
    ? keyCommand(account, connector)
    : `account connect ${target(account, connector)}`
}

/** The command that connects an account with a key, which is read from standard input. */
export function keyCommand(account: AccountTarget, connector: Connector): string {
  return `account add ${target(account, connector)} --api-key -`
}

/** The command that connects an account of an OAuth connector with tokens from elsewhere. */
export function tokenCommand(account: AccountTarget, connector: Connector): string {
  const tokens = connector.auth.type === 'oauth1a' ? '--token - --token-secret -' : '--access-token -'
  return `account add ${target(account, connector)} ${tokens}`
}

/** The command that gives an organization an OAuth app of its own. */
export function oauthClientCommand(orgId: string, connectorId: string, clientId = 'CLIENT_ID'): string {
  return `oauth-client set --org ${orgId} --connector ${connectorId} --client-id ${clientId} --client-secret -`
}

/** The command that switches a capability on again: for a member where it is off for him alone, else for all. */
export function enableCommand(capability: string, { orgId, userId }: { orgId: string; userId: string | null }): string {
  return `capability enable ${capability} --org ${orgId}${userId === null ? '' : ` --user ${userId}`}`
}

/** The account of a command; a setting that the member of a new one has to say stands in capitals. */
function target({ caller: { orgId, userId }, accountId }: AccountTarget, { id, settings }: Connector): string {
  if (accountId !== undefined) return `--account ${accountId}`
  const said = (settings?.required ?? []).map(name => ` --setting ${name}=${name.toUpperCase()}`)
  return `--org ${orgId} --user ${userId} --connector ${id}${said.join('')}`
}
