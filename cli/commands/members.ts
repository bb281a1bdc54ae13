import { GatewayError } from '../../lib/errors/errors.ts'
import { Role } from '../../schemas/role.ts'
import { type Command, command, optional, required } from './command.ts'
import type { OperatorServices } from './operator-services.ts'
import { serializeRow } from './serialize.ts'

const ROLES = 'owner|admin|member'

function role(text: string): Role {
  const found = Role.enum.find(name => name === text)
  if (found === undefined) throw new GatewayError('invalid_request', `--role is one of ${Role.enum.join(', ')}.`)
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
    about: 'make a user and his membership',
    options: {
      org: required('ORG'),
      email: required('E'),
      role: required(ROLES),
      issuer: optional('I'),
      subject: optional('S'),
    },
    run({ organizations }, { org, email, role: name, issuer, subject }) {
      if ((issuer === undefined) !== (subject === undefined))
        throw new GatewayError('invalid_request', '--issuer and --subject stand together.')
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
    about: 'make a user a member of another organization, or of one again that he was removed from',
    change: 'add',
  }),
  roleCommand('role', { about: 'give a member another role', change: 'setRole' }),
  command('member remove', {
    about: 'remove a member: his keys are revoked, his agents suspended until another owns them or he is back',
    options: { org: required('ORG'), user: required('USER') },
    async run({ members }, { org, user }) {
      await members.remove({ orgId: org, userId: user, by: 'operator' })
      return { id: user }
    },
  }),
  command('member list', {
    about: 'the members of an organization',
    options: { org: required('ORG') },
    async run({ members }, { org }) {
      const list = await members.list(org)
      return { members: list.map(({ userId, ...member }) => serializeRow({ id: userId, ...member })) }
    },
  }),
]
