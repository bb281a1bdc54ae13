import { EgressError } from '../../../lib/egress/egress.ts'
import { errorRow, GatewayError } from '../../../lib/errors/errors.ts'
import type { OauthClient } from '../../credentials/oauth-clients.ts'
import { connectCommand, keyCommand, oauthClientCommand, tokenCommand } from '../../credentials/operator-advice.ts'
import { TokenEndpointError } from '../../credentials/token-endpoint.ts'
import { apiKeyMethodOf, type ConnectorAuth, type ConnectorDefinition } from '../../definitions/define-connector.ts'
import type { ConnectRequest } from './connect-request.ts'

/** Runs what asks a provider while an account is connected; what it fails with throws connect_failed with a sentence for the person. */
export async function connectFailed<T>(
  connector: Pick<ConnectorDefinition, 'name'>,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw failureOf(connector, error)
  }
}

/** The refusal of a person who said no at the provider. */
export function accessDeclined(name: string, cause?: unknown): GatewayError {
  return new GatewayError('connect_failed', `The access was declined at ${name}. Begin again to agree to it.`, {
    cause,
  })
}

function failureOf(connector: Pick<ConnectorDefinition, 'name'>, error: unknown): unknown {
  const { name } = connector
  const failed = (message: string) => new GatewayError('connect_failed', message, { cause: error })
  if (error instanceof TokenEndpointError) {
    if (error.code === 'access_denied') return accessDeclined(name, error)
    if (error.kind === 'unreachable') {
      if (error.cause instanceof EgressError) return failureOf(connector, error.cause)
      return failed(`${name} cannot be reached now: ${error.message}. Try again later.`)
    }
    return failed(`${name} was not connected: ${error.message}. Begin again; if it happens again, check the OAuth app.`)
  }
  if (error instanceof EgressError) {
    if (error.reason === 'refused') return failed(`${name} was not asked: ${error.message}`)
    return failed(`${name} cannot be reached now: ${error.message} Try again later.`)
  }
  // What is made for a tool's result alone has no status of its own.
  if (error instanceof GatewayError && errorRow(error.code).envelope === 'tool') return failed(error.message)
  return error
}

type With<Type extends ConnectorAuth['type']> = ConnectorDefinition & {
  readonly auth: Extract<ConnectorAuth, { type: Type }>
}

/** A connector whose accounts are made by OAuth 2. */
export type Oauth2Connector = With<'oauth2'>

/** A connector whose accounts are made by OAuth 1.0a. */
export type Oauth1Connector = With<'oauth1a'>

export function isOauth2(connector: ConnectorDefinition): connector is Oauth2Connector {
  return connector.auth.type === 'oauth2'
}

export function isOauth1(connector: ConnectorDefinition): connector is Oauth1Connector {
  return connector.auth.type === 'oauth1a'
}

/** The OAuth app of a connector; where there is none, throws invalid_request or connect_failed with what to do instead. */
export function requireClient(
  connector: ConnectorDefinition,
  client: OauthClient | undefined,
  request: Pick<ConnectRequest, 'caller' | 'accountId'>,
): OauthClient {
  const { id, name, auth, orgClients = true } = connector
  if (auth.type === 'api_key')
    throw new GatewayError(
      'invalid_request',
      `${name} is connected with a key, not by signing in. ${auth.apiKey.hint} Hand it in on standard input: ` +
        keyCommand(request, connector),
    )
  if (client !== undefined) return client
  const own = `or set the organization’s own app: ${oauthClientCommand(request.caller.orgId, id)}`
  const withKey = `or connect with a key instead: ${keyCommand(request, connector)}`
  const ways = [
    `Have an operator add ${id} to OAUTH_CLIENTS`,
    ...(orgClients ? [own] : []),
    ...(apiKeyMethodOf(connector) === undefined ? [] : [withKey]),
  ]
  throw new GatewayError('connect_failed', `No OAuth app for ${name} is configured here. ${ways.join('; ')}`)
}

/** The refusal of a credential of a kind that the connector does not take, with the doors that it has. */
export function wrongConnectMethod(
  connector: ConnectorDefinition,
  what: string,
  request: Pick<ConnectRequest, 'caller' | 'accountId'>,
): GatewayError {
  const { name, auth } = connector
  const signIn = `by signing in: ${connectCommand(request, connector)}`
  const methods = [
    ...(auth.type === 'api_key' ? [] : [signIn, `with tokens: ${tokenCommand(request, connector)}`]),
    ...(apiKeyMethodOf(connector) === undefined ? [] : [`with a key: ${keyCommand(request, connector)}`]),
  ]
  const hint = apiKeyMethodOf(connector)?.hint
  return new GatewayError(
    'invalid_request',
    `${name} is not connected with ${what}. ${hint === undefined ? '' : `${hint} `}It is connected ${methods.join('; ')}`,
  )
}
