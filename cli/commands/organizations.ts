import { GatewayError } from '../../lib/errors/errors.ts'
import { Role } from '../../schemas/role.ts'
import { type Command, command, optional, required } from './command.ts'
import type { OperatorServices } from './operator-services.ts'
import { serializeRow } from './serialize.ts'

export const ORGANIZATION_COMMANDS: readonly Command<OperatorServices>[] = [
  command('org create', {
    about: 'create an organization',
    options: { name: required('N') },
    run: ({ organizations }, { name }) => organizations.create({ name, by: 'operator' }),
  }),
  command('org list', {
    about: 'list all organizations with their standing',
    options: {},
    async run({ organizations }: OperatorServices) {
      const list = await organizations.list()
      return { organizations: list.map(serializeRow) }
    },
  }),
  command('org suspend', {
    about: 'suspend an organization: tools that cost money stop, whatever the balance; other tools keep working',
    positional: 'ID',
    options: {},
    async run({ organizations, wallets }: OperatorServices, { positional }) {
      const suspended = await organizations.suspend(positional, { by: 'operator' })
      const { standing } = await wallets.balance(positional)
      return { id: positional, standing, ...(!suspended && { already_suspended: true }) }
    },
  }),
  command('org resume', {
    about: 'end the suspension of an organization',
    positional: 'ID',
    options: {},
    async run({ organizations, wallets }: OperatorServices, { positional }) {
      const resumed = await organizations.resume(positional, { by: 'operator' })
      const { standing } = await wallets.balance(positional)
      return { id: positional, standing, ...(!resumed && { not_suspended: true }) }
    },
  }),
]

const ROLES = 'owner|admin|member'

function role(text: string): Role {
  const found = Role.enum.find(name => name === text)
  if (found === undefined) throw new GatewayError('invalid_request', `--role must be one of ${Role.enum.join(', ')}.`)
  return found
}

/** A command that gives a user a role in an organization. */
function roleCommand(verb: string, { about, change }: { about: string; change: 'add' | 'setRole' }) {
  return command(`member ${verb}`, {
    about,
    options: { org: required('ORG'), user: required('USER'), role: required(ROLES) },
    async run({ members }: OperatorServices, { org, user, role: name }) {
      await members[change]({ orgId: org, userId: user, role: role(name), by: 'operator' })
      return { id: user }
    },
  })
}

export const MEMBER_COMMANDS: readonly Command<OperatorServices>[] = [
  command('user create', {
    about: 'create a user and their membership',
    options: {
      org: required('ORG'),
      email: required('E'),
      role: required(ROLES),
      issuer: optional('I'),
      subject: optional('S'),
    },
    run({ organizations }, { org, email, role: name, issuer, subject }) {
      if ((issuer === undefined) !== (subject === undefined))
        throw new GatewayError('invalid_request', 'Use --issuer and --subject together.')
      return organizations.createUser({
        orgId: org,
        email,
        role: role(name),
        by: 'operator',
        ...(issuer !== undefined && subject !== undefined && { subject: { issuer, subject } }),
      })
    },
  }),
  roleCommand('add', {
    about: 'add a user to another organization, or again to one that they were removed from',
    change: 'add',
  }),
  roleCommand('role', { about: 'change the role of a member', change: 'setRole' }),
  command('member remove', {
    about: 'remove a member: revokes their keys; suspends their agents until they return or the agents get a new owner',
    options: { org: required('ORG'), user: required('USER') },
    async run({ members }, { org, user }) {
      await members.remove({ orgId: org, userId: user, by: 'operator' })
      return { id: user }
    },
  }),
  command('member list', {
    about: 'list the members of an organization',
    options: { org: required('ORG') },
    async run({ members }, { org }) {
      const list = await members.list(org)
      return { members: list.map(({ userId, ...member }) => serializeRow({ id: userId, ...member })) }
    },
  }),
]
