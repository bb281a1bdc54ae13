import { AccountStatus } from '../../schemas/account.ts'
import type { Account } from '../../services/accounts/account.ts'
import { requireConnector } from '../../services/connectors/require-connectors.ts'
import { oneOf, requestOf, role, TARGET } from './account-target.ts'
import { type Command, command, flag, optional, required } from './command.ts'
import type { OperatorServices } from './operator-services.ts'
import { CREDENTIAL, providedCredential } from './provided-credential.ts'
import { serializeRow } from './serialize.ts'

function answerOf({ id, connector, alias, identity, scope, status }: Account): object {
  return { id, connector, alias, identity, scope, status }
}

export const ACCOUNT_COMMANDS: readonly Command<OperatorServices>[] = [
  command('account add', {
    about: 'connect an account with tokens or a key from elsewhere; with --account, give one that is there new ones',
    options: {
      ...TARGET,
      ...CREDENTIAL,
      identity: optional('I'),
      'no-probe': flag(),
    },
    async run(services: OperatorServices, args) {
      const { identity, 'no-probe': unasked } = args
      const request = await requestOf(services, args)
      const { connectors, leftOutConnectors } = services
      const credential = providedCredential(args, requireConnector(connectors, request.connector, leftOutConnectors))
      const asked = { probe: !unasked, ...(identity !== undefined && { identity }) }
      return answerOf(await services.connecting.add({ ...request, credential, ...asked }))
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
    options: { org: required('ORG'), user: required('USER'), callback: required('URL') },
    async run({ connecting }: OperatorServices, { org: orgId, user: userId, callback }) {
      return answerOf(await connecting.finish({ caller: { orgId, userId, role }, by: 'operator', callback }))
    },
  }),
  command('account status', {
    about: 'say whether calls on an account can work',
    positional: 'ACC connected|needs_reauth',
    options: {},
    async run({ accounts }: OperatorServices, { positionals: [id = '', text = ''] }) {
      const status = oneOf('The status', AccountStatus.enum, text)
      await accounts.setStatus(id, status, 'operator')
      return { id, status }
    },
  }),
  command('account list', {
    about: 'the accounts of an organization; their credentials are shown nowhere',
    options: { org: required('ORG') },
    async run({ accounts }: OperatorServices, { org }) {
      const list = await accounts.listOf(org)
      return {
        accounts: list.map(({ orgId: _org, settings: _settings, grantedScopes: _scopes, ...account }) =>
          serializeRow(account),
        ),
      }
    },
  }),
  command('account rename', {
    about: 'give an account another alias, the name that tools select it by',
    positional: 'ACC ALIAS',
    options: {},
    async run({ accounts }: OperatorServices, { positionals: [id = '', text = ''] }) {
      const { alias } = await accounts.rename('operator', id, text)
      return { id, alias }
    },
  }),
  command('account remove', {
    about: 'remove an account and give its grant back',
    positional: 'ACC',
    options: {},
    async run({ accounts }: OperatorServices, { positional }) {
      await accounts.remove('operator', positional)
      return { id: positional }
    },
  }),
]
