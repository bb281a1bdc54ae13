import { Role } from '../../schemas/role.ts'
import { GatewayError } from '../error-envelope/errors.ts'
import type { Agents } from '../organizations/agents.ts'
import type { KeyStore } from '../organizations/key-store.ts'
import type { Organizations } from '../organizations/organizations.ts'
import type { Capabilities } from '../tool-registry/capabilities.ts'
import { type Command, command, optional, required } from './command.ts'

/** The services that the operator's commands stand on. */
export interface OperatorServices {
  database: { migrate(): Promise<void> }
  organizations: Organizations
  keys: KeyStore
  agents: Agents
  capabilities: Capabilities
}

function role(text: string): Role {
  const found = Role.enum.find(name => name === text)
  if (found === undefined) throw new GatewayError('invalid_request', `--role is one of ${Role.enum.join(', ')}.`)
  return found
}

function time(text: string): Date {
  const date = new Date(text)
  if (!/^\d{4}-\d\d-\d\dT/.test(text) || Number.isNaN(date.getTime()))
    throw new GatewayError(
      'invalid_request',
      '--expires is a time as RFC 3339 writes it, such as 2027-01-31T00:00:00Z.',
    )
  return date
}

/** Every command of the operator, on the same services as the routes. */
export const COMMANDS: readonly Command<OperatorServices>[] = [
  command('migrate', {
    about: 'bring the database to this version',
    options: {},
    async run({ database }) {
      await database.migrate()
      return { migrated: true }
    },
  }),
  command('org create', {
    about: 'make an organization',
    options: { name: required('N') },
    run: ({ organizations }, { name }) => organizations.create(name),
  }),
  command('user create', {
    about: 'make a user and his membership',
    options: {
      org: required('ORG'),
      email: required('E'),
      role: required('owner|admin|member'),
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
    about: 'make a user a member of another organization',
    options: { org: required('ORG'), user: required('USER'), role: required('owner|admin|member') },
    async run({ organizations }, { org, user, role: name }) {
      await organizations.addMember({ orgId: org, userId: user, role: role(name) })
      return { id: user }
    },
  }),
  command('key create', {
    about: 'make an API key; it is shown this once',
    options: {
      org: required('ORG'),
      user: required('USER'),
      agent: optional('AGT'),
      name: optional('N'),
      expires: optional('RFC3339'),
    },
    run: ({ keys }, { org, user, agent, name, expires }) =>
      keys.create({
        orgId: org,
        userId: user,
        ...(agent !== undefined && { agentId: agent }),
        ...(name !== undefined && { name }),
        ...(expires !== undefined && { expiresAt: time(expires) }),
      }),
  }),
  command('key revoke', {
    about: 'revoke an API key for good',
    positional: 'ID',
    options: {},
    async run({ keys }, { positional }) {
      await keys.revoke(positional)
      return { id: positional }
    },
  }),
  command('agent create', {
    about: 'make an agent of a member',
    options: { org: required('ORG'), owner: required('USER'), name: required('N') },
    run: ({ agents }, { org, owner, name }) => agents.create({ orgId: org, ownerId: owner, name }),
  }),
  ...(['suspend', 'resume'] as const).map(verb =>
    command(`agent ${verb}`, {
      about: `${verb} an agent`,
      positional: 'ID',
      options: {},
      async run({ agents }: OperatorServices, { positional }) {
        await agents.setStatus(positional, verb === 'suspend' ? 'suspended' : 'active')
        return { id: positional }
      },
    }),
  ),
  ...(['enable', 'disable'] as const).map(verb =>
    command(`capability ${verb}`, {
      about: `${verb} a family, a connector or one tool`,
      positional: 'NAME',
      options: { org: required('ORG'), user: optional('USER') },
      async run({ capabilities }: OperatorServices, { positional, org, user }) {
        await capabilities.set({
          orgId: org,
          userId: user ?? null,
          capability: positional,
          enabled: verb === 'enable',
        })
        return { capability: positional, enabled: verb === 'enable' }
      },
    }),
  ),
]
