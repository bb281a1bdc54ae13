import type { Actor } from '../../../lib/audit/audit.ts'
import { randomSecret } from '../../../lib/random-secret.ts'
import type { Account } from '../../accounts/account.ts'
import type { Accounts } from '../../accounts/accounts.ts'
import type { IssuedCredential } from '../../credentials/credential.ts'
import type { OauthClient, OauthClients } from '../../credentials/oauth-clients.ts'
import { type TokenEndpoint, withAccountEndpoints } from '../../credentials/token-endpoint.ts'
import type { ConnectorDefinition } from '../../definitions/connector-types.ts'
import type { Caller } from '../../identity/caller.ts'
import type { Infrastructure } from '../../infrastructure.ts'
import type { CheckRequest } from './check-request.ts'
import { accessDeclined, isOauth1, isOauth2, requireClient, withConnectErrors } from './connect-errors.ts'
import type { ConnectRequest } from './connect-request.ts'
import type { IdentifyAccount } from './identify-account.ts'
import { authorizationUrl, type Callback, readCallback } from './oauth-redirect.ts'
import type { Oauth1Tokens } from './oauth1-tokens.ts'
import type { PendingAccountAuthorization, PendingAuthorizations } from './pending-authorizations.ts'
import type { StoreConnection } from './store-connection.ts'

/** A request to begin an authorization at the provider. */
export interface BeginRequest extends ConnectRequest {
  /** The URL that the provider redirects the person to. */
  redirectUri: string
  /** The optional scopes to request; all of them if absent. */
  optionalScopes?: readonly string[]
}

/** An authorization that waits for the person. */
interface BegunAuthorization {
  authorizationUrl: string
  /** The identifier that the callback carries: `state`, or `oauth_token` of OAuth 1.0a. */
  state: string
}

/** The connect method that uses the provider's own pages. */
export interface OauthConnectMethod {
  /** Begins an authorization (OAuth 2 or 1.0a). It is single-use, bound to the member, and valid for ten minutes. */
  begin(request: BeginRequest): Promise<BegunAuthorization>
  /** Finishes an authorization with its callback: the URL, or its parameters. */
  finish(answer: { caller: Caller; by?: Actor; callback: string | URLSearchParams }): Promise<Account>
}

interface OauthConnectMethodOptions extends Pick<Infrastructure, 'commands'> {
  pendingAuthorizations: PendingAuthorizations
  oauth1: Oauth1Tokens
  accounts: Pick<Accounts, 'changeable'>
  clients: Pick<OauthClients, 'of' | 'ofGrant'>
  tokenEndpoint: Pick<TokenEndpoint, 'exchangeCode'>
  checkRequest: CheckRequest
  /** Returns an offered connector. Throws invalid_request for any other ID. */
  find(id: string): ConnectorDefinition
  identifyAccount: IdentifyAccount
  storeConnection: StoreConnection
}

export function createOauthConnectMethod(options: OauthConnectMethodOptions): OauthConnectMethod {
  const { pendingAuthorizations, oauth1, accounts, clients, tokenEndpoint, find } = options
  const { checkRequest, identifyAccount, storeConnection, commands } = options

  /** Exchanges a callback for the grant, with the OAuth version that began the authorization. */
  async function obtain(
    connector: ConnectorDefinition,
    client: OauthClient,
    { ceremony, redirectUri, target }: PendingAccountAuthorization,
    { handle, parameters }: Callback,
  ): Promise<IssuedCredential> {
    if (ceremony.kind === 'oauth2')
      return tokenEndpoint.exchangeCode(withAccountEndpoints(connector, target.settings), client, {
        callbackParameters: parameters,
        expectedState: handle,
        redirectUri,
        ...(ceremony.verifier !== undefined && { codeVerifier: ceremony.verifier }),
      })
    const verifier = parameters.get('oauth_verifier')
    // OAuth 1.0a has no error response: after a decline, the callback has no verifier, or never arrives.
    if (!isOauth1(connector) || parameters.get('oauth_token') !== handle || !verifier)
      throw accessDeclined(connector.name)
    const requestToken = { key: handle, secret: ceremony.tokenSecret }
    const { key: token, secret: tokenSecret } = await oauth1.accessToken(connector, client, { requestToken, verifier })
    const { id, source } = client
    const credential = { v: 1, kind: 'oauth1a', token, tokenSecret } as const
    return { credential, grantedScopes: null, client: { id, source } }
  }

  return {
    async begin({ redirectUri, optionalScopes, ...request }) {
      const { connector, target } = await checkRequest(request)
      const { caller } = request
      const client = requireClient(commands, connector, await clients.of(caller.orgId, connector.id), request)
      const pending = {
        v: 1,
        kind: 'account',
        connector: connector.id,
        target,
        redirectUri,
        clientId: client.id,
      } as const

      if (isOauth1(connector)) {
        const { requestToken, url } = await withConnectErrors(connector, () =>
          oauth1.requestToken(connector, client, redirectUri),
        )
        const ceremony = { kind: 'oauth1a', tokenSecret: requestToken.secret } as const
        await pendingAuthorizations.begin(caller, requestToken.key, { ...pending, ceremony })
        return { authorizationUrl: url.href, state: requestToken.key }
      }
      if (!isOauth2(connector)) throw new TypeError(`${connector.id} has an OAuth app but does not use OAuth`)
      const { auth } = withAccountEndpoints(connector, target.settings)
      const state = randomSecret()
      const proof = auth.pkce === 'none' ? {} : { verifier: randomSecret() }
      const url = authorizationUrl(auth, {
        clientId: client.id,
        redirectUri,
        state,
        ...proof,
        ...(optionalScopes !== undefined && { optionalScopes }),
      })
      await pendingAuthorizations.begin(caller, state, { ...pending, ceremony: { kind: 'oauth2', ...proof } })
      return { authorizationUrl: url.href, state }
    },

    async finish({ caller, by = caller, callback }) {
      const received = readCallback(callback)
      const pending = await pendingAuthorizations.take(caller, received.handle, 'account')
      const { target, clientId } = pending
      const connector = find(pending.connector)
      // While the person was away, the account may have been removed, or may have changed its owner.
      if (target.accountId !== undefined) await accounts.changeable(caller, target.accountId)
      const found = await clients.ofGrant(caller.orgId, connector.id, clientId)
      const client = requireClient(commands, connector, found, { caller, ...target })
      const issued = await withConnectErrors(connector, () => obtain(connector, client, pending, received))
      const account = await identifyAccount({ connector, issued, settings: target.settings, client })
      return storeConnection({ member: caller, by, connector, target, issued, ...account, keyVerified: null })
    },
  }
}
