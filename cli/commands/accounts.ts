import { GatewayError } from '../../lib/errors/errors.ts'
import { AccountScope, AccountStatus } from '../../schemas/organizations/account.ts'
import type { Account } from '../../services/accounts/account.ts'
import type { ProvidedCredential } from '../../services/connectors/connect/connect-methods.ts'
import type { ConnectRequest } from '../../services/connectors/connect/connect-request.ts'
import { requireConnector } from '../../services/connectors/connect/require-connectors.ts'
import { apiKeyMethodOf, type ConnectorDefinition } from '../../services/definitions/connector-types.ts'
import type { OperatorCommands } from '../../services/operator/operator-commands.ts'
import { type Command, command, flag, optional, person, repeated, required, secret, type Values } from './command.ts'
import type { OperatorServices } from './operator-services.ts'
import { serializeRow } from './serialize.ts'

/** Joins two as "a and b", three as "a, b and c". */
const AND = new Intl.ListFormat('en-GB')

/** The options that name an account: a new one, or an existing one. */
export const TARGET = {
  org: optional('ORG'),
  user: person({ required: false }),
  connector: optional('ID'),
  alias: optional('A'),
  scope: optional('private|shared'),
  setting: repeated('K=V'),
  account: optional('ACC'),
}

/** The operator's role: operators can change every account of the organization. */
const role = 'owner'

/** The connect request that the options describe, with the account's member as its caller. Throws invalid_request, account_not_found. */
async function requestOf(
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
    `${AND.format(missing)} ${missing.length === 1 ? 'is' : 'are'} missing. A new account needs --org, --user and ` +
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
function oneOf<const T extends string>(option: string, values: readonly T[], text: string): T {
  const found = values.find(value => value === text)
  if (found === undefined) throw new GatewayError('invalid_request', `${option} must be one of ${values.join(', ')}.`)
  return found
}

/** The options that provide a credential. */
const CREDENTIAL = {
  'access-token': secret('T'),
  'refresh-token': secret('R'),
  'expires-in': optional('S'),
  token: secret('T'),
  'token-secret': secret('S'),
  'api-key': secret('K'),
}

/** The credential that the options provide. Throws invalid_request with the fault and what the connector accepts. */
function providedCredential(secrets: Values<typeof CREDENTIAL>, connector: ConnectorDefinition): ProvidedCredential {
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
  if (others.length > 0) return `Use only one of ${methods.map(name => `--${name}`).join(', ')}.`
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

function answerOf({ id, connector, alias, identity, scope, status }: Account): object {
  return { id, connector, alias, identity, scope, status }
}

/** Why the provider did not check the credential of a new account; undefined if it did. */
function uncheckedReason({ keyVerified }: Account, unprobed: boolean): string | undefined {
  if (unprobed) return 'The credential was not checked at the provider (--no-probe).'
  return keyVerified === false
    ? 'The credential was not checked at the provider, which has no call for that. The first tool call shows whether it works.'
    : undefined
}

/** A command that changes who can use an account. */
function scopeCommand(verb: string, { about, scope }: { about: string; scope: AccountScope }) {
  return command(`account ${verb}`, {
    about,
    positional: 'ACC',
    options: { alias: optional('A') },
    async run({ accounts }: OperatorServices, { positional, alias }) {
      const change = { scope, ...(alias !== undefined && { alias }) }
      const account = await accounts.update('operator', positional, change)
      return { ...answerOf(account), user_id: account.userId }
    },
  })
}

export const ACCOUNT_COMMANDS: readonly Command<OperatorServices>[] = [
  command('account add', {
    about: 'connect an account with existing tokens or a key; with --account, replace those of an existing account',
    options: {
      ...TARGET,
      ...CREDENTIAL,
      identity: optional('I'),
      'no-probe': flag(),
    },
    async run(services: OperatorServices, args) {
      const { identity, 'no-probe': unprobed } = args
      const request = await requestOf(services, args)
      const { connectors, leftOutConnectors } = services
      const credential = providedCredential(args, requireConnector(connectors, request.connector, leftOutConnectors))
      const options = { probe: !unprobed, ...(identity !== undefined && { identity }) }
      const added = await services.connecting.add({ ...request, credential, ...options })
      const unchecked = uncheckedReason(added, unprobed)
      return { ...answerOf(added), ...(unchecked !== undefined && { unchecked }) }
    },
  }),
  command('account connect-begin', {
    about: 'begin an authorization',
    internal: true,
    options: { ...TARGET, 'redirect-uri': required('URL') },
    async run(services: OperatorServices, { 'redirect-uri': redirectUri, ...target }) {
      const request = await requestOf(services, target)
      const { authorizationUrl, state } = await services.connecting.begin({ ...request, redirectUri })
      const { orgId: org, userId: user } = request.caller
      return { authorization_url: authorizationUrl, state, org, user }
    },
  }),
  command('account connect-finish', {
    about: 'end an authorization',
    internal: true,
    options: { org: required('ORG'), user: person({ required: true }), callback: required('URL') },
    async run({ connecting }: OperatorServices, { org: orgId, user: userId, callback }) {
      return answerOf(await connecting.finish({ caller: { orgId, userId, role }, by: 'operator', callback }))
    },
  }),
  command('account status', {
    about: 'set the status of an account',
    positional: 'ACC connected|needs_reauth',
    options: {},
    async run({ accounts }: OperatorServices, { positionals: [id = '', text = ''] }) {
      const status = oneOf('The status', AccountStatus.enum, text)
      await accounts.setStatus(id, status, 'operator')
      return { id, status }
    },
  }),
  command('account list', {
    about: 'list the accounts of an organization and their owners, without their credentials',
    options: { org: required('ORG') },
    async run({ accounts, members }: OperatorServices, { org }) {
      const [list, people] = [await accounts.listOf(org), await members.list(org, { removed: true })]
      const emails = new Map(people.map(({ userId, email }) => [userId, email]))
      return {
        accounts: list.map(({ id, connector, alias, scope, userId, status, identity, authKind, keyVerified }) => {
          const ownerEmail = emails.get(userId) ?? null
          const row = { id, connector, alias, scope, ownerEmail, status, identity, authKind, keyVerified, userId }
          return serializeRow(row)
        }),
      }
    },
  }),
  command('account rename', {
    about: 'change the alias of an account, the name that tools select it by',
    positional: 'ACC ALIAS',
    options: {},
    async run({ accounts }: OperatorServices, { positionals: [id = '', text = ''] }) {
      const { alias } = await accounts.update('operator', id, { alias: text })
      return { id, alias }
    },
  }),
  scopeCommand('share', {
    about: 'share a private account: every member of its organization can use it',
    scope: 'shared',
  }),
  scopeCommand('unshare', {
    about: 'make a shared account private to the member who connected it',
    scope: 'private',
  }),
  command('account remove', {
    about: 'remove an account and revoke its grant at the provider',
    positional: 'ACC',
    options: {},
    async run({ accounts }: OperatorServices, { positional }) {
      await accounts.remove('operator', positional)
      return { id: positional }
    },
  }),
]
