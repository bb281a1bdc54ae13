import { GatewayError } from '../../lib/errors/errors.ts'
import type { ProvidedCredential } from '../../services/connectors/connect/connect-methods.ts'
import { apiKeyMethodOf, type ConnectorDefinition } from '../../services/definitions/define-connector.ts'
import { optional, secret, type Values } from './command.ts'

/** The options that hand in a credential. */
export const CREDENTIAL = {
  'access-token': secret('T'),
  'refresh-token': secret('R'),
  'expires-in': optional('S'),
  token: secret('T'),
  'token-secret': secret('S'),
  'api-key': secret('K'),
}

/** The credential that is handed in; throws invalid_request with what is wrong, and what the connector takes. */
export function providedCredential(
  secrets: Values<typeof CREDENTIAL>,
  connector: ConnectorDefinition,
): ProvidedCredential {
  const { token, 'access-token': accessToken, 'refresh-token': refreshToken, 'api-key': key } = secrets
  const { 'expires-in': expiresIn, 'token-secret': tokenSecret } = secrets
  const wrong = contradictionIn(secrets)
  if (wrong !== undefined) throw new GatewayError('invalid_request', `${wrong} ${waysOf(connector)}`)
  if (key !== undefined) return { kind: 'api_key', key }
  if (token !== undefined && tokenSecret !== undefined) return { kind: 'oauth1a', token, tokenSecret }
  return {
    kind: 'oauth2',
    accessToken: accessToken ?? '',
    ...(refreshToken !== undefined && { refreshToken }),
    ...(expiresIn !== undefined && { expiresInSeconds: seconds(expiresIn) }),
  }
}

function contradictionIn(secrets: Values<typeof CREDENTIAL>): string | undefined {
  const has = (name: keyof typeof CREDENTIAL) => secrets[name] !== undefined
  const doors = (['access-token', 'token', 'api-key'] as const).filter(has)
  const [door, ...others] = doors
  if (has('token') !== has('token-secret')) return '--token and --token-secret stand together.'
  if (others.length > 0) return `Only one of ${doors.map(name => `--${name}`).join(', ')} can be handed in.`
  for (const name of ['refresh-token', 'expires-in'] as const)
    if (has(name) && door !== 'access-token') return `--${name} stands beside --access-token.`
  return door === undefined ? 'No credential is handed in.' : undefined
}

function waysOf(connector: ConnectorDefinition): string {
  const key = apiKeyMethodOf(connector)
  const tokens = {
    oauth2: ['--access-token - [--refresh-token - --expires-in SECONDS]'],
    oauth1a: ['--token - --token-secret -'],
    api_key: [],
  }[connector.auth.type]
  const ways = [...tokens, ...(key === undefined ? [] : ['--api-key -'])]
  const hint = key === undefined ? '' : ` The key: ${key.hint}`
  return `For ${connector.name}, hand in ${ways.join(', or ')}.${hint}`
}

function seconds(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new GatewayError('invalid_request', '--expires-in is a number of seconds, such as 3600.')
  return Number(text)
}
