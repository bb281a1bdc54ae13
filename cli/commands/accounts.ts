import { type AccountScope, AccountStatus } from '../../schemas/account.ts'
import type { Account } from '../../services/accounts/account.ts'
import { requireConnector } from '../../services/connectors/connect/require-connectors.ts'
import { CREDENTIAL, oneOf, providedCredential, requestOf, role, TARGET } from './account-options.ts'
import { type Command, command, flag, optional, required } from './command.ts'
import type { OperatorServices } from './operator-services.ts'
import { serializeRow } from './serialize.ts'

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
    options: { org: required('ORG'), user: required('USER'), callback: required('URL') },
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
