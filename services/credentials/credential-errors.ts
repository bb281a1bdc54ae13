import { GatewayError } from '../../lib/errors/errors.ts'
import type { VaultError } from '../../lib/vault/vault.ts'
import { slugOf } from '../../schemas/remotes/names.ts'
import type { Account, NamedAccount } from '../accounts/account.ts'
import type { GrantConnector } from '../definitions/connector-types.ts'
import type { OperatorCommands } from '../operator/operator-commands.ts'
import type { TokenEndpointError } from './token-endpoint-error.ts'

/** The account and the connector of a credential. */
export interface Subject {
  /** The settings are needed to revoke the grant. */
  account: NamedAccount & Pick<Account, 'settings'>
  connector: GrantConnector
}

/** The error for a credential that the provider no longer accepts, so that someone must authorize it again. */
export function needsReauth(
  commands: OperatorCommands,
  account: NamedAccount,
  connector: GrantConnector,
): GatewayError {
  const named = { ...account, grant: clientGrantOf(connector) }
  return new GatewayError(
    'needs_reauth',
    `${connector.name} ${problemOf(named)}, then call again. ${commands.advise.reauthorize(named)}`,
    { details: commands.errorFields.reauthorize(account) },
  )
}

type ClientGrant = 'client_credentials' | undefined

function clientGrantOf({ auth }: GrantConnector): ClientGrant {
  return auth.type === 'oauth2' ? auth.grant : undefined
}

/** Returns the problem and the remedy. A remote connector may never have accepted its credential. */
function problemOf({ alias, authKind, connector, scope, grant }: NamedAccount & { grant: ClientGrant }): string {
  const isKey = authKind === 'api_key'
  const slug = slugOf(connector)
  if (slug === undefined)
    return `no longer accepts the credential of account "${alias}". ${isKey ? 'Give it a new key' : 'Reauthorize it'}`
  if (grant !== undefined)
    return `no longer accepts the client of registration ${slug}. Give it the client's secret or private key`
  if (scope === 'private')
    return isKey
      ? `does not accept your token (registration ${slug}). Give it a new one`
      : `no longer accepts your authorization (registration ${slug}). Authorize it again`
  return isKey
    ? `does not accept the token of registration ${slug}. Give it a new one`
    : `no longer accepts the authorization of registration ${slug}. Authorize it again`
}

/** The error for a rejected token of the authorizing user. The connector's own token still works. */
export function userNeedsReauth(
  commands: OperatorCommands,
  account: NamedAccount,
  { name }: GrantConnector,
): GatewayError {
  return new GatewayError(
    'scope_missing',
    `This tool acts on ${name} as the user who connected account "${account.alias}", but ${name} no longer accepts that ` +
      "user's token. Tools that act as the connection itself still work. Reauthorize it, then call again. " +
      commands.advise.reauthorize(account),
    { details: { account: account.id, ...commands.errorFields.reauthorize(account) } },
  )
}

/** The error for a stored credential whose vault key is missing, or that was altered. */
export function cannotOpen(
  commands: OperatorCommands,
  account: NamedAccount,
  connector: GrantConnector,
  cause: VaultError,
): GatewayError {
  const advice = commands.advise.reauthorize({ ...account, grant: clientGrantOf(connector) })
  return new GatewayError(
    'internal_error',
    `The stored credential of account "${account.alias}" of ${connector.name} cannot be opened. Ask the operator to add its ` +
      `key to VAULT_KEYS. If that key is lost, reauthorize the account. ${advice}`,
    { cause },
  )
}

/** The error for an account that was removed during the call. */
export function accountGone({ alias }: NamedAccount, { name }: GrantConnector): GatewayError {
  return new GatewayError('account_not_found', `Account "${alias}" of ${name} was removed. Use another account.`)
}

/** The error for an expired token that cannot be renewed now. */
export function notRenewedYet(
  { alias }: NamedAccount,
  { name }: GrantConnector,
  { seconds, cause }: { seconds: number; cause?: unknown },
): GatewayError {
  return new GatewayError(
    'upstream_unavailable',
    `The token of account "${alias}" of ${name} could not be renewed. The account stays connected. ` +
      `Retry in ${seconds} s.`,
    { retryAfter: seconds, cause },
  )
}

/** The error for a new token that the database does not store. */
export function notStoredYet({ alias }: NamedAccount, { name }: GrantConnector, cause: unknown): GatewayError {
  return new GatewayError(
    'internal_error',
    `The new token of account "${alias}" of ${name} cannot be stored. It is held in memory and retried. Ask the ` +
      'operator to check the log before they restart this gateway, then call again.',
    { cause },
  )
}

/** The error for a renewal that the token endpoint rejected for another reason than the grant. */
export function renewalRefused(
  { alias }: NamedAccount,
  { name }: GrantConnector,
  { seconds, cause }: { seconds: number; cause: TokenEndpointError },
): GatewayError {
  return new GatewayError(
    'upstream_unavailable',
    `The token of account "${alias}" could not be renewed: the token endpoint of ${name} rejected the request` +
      `${reasonIn(cause)}. The account stays connected. Ask the operator to check the OAuth ` +
      `app of ${name}. Retry in ${seconds} s.`,
    { retryAfter: seconds, cause },
  )
}

function reasonIn({ code, description }: TokenEndpointError): string {
  if (code === undefined) return ''
  return description === undefined ? ` (${code})` : ` (${code}: “${description}”)`
}

/** The error for a grant whose OAuth app is no longer configured. No other app can renew it. */
export function appGone(
  commands: OperatorCommands,
  account: NamedAccount,
  { id, name }: GrantConnector,
  clientId: string | null,
): GatewayError {
  const app = clientId === null ? '' : ` (client id ${clientId})`
  return new GatewayError(
    'upstream_unavailable',
    `The token of account "${account.alias}" must be renewed, but the OAuth app of ${name} that issued it${app} ` +
      'is no longer configured. Ask the operator to set that app again, in OAUTH_CLIENTS or by running: ' +
      `${commands.setOauthClient(account.orgId, id, clientId ?? undefined)} ; ` +
      `or to reauthorize the account with another app by running: ${commands.reauthorize(account)}`,
  )
}

/** The error for a renewal by another process that takes longer than a call may wait. */
export function renewalTakesLong({ alias }: NamedAccount, { name }: GrantConnector): GatewayError {
  return new GatewayError(
    'upstream_unavailable',
    `The renewal of the token of account "${alias}" of ${name} takes too long. Retry in 5 s.`,
    { retryAfter: 5 },
  )
}
