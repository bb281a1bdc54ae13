import { GatewayError } from '../../lib/errors/errors.ts'
import { AccountScope } from '../../schemas/account.ts'
import type { ProvidedCredential } from '../../services/connectors/connect/connect-methods.ts'
import type { ConnectRequest } from '../../services/connectors/connect/connect-request.ts'
import { apiKeyMethodOf, type ConnectorDefinition } from '../../services/definitions/define-connector.ts'
import type { OperatorCommands } from '../../services/operator/operator-commands.ts'
import { optional, repeated, secret, type Values } from './command.ts'
import type { OperatorServices } from './operator-services.ts'

/** The options that name an account: a new one, or an existing one. */
export const TARGET = {
  org: optional('ORG'),
  user: optional('USER'),
  connector: optional('ID'),
  alias: optional('A'),
  scope: optional('private|shared'),
  setting: repeated('K=V'),
  account: optional('ACC'),
}

/** The operator's role: operators can change every account of the organization. */
export const role = 'owner'

/** The connect request that the options describe, with the account's member as its caller. Throws invalid_request, account_not_found. */
export async function requestOf(
  { connecting, commands }: OperatorServices,
  target: Values<typeof TARGET>,
): Promise<ConnectRequest> {
  const settings = settingsOf(target.setting)
  if (target.account !== undefined) {
    if (target.org ?? target.connector ?? target.alias ?? target.scope)
      throw new GatewayError(
        'invalid_request',
        'Use --account without --org, --connector, --alias and --scope: the account determines them.',
      )
    const { connector, scope, ...member } = await connecting.accountOwner(target.account)
    const caller = { ...member, ...(target.user !== undefined && { userId: target.user }), role } as const
    return { caller, by: 'operator', connector, scope, settings, accountId: target.account }
  }
  const { org, user, connector, alias } = target
  if (org === undefined || user === undefined || connector === undefined)
    throw incomplete(commands, { org, user, connector })
  const scope = oneOf('--scope', AccountScope.enum, target.scope ?? 'private')
  const caller = { orgId: org, userId: user, role } as const
  return { caller, by: 'operator', connector, scope, settings, ...(alias !== undefined && { alias }) }
}

function incomplete(
  commands: OperatorCommands,
  given: Readonly<Record<'org' | 'user' | 'connector', string | undefined>>,
): GatewayError {
  const missing = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [`--${name}`] : []))
  const lists = [commands.listOrganizations(), commands.listMembers(given.org ?? 'ORG'), commands.listConnectors()]
  return new GatewayError(
    'invalid_request',
    `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing. A new account needs --org, --user and ` +
      `--connector; for an existing one use --account. To list the IDs, run: ${lists.join(' ; ')}`,
  )
}

function settingsOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map(pair => {
      const [, name, value] = /^([A-Za-z_]\w*)=(.+)$/s.exec(pair) ?? []
      if (name === undefined || value === undefined)
        throw new GatewayError('invalid_request', '--setting must be NAME=VALUE, such as --setting site=acme.')
      return [name, value]
    }),
  )
}

/** Parses one of the values that an option takes. Throws invalid_request with all of them. */
export function oneOf<const T extends string>(option: string, values: readonly T[], text: string): T {
  const found = values.find(value => value === text)
  if (found === undefined) throw new GatewayError('invalid_request', `${option} must be one of ${values.join(', ')}.`)
  return found
}

/** The options that provide a credential. */
export const CREDENTIAL = {
  'access-token': secret('T'),
  'refresh-token': secret('R'),
  'expires-in': optional('S'),
  token: secret('T'),
  'token-secret': secret('S'),
  'api-key': secret('K'),
}

/** The credential that the options provide. Throws invalid_request with the fault and what the connector accepts. */
export function providedCredential(
  secrets: Values<typeof CREDENTIAL>,
  connector: ConnectorDefinition,
): ProvidedCredential {
  const { token, 'access-token': accessToken, 'refresh-token': refreshToken, 'api-key': key } = secrets
  const { 'expires-in': expiresIn, 'token-secret': tokenSecret } = secrets
  const wrong = faultOf(secrets)
  if (wrong !== undefined) throw new GatewayError('invalid_request', `${wrong} ${waysToConnect(connector)}`)
  if (key !== undefined) return { kind: 'api_key', key }
  if (token !== undefined && tokenSecret !== undefined) return { kind: 'oauth1a', token, tokenSecret }
  return {
    kind: 'oauth2',
    accessToken: accessToken ?? '',
    ...(refreshToken !== undefined && { refreshToken }),
    ...(expiresIn !== undefined && { expiresInSeconds: seconds(expiresIn) }),
  }
}

function faultOf(secrets: Values<typeof CREDENTIAL>): string | undefined {
  const has = (name: keyof typeof CREDENTIAL) => secrets[name] !== undefined
  const methods = (['access-token', 'token', 'api-key'] as const).filter(has)
  const [method, ...others] = methods
  if (has('token') !== has('token-secret')) return 'Use --token and --token-secret together.'
  if (others.length > 0) return `Give only one of ${methods.map(name => `--${name}`).join(', ')}.`
  for (const name of ['refresh-token', 'expires-in'] as const)
    if (has(name) && method !== 'access-token') return `Use --${name} together with --access-token.`
  return method === undefined ? 'The credential is missing.' : undefined
}

function waysToConnect(connector: ConnectorDefinition): string {
  const key = apiKeyMethodOf(connector)
  const tokens = {
    oauth2: ['--access-token - [--refresh-token - --expires-in SECONDS]'],
    oauth1a: ['--token - --token-secret -'],
    api_key: [],
  }[connector.auth.type]
  const ways = [...tokens, ...(key === undefined ? [] : ['--api-key -'])]
  const hint = key === undefined ? '' : ` The key: ${key.hint}`
  return `For ${connector.name}, give ${ways.join(', or ')}.${hint}`
}

function seconds(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new GatewayError('invalid_request', '--expires-in must be a number of seconds, such as 3600.')
  return Number(text)
}
