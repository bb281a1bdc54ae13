import { GatewayError } from '../../lib/errors/errors.ts'
import type { VaultError } from '../../lib/vault/vault.ts'
import { slugOf } from '../../schemas/remote-names.ts'
import type { Account, NamedAccount } from '../accounts/account.ts'
import type { GrantConnector } from '../definitions/define-connector.ts'
import { oauthClientCommand, reauthorizeCommand } from './operator-advice.ts'
import type { TokenEndpointError } from './token-endpoint.ts'

/** Whose credential it is, and of what. */
export interface Subject {
  /** Its settings say where its grant is given back. */
  account: NamedAccount & Pick<Account, 'settings'>
  connector: GrantConnector
}

/** The provider takes the account's credential no more: somebody must authorize it again. */
export function needsReauth(account: NamedAccount, { name }: GrantConnector): GatewayError {
  return new GatewayError(
    'needs_reauth',
    `${name} ${refusedOf(account)}, then call again: ${reauthorizeCommand(account)}`,
  )
}

/** What is not accepted, and what to do: one that is registered may never have been. */
function refusedOf({ alias, authKind, connector }: NamedAccount): string {
  const isKey = authKind === 'api_key'
  const slug = slugOf(connector)
  if (slug === undefined)
    return `does not accept the credential of account "${alias}" any more. ${isKey ? 'Give it a new key' : 'Reauthorize it'}`
  return isKey
    ? `does not accept the token of registration ${slug}. Give it a new one`
    : `does not accept the authorization of registration ${slug} any more. Authorize it again`
}

/** The provider takes the token of the authorizing user no more; the connector's own, beside it, is as good as it was. */
export function userNeedsReauth(account: NamedAccount, { name }: GrantConnector): GatewayError {
  return new GatewayError(
    'scope_missing',
    `This tool acts on ${name} as the user who connected account "${account.alias}", and ${name} does not accept that ` +
      "user's token any more. Tools that act as the connection itself go on. Reauthorize it, then call again: " +
      reauthorizeCommand(account),
    { details: { account: account.id } },
  )
}

/** What is stored is sealed under a key that this process does not have, or was altered. */
export function doesNotOpen(account: NamedAccount, { name }: GrantConnector, cause: VaultError): GatewayError {
  return new GatewayError(
    'internal_error',
    `The credential of account "${account.alias}" of ${name} is kept and does not open here: have an operator give ` +
      `VAULT_KEYS the key that it is sealed under. Where that is lost, reauthorize: ${reauthorizeCommand(account)}`,
    { cause },
  )
}

/** The account was removed under the call. */
export function accountGone({ alias }: NamedAccount, { name }: GrantConnector): GatewayError {
  return new GatewayError('account_not_found', `Account "${alias}" of ${name} was removed. Use another one.`)
}

/** The token has ended and a new one cannot be had now. */
export function notRenewedYet(
  { alias }: NamedAccount,
  { name }: GrantConnector,
  { seconds, cause }: { seconds: number; cause?: unknown },
): GatewayError {
  return new GatewayError(
    'upstream_unavailable',
    `The token of account "${alias}" of ${name} could not be renewed just now. The account is kept. ` +
      `Retry in ${seconds} s.`,
    { retryAfter: seconds, cause },
  )
}

/** A new token has come, and the database does not take it. */
export function notStoredYet({ alias }: NamedAccount, { name }: GrantConnector, cause: unknown): GatewayError {
  return new GatewayError(
    'internal_error',
    `The new token of account "${alias}" of ${name} cannot be stored. It is held in memory and tried again: have an ` +
      'operator look at the log before this gateway is restarted, and call again then.',
    { cause },
  )
}

/** The same, where the token endpoint has answered and said no to something else than the grant. */
export function renewalRefused(
  { alias }: NamedAccount,
  { name }: GrantConnector,
  { seconds, cause }: { seconds: number; cause: TokenEndpointError },
): GatewayError {
  return new GatewayError(
    'upstream_unavailable',
    `The token of account "${alias}" could not be renewed: the token endpoint of ${name} refused the request` +
      `${cause.code === undefined ? '' : ` (${cause.code})`}. The account is kept; an operator should check the OAuth ` +
      `app of ${name}. Retry in ${seconds} s.`,
    { retryAfter: seconds, cause },
  )
}

/** The OAuth app that the grant was issued to is configured no more: no other one can renew it. */
export function appGone(account: NamedAccount, { id, name }: GrantConnector, clientId: string | null): GatewayError {
  const app = clientId === null ? '' : ` (client id ${clientId})`
  return new GatewayError(
    'upstream_unavailable',
    `The token of account "${account.alias}" must be renewed, and the OAuth app of ${name} that it was issued to${app} ` +
      'is not configured any more. Set that app again, in OAUTH_CLIENTS or for the organization: ' +
      `${oauthClientCommand(account.orgId, id, clientId ?? undefined)}; ` +
      `or reauthorize the account with another: ${reauthorizeCommand(account)}`,
  )
}

/** Another process has held the account's renewal for longer than a call may wait. */
export function renewalTakesLong({ alias }: NamedAccount, { name }: GrantConnector): GatewayError {
  return new GatewayError(
    'upstream_unavailable',
    `The token of account "${alias}" of ${name} is being renewed and did not come in time. Retry in 5 s.`,
    { retryAfter: 5 },
  )
}
