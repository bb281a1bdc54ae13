import { EgressError } from '../../../lib/egress/egress.ts'
import { GatewayError, isCodeOfTools } from '../../../lib/errors/errors.ts'
import type { OauthClient } from '../../credentials/oauth-clients.ts'
import { TokenEndpointError } from '../../credentials/token-endpoint-error.ts'
import { apiKeyMethodOf, type ConnectorAuth, type ConnectorDefinition } from '../../definitions/connector-types.ts'
import type { OperatorCommands } from '../../operator/operator-commands.ts'
import type { ConnectRequest } from './connect-request.ts'

/**
 * Runs a request to a provider during a connect, and turns its failures into connect_failed with advice for the person.
 */
export async function withConnectErrors<T>(
  connector: Pick<ConnectorDefinition, 'name'>,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw toConnectError(connector, error)
  }
}

/** The error for a person who declined the access at the provider. */
export function accessDeclined(name: string, cause?: unknown): GatewayError {
  return new GatewayError(
    'connect_failed',
    `The access was declined at ${name}. To connect, begin again and approve the access.`,
    {
      cause,
    },
  )
}

function toConnectError(connector: Pick<ConnectorDefinition, 'name'>, error: unknown): unknown {
  const { name } = connector
  const failed = (message: string) => new GatewayError('connect_failed', message, { cause: error })
  if (error instanceof TokenEndpointError) {
    if (error.code === 'access_denied') return accessDeclined(name, error)
    if (error.kind === 'unreachable') {
      if (error.cause instanceof EgressError) return toConnectError(connector, error.cause)
      return failed(`${name} is unreachable: ${error.message}. Retry later.`)
    }
    return failed(`${name} was not connected: ${error.message}. Begin again. If it happens again, check the OAuth app.`)
  }
  if (error instanceof EgressError) {
    if (error.reason === 'refused') return failed(`No request was sent to ${name}: ${error.message}`)
    return failed(`${name} is unreachable: ${error.message} Retry later.`)
  }
  // Errors that exist only in tool results have no HTTP status.
  if (error instanceof GatewayError && isCodeOfTools(error.code)) return failed(error.message)
  return error
}

type With<Type extends ConnectorAuth['type']> = ConnectorDefinition & {
  readonly auth: Extract<ConnectorAuth, { type: Type }>
}

/** A connector that uses OAuth 2. */
export type Oauth2Connector = With<'oauth2'>

/** A connector that uses OAuth 1.0a. */
export type Oauth1Connector = With<'oauth1a'>

export function isOauth2(connector: ConnectorDefinition): connector is Oauth2Connector {
  return connector.auth.type === 'oauth2'
}

export function isOauth1(connector: ConnectorDefinition): connector is Oauth1Connector {
  return connector.auth.type === 'oauth1a'
}

/**
 * Returns the OAuth app of a connector. Without one, throws invalid_request or connect_failed with the alternatives.
 */
export function requireClient(
  commands: OperatorCommands,
  connector: ConnectorDefinition,
  client: OauthClient | undefined,
  request: Pick<ConnectRequest, 'caller' | 'accountId'>,
): OauthClient {
  const { id, name, auth, orgClients = true } = connector
  if (auth.type === 'api_key')
    throw new GatewayError(
      'invalid_request',
      `${name} is connected with a key, not by signing in. ${auth.apiKey.hint} Provide it on standard input: ` +
        commands.addKey(request, connector),
    )
  if (client !== undefined) return client
  const own = `or set the organization’s own app: ${commands.setOauthClient(request.caller.orgId, id)}`
  const withKey = `or connect with a key instead: ${commands.addKey(request, connector)}`
  const ways = [
    `Add ${id} to OAUTH_CLIENTS`,
    ...(orgClients ? [own] : []),
    ...(apiKeyMethodOf(connector) === undefined ? [] : [withKey]),
  ]
  throw new GatewayError('connect_failed', `No OAuth app for ${name} is configured here. ${ways.join('; ')}`)
}

/** The error for a kind of credential that the connector does not accept. It lists the connect methods that exist. */
export function wrongConnectMethod(
  commands: OperatorCommands,
  connector: ConnectorDefinition,
  what: string,
  request: Pick<ConnectRequest, 'caller' | 'accountId'>,
): GatewayError {
  const { name, auth } = connector
  const signIn = `by signing in: ${commands.connect(request, connector)}`
  const methods = [
    ...(auth.type === 'api_key' ? [] : [signIn, `with tokens: ${commands.addTokens(request, connector)}`]),
    ...(apiKeyMethodOf(connector) === undefined ? [] : [`with a key: ${commands.addKey(request, connector)}`]),
  ]
  const hint = apiKeyMethodOf(connector)?.hint
  return new GatewayError(
    'invalid_request',
    `${name} cannot be connected with ${what}. ${hint === undefined ? '' : `${hint} `}Connect it ${methods.join('; ')}`,
  )
}
