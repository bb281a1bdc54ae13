import { GatewayError } from '../../lib/errors/errors.ts'
import { AccountScope } from '../../schemas/account.ts'
import type { ConnectRequest } from '../../services/connectors/connect/connect-request.ts'
import { optional, repeated, type Values } from './command.ts'
import type { OperatorServices } from './operator-services.ts'

/** The options that say which account is meant: a new one, or one that is there. */
export const TARGET = {
  org: optional('ORG'),
  user: optional('USER'),
  connector: optional('ID'),
  alias: optional('A'),
  scope: optional('private|shared'),
  setting: repeated('K=V'),
  account: optional('ACC'),
}

/** The operator reaches every account, so he acts as one who may change all of the organization's. */
export const role = 'owner'

/** What is asked for at a door, whose caller is the account's member. Throws invalid_request, and account_not_found. */
export async function requestOf(
  { connecting }: OperatorServices,
  target: Values<typeof TARGET>,
): Promise<ConnectRequest> {
  const settings = settingsOf(target.setting)
  if (target.account !== undefined) {
    if (target.org ?? target.connector ?? target.alias ?? target.scope)
      throw new GatewayError(
        'invalid_request',
        '--account names all that --org, --connector, --alias and --scope would.',
      )
    const { connector, scope, ...member } = await connecting.accountOwner(target.account)
    const caller = { ...member, ...(target.user !== undefined && { userId: target.user }), role } as const
    return { caller, by: 'operator', connector, scope, settings, accountId: target.account }
  }
  const { org, user, connector, alias } = target
  if (org === undefined || user === undefined || connector === undefined) throw incomplete({ org, user, connector })
  const scope = oneOf('--scope', AccountScope.enum, target.scope ?? 'private')
  const caller = { orgId: org, userId: user, role } as const
  return { caller, by: 'operator', connector, scope, settings, ...(alias !== undefined && { alias }) }
}

function incomplete(given: Readonly<Record<'org' | 'user' | 'connector', string | undefined>>): GatewayError {
  const missing = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [`--${name}`] : []))
  return new GatewayError(
    'invalid_request',
    `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing: a new account needs --org, --user and ` +
      '--connector; --account names one that is there. org list, member list and connector list have the ids.',
  )
}

function settingsOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map(pair => {
      const [, name, value] = /^([A-Za-z_]\w*)=(.+)$/s.exec(pair) ?? []
      if (name === undefined || value === undefined)
        throw new GatewayError('invalid_request', '--setting is a name and its value, such as --setting site=acme.')
      return [name, value]
    }),
  )
}

/** A text as one of the words that an option takes; throws invalid_request with all of them. */
export function oneOf<const T extends string>(option: string, values: readonly T[], text: string): T {
  const found = values.find(value => value === text)
  if (found === undefined) throw new GatewayError('invalid_request', `${option} is one of ${values.join(', ')}.`)
  return found
}
