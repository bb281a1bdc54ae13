import { GatewayError } from '../../../../lib/errors/errors.ts'
import type { Oauth1Signer } from '../../../../lib/http/oauth1.ts'
import type { NamedAccount } from '../../../accounts/account.ts'
import type { Credential } from '../../../credentials/credential.ts'
import type { OauthClient } from '../../../credentials/oauth-clients.ts'
import { type ApiKeyMethod, apiKeyMethodOf, type ConnectorDefinition } from '../../../definitions/connector-types.ts'
import type { HttpTool } from '../../../definitions/http-tool-types.ts'
import type { OperatorCommands } from '../../../operator/operator-commands.ts'
import { userTokenMissing } from '../answer/provider-error.ts'
import type { PreparedRequest } from './build-request.ts'

/** The input for authorizing a request. */
interface AuthorizeOptions {
  readonly connector: Pick<ConnectorDefinition, 'id' | 'name' | 'auth'>
  readonly credential: Credential
  /** The tool that sends the request; some tools act with the token of the authorizing user. */
  readonly tool?: Pick<HttpTool, 'as' | 'scopes'> | undefined
  readonly account?: NamedAccount | undefined
  /** Required with an account. */
  readonly commands?: OperatorCommands
  /** The OAuth app; required only for OAuth 1.0a. */
  readonly client?: Pick<OauthClient, 'id' | 'secret'> | undefined
  /** OAuth 1.0a signs each request. */
  readonly request: Pick<PreparedRequest, 'method' | 'url' | 'form' | 'fields'>
  readonly sign: Oauth1Signer
}

/**
 * Returns the headers that carry a credential, by lower-case name. Throws scope_missing if a tool acts as the user and
 * the account has no token of that user, and upstream_unavailable if the OAuth app that signs is gone.
 */
export function authorize(options: AuthorizeOptions): Record<string, string> {
  const { connector, credential, tool, account, commands, client, request, sign } = options
  switch (credential.kind) {
    case 'api_key':
      return keyHeader(requireApiKeyMethod(connector), credential.key)
    case 'oauth2': {
      if (tool?.as !== 'user') return { authorization: `Bearer ${credential.accessToken}` }
      if (credential.user === undefined)
        throw userTokenMissing({ connector, account, scopes: tool.scopes, ...(commands && { commands }) })
      return { authorization: `Bearer ${credential.user.accessToken}` }
    }
    case 'oauth1a': {
      if (client === undefined) throw noClient(connector, { account, commands })
      const signsParts = connector.auth.type === 'oauth1a' && connector.auth.signsParts === true
      const form = request.form ?? (signsParts ? request.fields : undefined)
      const header = sign({
        method: request.method,
        url: request.url,
        consumer: { key: client.id, secret: client.secret },
        token: { key: credential.token, secret: credential.tokenSecret },
        ...(form !== undefined && { form }),
        // Optional in RFC 5849, but required by several providers.
        extra: { oauth_version: '1.0' },
      })
      return { authorization: header }
    }
  }
}

function keyHeader({ header, prefix = '', basic }: ApiKeyMethod, key: string): Record<string, string> {
  if (basic) return { [header.toLowerCase()]: `Basic ${Buffer.from(key).toString('base64')}` }
  return { [header.toLowerCase()]: prefix + key }
}

function requireApiKeyMethod(connector: Pick<ConnectorDefinition, 'id' | 'auth'>): ApiKeyMethod {
  const method = apiKeyMethodOf(connector)
  if (method === undefined)
    throw new TypeError(`The account has a key, but the connector ${connector.id} accepts no keys`)
  return method
}

function noClient(
  { id, name }: Pick<ConnectorDefinition, 'id' | 'name'>,
  { account, commands }: { [Name in 'account' | 'commands']: AuthorizeOptions[Name] | undefined },
): GatewayError {
  const own = account && commands && ` or by running: ${commands.setOauthClient(account.orgId, id)}`
  return new GatewayError(
    'upstream_unavailable',
    `The OAuth app that signs requests to ${name} is no longer configured. Ask the operator to set it again, ` +
      `in OAUTH_CLIENTS${own ?? ''}`,
  )
}
