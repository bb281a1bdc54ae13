import type { EgressRequest } from '../../../lib/egress/egress.ts'
import type { Oauth1Signer } from '../../../lib/http/oauth1.ts'
import type { AccountSettings } from '../../accounts/account.ts'
import type { Credential } from '../../credentials/credential.ts'
import type { OauthClient } from '../../credentials/oauth-clients.ts'
import { basicAuthorization } from '../../credentials/token-answer.ts'
import type { ConnectorDefinition } from '../../definitions/define-connector.ts'
import { buildProviderRequest } from '../engine/provider-request.ts'
import { authorize } from '../engine/request/authorize.ts'

/** What is given back, and by whom. */
export interface RevocationRequestOptions {
  connector: ConnectorDefinition
  credential: Credential
  /** Of the account it was. */
  settings: AccountSettings
  client: OauthClient | undefined
  sign: Oauth1Signer
}

/** The grants of a credential, each to be given back by itself. */
export function revocationsOf(credential: Credential): Credential[] {
  if (credential.kind !== 'oauth2') return [credential]
  const { user, ...own } = credential
  return user === undefined ? [own] : [own, { v: 1, kind: 'oauth2', ...user }]
}

/**
 * The request that gives a grant back; undefined where the provider has none, or the app that must ask is gone. Throws
 * what `buildProviderRequest` throws.
 */
export function revocationRequest(options: RevocationRequestOptions): EgressRequest | undefined {
  const { connector, credential, settings, client, sign } = options
  const { auth } = connector
  if (auth.type === 'api_key' || auth.revocation === undefined || credential.kind === 'api_key') return undefined
  const { as } = auth.revocation
  if (client === undefined && (as === 'client' || credential.kind === 'oauth1a')) return undefined
  const [access_token, refresh_token] =
    credential.kind === 'oauth2' ? [credential.accessToken, credential.refreshToken] : [credential.token]
  const places = { access_token, refresh_token, client_id: client?.id }
  const request = buildProviderRequest(connector, auth.revocation, { settings, places })
  const headers =
    as === 'client' && client !== undefined
      ? { authorization: basicAuthorization(client.id, client.secret) }
      : authorize({ connector, credential, client, request, sign })
  const { method, url, headers: plain, body } = request
  return {
    method,
    url,
    headers: plain,
    ...(body !== undefined && { body }),
    credential: { origin: url.origin, headers },
    deadlineMs: 15_000,
    maxBytes: 1024 * 1024,
  }
}
