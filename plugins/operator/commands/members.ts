import { Role } from '../../../schemas/role.ts'
import { GatewayError } from '../../error-envelope/errors.ts'
import { type Command, command, optional, required } from '../command.ts'
import type { OperatorServices } from '../operator-services.ts'

const ROLES = 'owner|admin|member'

function role(text: string): Role {
  const found = Role.enum.find(name => name === text)
  if (found === undefined) throw new GatewayError('invalid_request', `--role is one of ${Role.enum.join(', ')}.`)
  return found
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
        ...(issuer !== undefined && subject !== undefined && { subject: { issuer, subject } }),
      })
    },
  }),
  command('member add', {
    about: 'make a user a member of another organization, or of one again that he was removed from',
    options: { org: required('ORG'), user: required('USER'), role: required(ROLES) },
    async run({ organizations }, { org, user, role: name }) {
      await organizations.addMember({ orgId: org, userId: user, role: role(name) })
      return { id: user }
    },
  }),
  command('member role', {
    about: 'give a member another role',
    options: { org: required('ORG'), user: required('USER'), role: required(ROLES) },
    async run({ organizations }, { org, user, role: name }) {
      await organizations.setRole({ orgId: org, userId: user, role: role(name) })
      return { id: user }
    },
  }),
  command('member remove', {
    about: 'remove a member: his keys are revoked, his agents suspended until they are assigned to another',
    options: { org: required('ORG'), user: required('USER') },
    async run({ organizations }, { org, user }) {
      await organizations.removeMember({ orgId: org, userId: user })
      return { id: user }
    },
  }),
  command('member list', {
    about: 'the members of an organization',
    options: { org: required('ORG') },
    async run({ organizations }, { org }) {
      const list = await organizations.members(org)
      return {
        members: list.map(({ userId, email, role, createdAt }) => ({
          id: userId,
          email,
          role,
          created_at: createdAt.toISOString(),
        })),
      }
    },
  }),
]
